// Bilateral filter: the definition in double precision, edges, and the weights.

#include "compute/algorithms/smoothing/bilateral/bilateral.h"

#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/scratch_testing.h"

namespace threadscape::testing {
namespace {

using BilateralParams = Bilateral::Params;

TEST(Bilateral, DefinitionInDoublePrecision) {
  for_each_stored_case("smoothing.json", "bilateral", [](const nlohmann::json& one) {
    const auto& given = one.at("params");
    const BilateralParams params{given.at("sigma_space"), given.at("sigma_range"), border_of(one), Channels::each};
    const auto in = stored_image(one, "input");
    const int width = one.at("width"), height = one.at("height");
    for (const Backend backend : host_backends) {
      const auto bytes = run_on_scratch<Bilateral>(backend, params, in);
      const auto floats = run_on_scratch<Bilateral>(backend, params, as_floats(in));
      for (int y = 0; y < height; ++y)
        for (int x = 0; x < width; ++x) {
          const double expected = one.at("output").at(static_cast<std::size_t>(y * width + x));
          ASSERT_NEAR(bytes.image<std::uint8_t>()(x, y), expected, 0.502) << given << " " << one.at("border");
          ASSERT_NEAR(255.0 * floats.image<float>()(x, y), expected, 0.002) << given << " " << one.at("border");
        }
    }
  });
}

TEST(Bilateral, PowerOfTwoIsCloseEverywhere) {
  for (int i = 0; i < 33962; ++i) {
    const float t = -0.00371f * static_cast<float>(i);  // down to -125.999
    ASSERT_NEAR(bilateral::power_of_two(t) / std::exp2(static_cast<double>(t)), 1.0, 0x1p-20) << t;
  }
  EXPECT_EQ(bilateral::power_of_two(-126.0f), 0.0f);
  EXPECT_EQ(bilateral::power_of_two(-INFINITY), 0.0f);
}

TEST(Bilateral, KeepsConstantsAndStepsOfMoreThanTheRange) {
  std::vector<int> constant, step;
  for (int y = 0; y < 30; ++y)
    for (int x = 0; x < 90; ++x) {
      constant.push_back(177);
      step.push_back(x < 43 ? 20 : 230);
    }
  for (const auto& values : {constant, step})
    for (const Backend backend : host_backends) {
      const auto in = grey_image(90, 30, values);
      EXPECT_EQ(difference(run_on_scratch<Bilateral>(backend, {3.0f, 20.0f, Border::mirror, Channels::each}, in), in),
                "");
    }
}

/// A pixel changes the mean of a neighbour where the window of the neighbour contains it.
TEST(Bilateral, CircleContainsWhatIsNoFartherThanTheRadius) {
  constexpr int size = 40, middle = 20, radius = 4;
  std::vector<int> values(size * size, 100);
  values[middle * size + middle] = 160;
  BilateralParams params{2.0f, 200.0f, Border::mirror, Channels::each};
  params.window = bilateral::Window::circle;
  for (const Backend backend : host_backends)
    for (const auto& in : {grey_image(size, size, values), as_floats(grey_image(size, size, values))}) {
      const auto out = run_on_scratch<Bilateral>(backend, params, in);
      for (int y = 0; y < size; ++y)
        for (int x = 0; x < size; ++x) {
          const int dx = x - middle, dy = y - middle;
          const bool contained = dx * dx + dy * dy <= radius * radius;
          if (in.shape().element == Element::f32) {
            ASSERT_EQ(out.image<float>()(x, y) != in.image<float>()(x, y), contained) << dx << " " << dy;
          } else if (!contained) {
            ASSERT_EQ(out.image<std::uint8_t>()(x, y), 100) << dx << " " << dy;
          }
        }
    }
}

/// The bytes of both backends are equal for each radius of the circle.
/// CUDA is compared by the parity of all settings, where there is a device or the emulated one.
TEST(Bilateral, CirclesAreEqualOnSerialAndOpenMP) {
  std::vector<int> values;
  for (int i = 0; i < 150 * 41; ++i)
    values.push_back((i * 7919 + i / 37 * 131) % 256);
  const auto in = grey_image(150, 41, values);
  for (const float sigma : {0.5f, 1.0f, 1.7f, 3.3f, 5.0f}) {
    BilateralParams params{sigma, 60.0f, Border::clamp, Channels::each};
    params.window = bilateral::Window::circle;
    EXPECT_EQ(difference(run_on_scratch<Bilateral>(Backend::serial, params, in),
                         run_on_scratch<Bilateral>(Backend::openmp, params, in)),
              "")
        << sigma;
  }
}

/// With an impulse of 1 grey level of 255 all range weights are practically 1.
TEST(Bilateral, IsGaussianForAWideRange) {
  HostArray in = as_floats(grey_image(31, 31, std::vector<int>(31 * 31, 0)));
  in.image<float>()(15, 15) = 1.0f / 255;
  const auto weights = Bilateral::weights({1.5f, 255.0f, Border::zero, Channels::each});
  double total = 0.0;
  for (int i = 0; i < 49; ++i)
    total += weights.space[i];
  for (const Backend backend : host_backends) {
    const auto out = run_on_scratch<Bilateral>(backend, {1.5f, 255.0f, Border::zero, Channels::each}, in);
    for (int dy = -3; dy <= 3; ++dy)
      for (int dx = -3; dx <= 3; ++dx)
        EXPECT_NEAR(255.0 * out.image<float>()(15 + dx, 15 + dy), std::exp(-(dx * dx + dy * dy) / 4.5) / total, 1e-4);
  }
}

TEST(Bilateral, AlphaIsKept) {
  expect_alpha_kept<Bilateral>({1.0f, 40.0f, Border::reflect, Channels::each});
}

TEST(Bilateral, RefusesWhatItCannotDo) {
  EXPECT_THROW((void)Bilateral::output_shape({}, Shape::image(Element::u16, 1, 4, 4)), UsageError);
  ParamBox params = ParamBox::of(BilateralParams{});
  for (const char* sigma : {"0", "-1", "5.1", "nan", "inf"}) {
    EXPECT_THROW(params.assign("sigma_space", sigma), UsageError) << sigma;
    EXPECT_THROW(params.assign("sigma_range", sigma[0] == '5' ? "256" : sigma), UsageError) << sigma;
  }
}

}  // namespace
}  // namespace threadscape::testing

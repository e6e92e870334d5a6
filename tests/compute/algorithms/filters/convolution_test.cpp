// Convolution: cases with known answers, a reference in exact arithmetic, and parameters that follow other parameters.

#include "compute/algorithms/filters/convolution/convolution.h"

#include <cmath>

#include "compute/algorithms/filters/convolution/openmp/convolution_simd.h"
#include "tests/support/compute/host_backends.h"
#include "tests/support/compute/neighbourhood_testing.h"

namespace threadscape::testing {
namespace {

using ConvolutionParams = Convolution::Params;

ConvolutionParams custom(int size, std::vector<float> mask) {
  ConvolutionParams params;
  params.size = size;
  params.mask = std::move(mask);
  params.assigned("mask");
  return params;
}

int grey_at(const HostArray& image, int x, int y) {
  return image.image<std::uint8_t>()(x, y);
}

// ---- Known answers

TEST(Convolution, ImpulseGivesTheMaskTurned) {  // correlation: the mask appears turned by 180 degrees around an impulse
  for (const int size : {3, 5, 7, 9}) {
    std::vector<float> mask;
    for (int i = 0; i < size * size; ++i)
      mask.push_back(static_cast<float>(i + 1));
    HostArray in = grey_image(21, 21, std::vector<int>(21 * 21, 0));
    in.image<std::uint8_t>()(10, 10) = 1;
    for (const Backend backend : host_backends) {
      const HostArray out = run_on<Convolution>(backend, custom(size, mask), in);
      for (int y = 0; y < 21; ++y)
        for (int x = 0; x < 21; ++x) {
          const int kx = 10 - x + size / 2, ky = 10 - y + size / 2;
          const bool inside = kx >= 0 && ky >= 0 && kx < size && ky < size;
          ASSERT_EQ(grey_at(out, x, y), inside ? ky * size + kx + 1 : 0);
        }
    }
  }
}

TEST(Convolution, IdentityLeavesThePicture) {
  const auto in = random_image<Rgba8>(67, 35, 1);
  for (const int size : {3, 5, 7, 9})
    for (const Border border : borders) {
      ConvolutionParams params;
      params.size = size;
      params.preset = Convolution::Preset::identity;
      params.assigned("preset");
      params.border = border;
      for (const Backend backend : host_backends)
        EXPECT_EQ(difference(run_on<Convolution>(backend, params, in), in), "");
    }
}

TEST(Convolution, ConstantStaysConstantUnderSmoothing) {
  const auto in = grey_image(33, 20, std::vector<int>(33 * 20, 77));
  for (const auto preset : {Convolution::Preset::box, Convolution::Preset::gaussian, Convolution::Preset::sharpen,
                            Convolution::Preset::emboss})
    for (const int size : {3, 5, 7, 9}) {
      ConvolutionParams params;
      params.size = size;
      params.preset = preset;
      params.assigned("preset");
      for (const Backend backend : host_backends)
        EXPECT_EQ(difference(run_on<Convolution>(backend, params, in), in), "");
    }
}

TEST(Convolution, RampKeepsItsSlopeAndDifferencesGiveIt) {
  std::vector<int> ramp;
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 40; ++x)
      ramp.push_back(5 * x);
  const auto in = grey_image(40, 9, ramp);
  for (const Backend backend : host_backends) {
    const auto slope = run_on<Convolution>(backend, custom(3, {0, 0, 0, -1, 0, 1, 0, 0, 0}), in);
    const auto fall = run_on<Convolution>(backend, custom(3, {0, 0, 0, 1, 0, -1, 0, 0, 0}), in);
    for (int x = 1; x < 39; ++x) {
      EXPECT_EQ(grey_at(slope, x, 4), 10);
      EXPECT_EQ(grey_at(fall, x, 4), 0);  // negative: saturated
    }
    ConvolutionParams absolute = custom(3, {0, 0, 0, 1, 0, -1, 0, 0, 0});
    absolute.absolute = true;
    absolute.bias = 3.0f;  // added before the absolute value: |-10 + 3|
    EXPECT_EQ(grey_at(run_on<Convolution>(backend, absolute, in), 20, 4), 7);
  }
}

TEST(Convolution, HalvesGoUpAndResultsSaturate) {
  const auto in = grey_image(3, 1, {1, 3, 255});
  for (const Backend backend : host_backends) {
    ConvolutionParams half = custom(3, {0, 0, 0, 0, 1, 0, 0, 0, 0});
    half.divisor = 2.0f;
    const auto halves = run_on<Convolution>(backend, half, in);  // 0.5, 1.5, 127.5
    EXPECT_EQ(grey_at(halves, 0, 0), 1);
    EXPECT_EQ(grey_at(halves, 1, 0), 2);
    EXPECT_EQ(grey_at(halves, 2, 0), 128);
    half.bias = -1.0f;  // -0.5 rounds up to 0
    EXPECT_EQ(grey_at(run_on<Convolution>(backend, half, in), 0, 0), 0);
    half.absolute = true;  // |-0.5| rounds up to 1
    EXPECT_EQ(grey_at(run_on<Convolution>(backend, half, in), 0, 0), 1);
    EXPECT_EQ(grey_at(run_on<Convolution>(backend, custom(3, {0, 0, 0, 0, 9, 0, 0, 0, 0}), in), 2, 0), 255);
    EXPECT_EQ(grey_at(run_on<Convolution>(backend, custom(3, {0, 0, 0, 0, -9, 0, 0, 0, 0}), in), 2, 0), 0);
  }
}

TEST(Convolution, LumaGoesToAllColoursAndAlphaIsKept) {
  const auto in = random_image<Rgba8>(50, 21, 3);
  HostArray grey(Shape::image(Element::u8, 1, 50, 21));
  for (int y = 0; y < 21; ++y)
    for (int x = 0; x < 50; ++x) {
      const Rgba8 p = in.image<Rgba8>()(x, y);
      grey.image<std::uint8_t>()(x, y) =
          static_cast<std::uint8_t>(std::lround((299 * p.r + 587 * p.g + 114 * p.b) / 1000.0));
    }
  ConvolutionParams params;
  params.channels = Channels::luma;
  for (const Backend backend : host_backends) {
    const auto out = run_on<Convolution>(backend, params, in);
    const auto expected = run_on<Convolution>(Backend::serial, params, grey);
    for (int y = 0; y < 21; ++y)
      for (int x = 0; x < 50; ++x) {
        const auto v = expected.image<std::uint8_t>()(x, y);
        ASSERT_EQ(out.image<Rgba8>()(x, y), (Rgba8{v, v, v, in.image<Rgba8>()(x, y).a}));
      }
  }
}

TEST(Convolution, ColoursAreFilteredApart) {
  const auto in = random_image<Rgba8>(70, 33, 4);
  HostArray red(Shape::image(Element::u8, 1, 70, 33));
  for (int y = 0; y < 33; ++y)
    for (int x = 0; x < 70; ++x)
      red.image<std::uint8_t>()(x, y) = in.image<Rgba8>()(x, y).r;
  for (const Backend backend : host_backends) {
    const auto out = run_on<Convolution>(backend, ConvolutionParams{}, in);
    const auto expected = run_on<Convolution>(Backend::serial, ConvolutionParams{}, red);
    for (int y = 0; y < 33; ++y)
      for (int x = 0; x < 70; ++x) {
        ASSERT_EQ(out.image<Rgba8>()(x, y).r, grey_at(expected, x, y));
        ASSERT_EQ(out.image<Rgba8>()(x, y).a, in.image<Rgba8>()(x, y).a);
      }
  }
}

// ---- A reference in exact arithmetic

/// The result by integer arithmetic, for integer masks, divisors and biases: only the last operation rounds.
HostArray oracle(const ConvolutionParams& params, const HostArray& in) {
  const int width = static_cast<int>(in.shape().width), height = static_cast<int>(in.shape().height),
            radius = params.size / 2;
  HostArray out(in.shape());
  std::vector<std::vector<int>> rows(static_cast<std::size_t>(height));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      rows[static_cast<std::size_t>(y)].push_back(grey_at(in, x, y));
  std::vector<int> numbers;  // of rows, to fold them as values_at() folds values
  for (int y = 0; y < height; ++y)
    numbers.push_back(y + 1);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      long long sum = 0;
      for (int ky = 0; ky < params.size; ++ky)
        for (int kx = 0; kx < params.size; ++kx) {
          const int row = value_at(numbers, y + ky - radius, params.border) - 1;
          const int value = row < 0 ? 0 : value_at(rows[static_cast<std::size_t>(row)], x + kx - radius, params.border);
          sum += static_cast<long long>(params.mask[static_cast<std::size_t>(ky * params.size + kx)]) * value;
        }
      long long d = static_cast<long long>(params.divisor), n = sum + static_cast<long long>(params.bias) * d;
      if (d < 0) d = -d, n = -n;
      if (params.absolute && n < 0) n = -n;
      const long long twice = 2 * n + d;  // floor(n / d + 1/2) = floor(twice / 2d)
      const long long value = twice < 0 ? -1 : twice / (2 * d);
      const bool leaves = x < radius || y < radius || x + radius >= width || y + radius >= height;
      out.image<std::uint8_t>()(x, y) = params.border == Border::valid && leaves
                                            ? in.image<std::uint8_t>()(x, y)
                                            : static_cast<std::uint8_t>(std::clamp(value, 0LL, 255LL));
    }
  return out;
}

TEST(Convolution, AgreesWithExactArithmetic) {
  std::mt19937 random(7);
  constexpr std::array<std::array<int, 2>, 8> sizes{
      {{1, 1}, {1, 7}, {2, 3}, {9, 1}, {31, 33}, {64, 16}, {97, 40}, {600, 5}}};
  for (const Border border : borders)
    for (const int size : {3, 5, 7, 9})
      for (const auto& [width, height] : sizes) {
        const int largest = std::array{1, 9, 60, 2000}[random() % 4];
        std::vector<float> mask;
        for (int i = 0; i < size * size; ++i)
          mask.push_back(static_cast<float>(static_cast<int>(random() % (2 * largest + 1)) - largest));
        ConvolutionParams params = custom(size, mask);
        params.divisor = static_cast<float>(std::array{1, 2, 3, 16, 97, 256, 999, -1, -7, 2048}[random() % 10]);
        params.bias = static_cast<float>(std::array{0, 1, 128, -100, 512, -512}[random() % 6]);
        params.absolute = random() % 2 == 0;
        params.border = border;
        const auto in = random_image<std::uint8_t>(width, height, random());
        const auto expected = oracle(params, in);
        for (const Backend backend : host_backends)
          ASSERT_EQ(difference(run_on<Convolution>(backend, params, in), expected), "")
              << to_json(ParamBox::of(params)) << " " << name_of(backend);
      }
}

// ---- The finish by integers

/// finish_whole() equals finish_u8() wherever it may be used: all sums around 0..255 for many divisors and biases.
TEST(ConvolutionFinish, IntegersEqualFloats) {
  for (int divisor = 1; divisor <= max_whole_divisor; divisor += divisor < 64 ? 1 : divisor < 1900 ? 61 : 1)
    for (const int bias : {0, 1, -1, 128, -300, 512, -512})
      for (const bool absolute : {false, true}) {
        const Finish finish{static_cast<float>(divisor), static_cast<float>(bias), absolute};
        const WholeFinish whole{true, divisor, bias * divisor, absolute};
        const int step = divisor > 64 ? 7 : 1;  // 7 and 61 share no factor with most divisors: all remainders occur
        for (int sum = (-258 - bias) * divisor; sum <= (258 - bias) * divisor; sum += step)
          ASSERT_EQ(finish_u8(static_cast<float>(sum), finish), finish_whole(sum, whole))
              << sum << " / " << divisor << " + " << bias;
      }
}

TEST(ConvolutionFinish, ReciprocalIsExact) {
  for (int divisor = 2; divisor <= 32768; divisor += divisor < 2100 ? 1 : 613) {
    const auto r = convolution::reciprocal_of(divisor);
    for (int n = 0; n < 32768; n += divisor < 300 ? 1 : 3)
      ASSERT_EQ(n * static_cast<unsigned>(r.factor) >> 16 >> r.shift, static_cast<unsigned>(n / divisor))
          << n << " / " << divisor;
    for (int n = divisor - 1; n < 32768; n += divisor)  // just below each multiple
      ASSERT_EQ(n * static_cast<unsigned>(r.factor) >> 16 >> r.shift, static_cast<unsigned>(n / divisor))
          << n << " / " << divisor;
  }
}

// ---- Plans

TEST(ConvolutionPlan, ExactMasks) {
  const auto plan = Convolution::plan(custom(3, {0.25f, 0.5f, 0.25f, 0, 1, 0, 0, 0, -0.25f}));
  EXPECT_TRUE(plan.exact);
  EXPECT_EQ(plan.unit, 0.25f);
  EXPECT_EQ(plan.units[4], 4);
  EXPECT_EQ(plan.magnitude, 9);
  EXPECT_TRUE(plan.whole.possible);
  EXPECT_EQ(plan.whole.divisor, 4);
  EXPECT_FALSE(Convolution::plan(custom(3, {0.1f, 0, 0, 0, 0, 0, 0, 0, 0})).exact);
  EXPECT_FALSE(Convolution::plan(custom(3, {65794, 0, 0, 0, 0, 0, 0, 0, 0})).exact);  // 65794 * 255 > 2^24
  EXPECT_TRUE(Convolution::plan(custom(3, {65793, 0, 0, 0, 0, 0, 0, 0, 0})).exact);
  EXPECT_TRUE(Convolution::plan(custom(3, std::vector<float>(9, 0.0f))).exact);
  ConvolutionParams turned = custom(3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  turned.divisor = -45.0f;
  EXPECT_EQ(Convolution::plan(turned).units[8], -9);
  EXPECT_EQ(Convolution::plan(turned).whole.divisor, 45);
}

TEST(ConvolutionPlan, DivideBy) {
  ConvolutionParams params = custom(3, {1, 2, 1, 2, 4, 2, 1, 2, 1});
  params.divide_by = Convolution::DivideBy::sum;
  EXPECT_EQ(Convolution::plan(params).finish.divisor, 16.0f);
  params.divide_by = Convolution::DivideBy::size;
  EXPECT_EQ(Convolution::plan(params).finish.divisor, 9.0f);
  params.mask = {-1, 0, 1, -2, 0, 2, -1, 0, 1};
  params.divide_by = Convolution::DivideBy::sum;
  EXPECT_EQ(Convolution::plan(params).finish.divisor, 1.0f);  // a sum of 0 divides by 1
  params.divisor = 0.0f;
  EXPECT_EQ(params.problem(), "");  // not used
}

// ---- Parameters

TEST(ConvolutionParams, FromText) {
  ParamBox box = ParamBox::of(ConvolutionParams{});
  box.assign("size", "5");
  EXPECT_EQ(box.as<ConvolutionParams>().mask.size(), 25u);  // the preset, in the new size
  box.assign("preset", "gaussian");
  EXPECT_EQ(box.as<ConvolutionParams>().mask[12], 36.0f);
  EXPECT_EQ(box.as<ConvolutionParams>().divide_by, Convolution::DivideBy::sum);
  box.assign("divisor", "300");
  EXPECT_EQ(box.as<ConvolutionParams>().divide_by, Convolution::DivideBy::divisor);
  box.assign("size", "3");
  box.assign("mask", "1,2,3,4,5,6,7,8,9");
  EXPECT_EQ(box.as<ConvolutionParams>().preset, Convolution::Preset::custom);
  EXPECT_EQ(box.problem(), "");
  EXPECT_THROW(box.assign("size", "4"), UsageError);
  EXPECT_THROW(box.assign("size", "65"), UsageError);
}

TEST(ConvolutionParams, DefaultsWithOnlyAMaskMeanThePlainSum) {
  ConvolutionParams params;
  params.mask = {1, 0, 0, 0, 0, 0, 0, 0, 1};
  params.assigned("mask");
  const auto plan = Convolution::plan(params);
  EXPECT_EQ(plan.finish.divisor, 1.0f);
  EXPECT_EQ(plan.finish.bias, 0.0f);
  EXPECT_FALSE(plan.finish.absolute);
  EXPECT_EQ(plan.border, Border::mirror);
}

TEST(ConvolutionParams, Problems) {
  ConvolutionParams params = custom(3, std::vector<float>(25, 1.0f));
  EXPECT_NE(params.problem().find("mask has 25 values, size 3 needs 9"), std::string::npos);
  EXPECT_NE(params.problem().find("size=5"), std::string::npos);
  EXPECT_THROW((void)Convolution::plan(params), UsageError);
  params = custom(5, std::vector<float>(9, 1.0f));
  EXPECT_NE(params.problem().find("mask has 9 values, size 5 needs 25"), std::string::npos);
  params = custom(3, std::vector<float>(9, 1.0f));
  params.divisor = 0.0f;
  EXPECT_NE(params.problem().find("divisor"), std::string::npos);
  params.divisor = 1.0f;
  params.mask[3] = std::nanf("");
  EXPECT_NE(params.problem().find("mask value 4"), std::string::npos);
}

TEST(ConvolutionParams, EditingTheSizeKeepsTheCentreOfACustomMask) {
  ConvolutionParams params = custom(3, {1, 2, 3, 4, 5, 6, 7, 8, 9});
  params.size = 5;
  params.edited("size");
  ASSERT_EQ(params.mask.size(), 25u);
  EXPECT_EQ(params.mask[12], 5.0f);
  EXPECT_EQ(params.mask[6], 1.0f);
  EXPECT_EQ(params.mask[0], 0.0f);
  params.size = 3;
  params.edited("size");
  EXPECT_EQ(params.mask, (std::vector<float>{1, 2, 3, 4, 5, 6, 7, 8, 9}));
}

TEST(ConvolutionParams, JsonRoundTrip) {
  for (const auto preset : {Convolution::Preset::gaussian, Convolution::Preset::emboss, Convolution::Preset::custom}) {
    ConvolutionParams params;
    params.size = 5;
    params.preset = preset;
    params.assigned("size");
    params.assigned("preset");
    if (preset == Convolution::Preset::custom) params.mask = std::vector<float>(25, 0.5f);
    params.bias = 12.0f;
    params.divide_by = Convolution::DivideBy::size;
    ParamBox box = ParamBox::of(ConvolutionParams{});
    assign_json(box, to_json(ParamBox::of(params)));
    EXPECT_EQ(box, ParamBox::of(params));
  }
}

TEST(Convolution, RefusesOtherPictures) {
  EXPECT_THROW((void)Convolution::output_shape(ConvolutionParams{}, Shape::image(Element::i32, 1, 4, 4)), UsageError);
  EXPECT_THROW((void)Convolution::output_shape(ConvolutionParams{}, Shape{}), UsageError);
}

}  // namespace
}  // namespace threadscape::testing

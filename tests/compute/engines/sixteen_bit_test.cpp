// Tests of 16-bit pictures in algorithms that compute with bytes and floats: results of SciPy, the conversions by
// themselves, and that every image algorithm takes and gives all three types.

#include "compute/engines/sixteen_bit/sixteen_bit.h"

#include <gtest/gtest.h>

#include <limits>

#include "compute/engines/sixteen_bit/sixteen_bit_math.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/compute/neighbourhood_testing.h"
#include "tests/support/compute/scratch_testing.h"

namespace threadscape::testing {
namespace {

HostArray run(const AlgorithmInfo& algorithm, const ParamBox& params, const HostArray& in, Backend backend) {
  const RunRequest request{.algorithm = &algorithm, .params = params, .backend = backend, .threads = 2, .seed = 1};
  return Runner().run(request, in.view()).output;
}

TEST(SixteenBit, EveryValueSurvivesTheConversions) {
  for (int value = 0; value <= 65535; ++value)
    ASSERT_EQ(sixteen_bit::from_float(sixteen_bit::to_float(static_cast<std::uint16_t>(value))), value);
  EXPECT_EQ(sixteen_bit::to_float(65535), 1.0f);
  EXPECT_EQ(sixteen_bit::from_float(-0.5f), 0);
  EXPECT_EQ(sixteen_bit::from_float(1.5f), 65535);
  EXPECT_EQ(sixteen_bit::from_float(std::numeric_limits<float>::infinity()), 65535);
  EXPECT_EQ(sixteen_bit::from_float(std::numeric_limits<float>::quiet_NaN()), 0);
}

TEST(SixteenBit, EqualsSciPy) {
  for_each_stored_case("sixteen_bit.json", "", [](const nlohmann::json& one) {
    const auto name = one.at("algorithm").get<std::string>();
    const AlgorithmInfo& algorithm = find_algorithm(name);
    ParamBox params = algorithm.defaults();
    for (const auto& [field, text] : one.at("parameters").items())
      params.assign(field, text.get<std::string>());
    const int width = one.at("width"), height = one.at("height");
    HostArray in(Shape::image(Element::u16, 1, width, height));
    for (int i = 0; i < width * height; ++i)
      in.image<std::uint16_t>()(i % width, i / width) = one.at("input")[static_cast<std::size_t>(i)];
    // The median only selects. Sums of floats have errors of a few hundredths of a level, so a value between two levels
    // may be rounded to the other one.
    const int tolerance = name == "median" ? 0 : 1;
    for (const Backend backend : {Backend::serial, Backend::openmp}) {
      const HostArray out = run(algorithm, params, in, backend);
      ASSERT_EQ(out.shape(), in.shape()) << name;
      for (int i = 0; i < width * height; ++i)
        EXPECT_NEAR(out.image<std::uint16_t>()(i % width, i / width),
                    one.at("output")[static_cast<std::size_t>(i)].get<int>(), tolerance)
            << name << " at " << i % width << ", " << i / width;
    }
  });
}

TEST(SixteenBit, EveryImageAlgorithmTakesAndGivesAllTypes) {
  for (const AlgorithmInfo& algorithm : algorithms()) {
    if (algorithm.input != Kind::image || algorithm.output != Kind::image) continue;
    for (const Element element : {Element::u8, Element::u16, Element::f32})
      for (const int channels : {1, 4}) {
        const Shape in = Shape::image(element, channels, 40, 30);
        EXPECT_EQ(algorithm.output_shape(algorithm.defaults(), in).element, element) << algorithm.name;
      }
  }
}

TEST(SixteenBit, ColoursAreConvertedChannelByChannel) {
  const HostArray in = random_image<Rgba16>(37, 21, 5);
  const AlgorithmInfo& algorithm = find_algorithm("gaussian");
  HostArray floats(sixteen_bit::as_floats(in.shape()));
  sixteen_bit::to_floats(in.view(), floats.view(), 2);
  const HostArray expected_floats = run(algorithm, algorithm.defaults(), floats, Backend::serial);
  HostArray expected(in.shape());
  sixteen_bit::from_floats(expected_floats.view(), expected.view(), 1);
  EXPECT_EQ(difference(expected, run(algorithm, algorithm.defaults(), in, Backend::openmp)), "");
}

TEST(SixteenBit, AnglesStayFloats) {
  const AlgorithmInfo& algorithm = find_algorithm("sobel");
  ParamBox params = algorithm.defaults();
  params.assign("output", "angle");
  HostArray in(Shape::image(Element::u16, 1, 8, 4));
  for (int y = 0; y < 4; ++y)
    for (int x = 0; x < 8; ++x)
      in.image<std::uint16_t>()(x, y) = static_cast<std::uint16_t>(1000 * y);
  const HostArray angles = run(algorithm, params, in, Backend::serial);
  ASSERT_EQ(angles.shape().element, Element::f32);
  EXPECT_NEAR(angles.image<float>()(3, 2), 0.25f, 1e-6f) << "values grow downwards, a quarter turn from the right";
}

}  // namespace
}  // namespace threadscape::testing

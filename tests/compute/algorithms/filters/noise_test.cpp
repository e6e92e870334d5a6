// Noise: shares and moments of the noise that is added, and the values that stay as they were.

#include "compute/algorithms/filters/noise/noise.h"

#include <gtest/gtest.h>

#include <cmath>

#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape {
namespace {

template <class Pixel>
HostArray flat(int width, int height, Pixel value) {
  using Traits = PixelTraits<Pixel>;
  HostArray array(Shape::image(Traits::element, Traits::channels, width, height));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      array.image<Pixel>()(x, y) = value;
  return array;
}

HostArray disturbed(const HostArray& in, const Noise::Params& params, std::uint64_t seed = 1) {
  const RunRequest request{
      .algorithm = &find_algorithm("noise"), .params = ParamBox::of(params), .backend = Backend::serial, .seed = seed};
  return Runner().run(request, in.view()).output;
}

struct Moments {
  double mean = 0, deviation = 0, beyond_two = 0;  ///< beyond_two: share further than two deviations from the mean
};
template <class Value>
Moments moments(const HostArray& array, double scale) {
  const auto image = array.image<Value>();
  const double n = static_cast<double>(image.width) * image.height;
  Moments m;
  double squares = 0;
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      m.mean += image(x, y) * scale / n;
      squares += std::pow(image(x, y) * scale, 2) / n;
    }
  m.deviation = std::sqrt(squares - m.mean * m.mean);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x)
      m.beyond_two += std::abs(image(x, y) * scale - m.mean) > 2 * m.deviation ? 1 / n : 0;
  return m;
}

// 256 x 256 pixels: a share of 0.1 has a standard error of sqrt(0.1 * 0.9) / 256 = 0.0012; five of them are allowed.
TEST(Noise, SaltAndPepperChangesTheShareThatWasAsked) {
  const HostArray out =
      disturbed(flat<std::uint8_t>(256, 256, 100), {.kind = noise::Kind::salt_pepper, .amount = 0.1f});
  const auto image = out.image<std::uint8_t>();
  int black = 0, white = 0;
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x) {
      ASSERT_TRUE(image(x, y) == 0 || image(x, y) == 100 || image(x, y) == 255);
      black += image(x, y) == 0;
      white += image(x, y) == 255;
    }
  EXPECT_NEAR((black + white) / 65536.0, 0.1, 0.006);
  EXPECT_NEAR(black / 65536.0, 0.05, 0.005);
}

// The mean of 65536 values has a standard error of sigma / 256, their deviation one of sigma / 362; five are allowed.
// A normal distribution has 4.55 % beyond two deviations, with a standard error of 0.08 %; this one has 4.5 %.
TEST(Noise, GaussianHasItsMoments) {
  const Noise::Params params{.kind = noise::Kind::gaussian, .sigma = 20.0f};
  for (const Moments& m : {moments<std::uint8_t>(disturbed(flat<std::uint8_t>(256, 256, 128), params), 1.0),
                           moments<std::uint16_t>(disturbed(flat<std::uint16_t>(256, 256, 32896), params), 1 / 257.0),
                           moments<float>(disturbed(flat<float>(256, 256, 128 / 255.0f), params), 255.0)}) {
    EXPECT_NEAR(m.mean, 128, 0.4);
    EXPECT_NEAR(m.deviation, 20, 0.3);
    EXPECT_NEAR(m.beyond_two, 0.0455, 0.005);
  }
}

TEST(Noise, UniformStaysWithinItsWidth) {
  const HostArray out = disturbed(flat<std::uint8_t>(256, 256, 100), {.kind = noise::Kind::uniform, .sigma = 30.0f});
  const auto image = out.image<std::uint8_t>();
  for (int y = 0; y < 256; ++y)
    for (int x = 0; x < 256; ++x)
      ASSERT_TRUE(image(x, y) >= 70 && image(x, y) <= 130);
  EXPECT_NEAR(moments<std::uint8_t>(out, 1.0).deviation, 30 / std::sqrt(3.0), 0.4);
}

TEST(Noise, SaturatesAndKeepsAlpha) {
  const HostArray out =
      disturbed(flat<Rgba8>(64, 64, {255, 0, 128, 7}), {.kind = noise::Kind::gaussian, .sigma = 128.0f});
  const auto image = out.image<Rgba8>();
  int at_limit = 0;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x) {
      ASSERT_EQ(image(x, y).a, 7);
      at_limit += image(x, y).r == 255 && image(x, y).g == 0;
    }
  EXPECT_NEAR(at_limit / 4096.0, 0.25, 0.04);  // half of the noise of each channel; standard error 0.007
}

TEST(Noise, LumaGivesAllColoursTheSame) {
  const HostArray out =
      disturbed(flat<Rgba8>(64, 64, {100, 100, 100, 255}), {.kind = noise::Kind::gaussian, .channels = Channels::luma});
  const auto image = out.image<Rgba8>();
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      ASSERT_TRUE(image(x, y).r == image(x, y).g && image(x, y).g == image(x, y).b);
}

TEST(Noise, NothingAskedNothingChanged) {
  const HostArray in = flat<std::uint8_t>(64, 64, 33);
  for (const Noise::Params& params : {Noise::Params{.kind = noise::Kind::salt_pepper, .amount = 0.0f},
                                      Noise::Params{.kind = noise::Kind::gaussian, .sigma = 0.0f}}) {
    const HostArray out = disturbed(in, params);
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 64; ++x)
        ASSERT_EQ(out.image<std::uint8_t>()(x, y), 33);
  }
}

TEST(Noise, SeedsDiffer) {
  const HostArray in = flat<std::uint8_t>(64, 64, 128);
  const Noise::Params params{.kind = noise::Kind::gaussian};
  const HostArray a = disturbed(in, params, 1), b = disturbed(in, params, 2);
  int same = 0;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      same += a.image<std::uint8_t>()(x, y) == b.image<std::uint8_t>()(x, y);
  EXPECT_LT(same, 200);  // about 1.4 % of 4096 agree by chance
}

TEST(Noise, FramesDifferUnlessTheyAreFrozen) {
  const HostArray in = flat<std::uint8_t>(64, 64, 128);
  const auto frame = [&](Backend backend, std::uint64_t number, bool frozen) {
    const RunRequest request{.algorithm = &find_algorithm("noise"),
                             .params = ParamBox::of(Noise::Params{.kind = noise::Kind::gaussian, .frozen = frozen}),
                             .backend = backend,
                             .seed = 1,
                             .frame = number};
    return Runner().run(request, in.view()).output;
  };
  const HostArray first = frame(Backend::serial, 0, false), second = frame(Backend::serial, 1, false);
  int same = 0;
  for (int y = 0; y < 64; ++y)
    for (int x = 0; x < 64; ++x)
      same += first.image<std::uint8_t>()(x, y) == second.image<std::uint8_t>()(x, y);
  EXPECT_LT(same, 200);  // about 1.4 % of 4096 agree by chance
  const auto differs = [](const HostArray& expected, const HostArray& actual) {
    return compare(expected.view(), actual.view(), Tolerance::exact()).has_value();
  };
  EXPECT_FALSE(differs(second, frame(Backend::openmp, 1, false)));
  EXPECT_FALSE(differs(first, frame(Backend::serial, 1, true)));
  EXPECT_FALSE(differs(first, frame(Backend::openmp, 7, true)));
}

}  // namespace
}  // namespace threadscape

// Morphology of colours as vectors: against sorted windows, and known colours of HSL.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <random>
#include <string>
#include <tuple>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/core/errors.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "compute/run/verify.h"

namespace threadscape {
namespace vectors_testing {
namespace {

using Settings = std::vector<std::pair<std::string, std::string>>;

HostArray run(const HostArray& input, const Settings& settings, Backend backend = Backend::serial, int variant = 0) {
  RunRequest request{
      .algorithm = &find_algorithm("morphology"), .params = {}, .backend = backend, .variant = variant, .threads = 3};
  request.params = request.algorithm->defaults();
  for (const auto& [name, value] : settings)
    request.params.assign(name, value);
  return Runner().run(request, input.view()).output;
}

/// Colours of few levels, so that many have the same luminance or lightness.
HostArray colours(int width, int height, unsigned seed) {
  HostArray picture(Shape::image(Element::u8, 4, width, height));
  std::mt19937 random(seed);
  const auto level = [&] { return static_cast<std::uint8_t>(random() % 6 * 51); };
  const auto view = picture.image<Rgba8>();
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      view(x, y) = {level(), level(), level(), level()};
  return picture;
}

using Key = std::tuple<double, double, double, int, int, int>;

/// Lightness, saturation and hue by the formulas of the standard library of Python (colorsys.rgb_to_hls).
Key hsl_key(const Rgba8& colour) {
  const double r = colour.r / 255.0, g = colour.g / 255.0, b = colour.b / 255.0;
  const double high = std::max({r, g, b}), low = std::min({r, g, b});
  const double lightness = (high + low) / 2;
  double saturation = 0, hue = 0;
  if (high != low) {
    saturation = lightness <= 0.5 ? (high - low) / (high + low) : (high - low) / (2 - high - low);
    const double rc = (high - r) / (high - low), gc = (high - g) / (high - low), bc = (high - b) / (high - low);
    hue = r == high ? bc - gc : g == high ? 2 + rc - bc : 4 + gc - rc;
    hue = hue / 6 - std::floor(hue / 6);
  }
  const auto rounded = [](double value) { return std::round(value * 1e9); };  // Equal quotients are equal again.
  return {rounded(lightness), rounded(saturation), rounded(hue), colour.r, colour.g, colour.b};
}
Key luminance_key(const Rgba8& colour) {
  return {299 * colour.r + 587 * colour.g + 114 * colour.b, 0, 0, colour.r, colour.g, colour.b};
}

TEST(MorphologyVectors, AnExtremeIsTheFirstOfASortedWindow) {
  const HostArray input = colours(23, 17, 5);
  const auto in = input.image<Rgba8>();
  for (const auto& [order, key] : {std::pair{"luminance", &luminance_key}, {"hsl", &hsl_key}})
    for (const char* operation : {"erode", "dilate"}) {
      const HostArray result =
          run(input, {{"operation", operation}, {"order", order}, {"width", "5"}, {"height", "3"}});
      const auto out = result.image<Rgba8>();
      for (int y = 0; y < 17; ++y)
        for (int x = 0; x < 23; ++x) {
          std::vector<Rgba8> window;
          for (int dy = -1; dy <= 1; ++dy)
            for (int dx = -2; dx <= 2; ++dx)
              if (x + dx >= 0 && x + dx < 23 && y + dy >= 0 && y + dy < 17) window.push_back(in(x + dx, y + dy));
          std::ranges::sort(window, [&](const Rgba8& a, const Rgba8& b) { return key(a) < key(b); });
          const Rgba8 expected = std::string(operation) == "erode" ? window.front() : window.back();
          ASSERT_EQ((std::tuple{out(x, y).r, out(x, y).g, out(x, y).b}),
                    (std::tuple{expected.r, expected.g, expected.b}))
              << order << " " << operation << " " << x << " " << y;
          ASSERT_EQ(out(x, y).a, in(x, y).a);
        }
    }
}

/// Red, green and blue are as light and as saturated as each other, and their hues are 0, 120 and 240 degrees. By
/// luminance blue is the darkest and green the brightest. Each channel by itself makes black and white of them.
TEST(MorphologyVectors, TheOrderDecidesBetweenPrimaries) {
  HostArray input(Shape::image(Element::u8, 4, 3, 1));
  const auto in = input.image<Rgba8>();
  in(0, 0) = {255, 0, 0, 9};
  in(1, 0) = {0, 255, 0, 9};
  in(2, 0) = {0, 0, 255, 9};
  const auto middle = [&](const char* operation, const char* order) {
    return run(input, {{"operation", operation}, {"order", order}}).image<Rgba8>()(1, 0);
  };
  EXPECT_EQ(middle("erode", "hsl"), (Rgba8{255, 0, 0, 9}));
  EXPECT_EQ(middle("dilate", "hsl"), (Rgba8{0, 0, 255, 9}));
  EXPECT_EQ(middle("erode", "luminance"), (Rgba8{0, 0, 255, 9}));
  EXPECT_EQ(middle("dilate", "luminance"), (Rgba8{0, 255, 0, 9}));
  EXPECT_EQ(middle("erode", "marginal"), (Rgba8{0, 0, 0, 9}));
  EXPECT_EQ(middle("dilate", "marginal"), (Rgba8{255, 255, 255, 9}));
}

/// An opening is idempotent and below the picture, and a closing above it, in any total order.
TEST(MorphologyVectors, OpeningsAreOpenings) {
  const HostArray input = colours(31, 29, 6);
  for (const char* order : {"luminance", "hsl"}) {
    const Settings opening{{"operation", "open"}, {"order", order}, {"shape", "cross"}, {"size", "5"}};
    const HostArray once = run(input, opening);
    EXPECT_FALSE(compare(once.view(), run(once, opening).view(), Tolerance::exact())) << order;
    const auto key = std::string(order) == "hsl" ? &hsl_key : &luminance_key;
    int lower = 0;
    for (int y = 0; y < 29; ++y)
      for (int x = 0; x < 31; ++x) {
        const Key before = key(input.image<Rgba8>()(x, y)), after = key(once.image<Rgba8>()(x, y));
        EXPECT_LE(after, before);
        lower += after < before ? 1 : 0;
      }
    EXPECT_GT(lower, 100);
  }
}

TEST(MorphologyVectors, AllVariantsGiveTheSameAndGreysHaveOneOrder) {
  for (const Element element : {Element::u8, Element::u16, Element::f32}) {
    HostArray input(Shape::image(element, 4, 37, 21));
    std::mt19937 random(8);
    for (int y = 0; y < 21; ++y)
      for (int i = 0; i < 37 * 4; ++i) {
        if (element == Element::u8)
          input.image<Rgba8>().row(y)[i / 4] = {static_cast<std::uint8_t>(random()),
                                                static_cast<std::uint8_t>(random() % 3),
                                                static_cast<std::uint8_t>(random()), 255};
        else if (element == Element::u16)
          reinterpret_cast<std::uint16_t*>(input.data() + static_cast<std::size_t>(y) * input.pitch())[i] =
              static_cast<std::uint16_t>(random() % 5 * 13107);
        else
          reinterpret_cast<float*>(input.data() + static_cast<std::size_t>(y) * input.pitch())[i] =
              i % 29 == 0 ? std::numeric_limits<float>::quiet_NaN()
                          : static_cast<float>(random() % 1000) / 500.0f - 0.5f;
      }
    for (const char* operation : {"open", "close", "gradient", "tophat", "blackhat"}) {
      const Settings settings{{"operation", operation}, {"order", "hsl"},    {"shape", "ellipse"}, {"size", "4"},
                              {"iterations", "2"},      {"border", "mirror"}};
      const HostArray expected = run(input, settings);
      for (int variant = 0;
           variant < static_cast<int>(find_algorithm("morphology").variants_of(Backend::openmp).size()); ++variant)
        EXPECT_FALSE(
            compare(expected.view(), run(input, settings, Backend::openmp, variant).view(), Tolerance::exact()))
            << operation << " " << variant;
    }
  }
  HostArray grey(Shape::image(Element::u8, 1, 9, 9));
  for (int y = 0; y < 9; ++y)
    for (int x = 0; x < 9; ++x)
      grey.image<std::uint8_t>()(x, y) = static_cast<std::uint8_t>(x * 50 + y * 31);
  EXPECT_FALSE(compare(run(grey, {}).view(), run(grey, {{"order", "luminance"}}).view(), Tolerance::exact()));
}

TEST(MorphologyVectors, RefuseWhatColoursHaveNot) {
  ParamBox params = find_algorithm("morphology").defaults();
  params.assign("order", "hsl");
  EXPECT_EQ(params.problem(), "");
  params.assign("flat", "false");
  EXPECT_NE(params.problem().find("flat"), std::string::npos);
  params.assign("flat", "true");
  for (const char* operation : {"hitmiss", "open_reconstruct"}) {
    params.assign("operation", operation);
    EXPECT_NE(params.problem(), "") << operation;
  }
}

}  // namespace
}  // namespace vectors_testing
}  // namespace threadscape

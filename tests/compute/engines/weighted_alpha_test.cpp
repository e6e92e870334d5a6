// Tests of means that count pixels by their alpha: colours that nobody sees do not bleed, and a single colour stays
// what it is whatever its alpha.

#include "compute/engines/alpha/weighted_alpha.h"

#include <gtest/gtest.h>

#include <string>

#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape {
namespace {

HostArray run(const AlgorithmInfo& algorithm, const HostArray& in, Backend backend, const std::string& border,
              const std::string& preset = "gaussian") {
  ParamBox params = algorithm.defaults();
  params.assign("alpha", "weighted");
  params.assign("border", border);
  if (algorithm.name == "convolution") params.assign("preset", preset);
  const RunRequest request{.algorithm = &algorithm, .params = params, .backend = backend, .threads = 2, .seed = 1};
  return Runner().run(request, in.view()).output;
}

/// A picture whose visible pixels have this colour, with alpha of all kinds, and whose hidden ones are green.
template <class Value>
HostArray one_colour(Element element, RgbaOf<Value> colour, Value full) {
  HostArray picture(Shape::image(element, 4, 23, 17));
  const auto pixels = picture.image<RgbaOf<Value>>();
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      const int part = (3 * x + 5 * y) % 5;
      colour.a = static_cast<Value>(full * static_cast<Value>(part) / 4);
      pixels(x, y) = part == 0 ? RgbaOf<Value>{0, full, 0, 0} : colour;
    }
  return picture;
}

template <class Value>
void expect_one_colour(Element element, RgbaOf<Value> colour, Value full, double tolerance) {
  const HostArray in = one_colour<Value>(element, colour, full);
  for (const char* name : {"mean", "weighted_mean", "gaussian", "bilateral", "convolution"})
    for (const char* border : {"mirror", "zero", "shrink"})
      for (const Backend backend : {Backend::serial, Backend::openmp}) {
        const std::string_view filter = name, outside = border;
        if (filter == "bilateral" && outside == "shrink") continue;
        // Zeros outside of the picture are black to a mask. A pixel that is hidden itself keeps to its own colour.
        const bool own_colour = filter == "bilateral" || filter == "convolution";
        const int margin = filter == "convolution" && outside == "zero" ? 2 : 1;
        SCOPED_TRACE(std::string(name) + " " + border);
        const HostArray out = run(find_algorithm(name), in, backend, border);
        ASSERT_EQ(out.shape(), in.shape());
        const auto from = in.image<RgbaOf<Value>>(), pixels = out.image<RgbaOf<Value>>();
        for (int y = margin; y < 17 - margin; ++y)
          for (int x = margin; x < 23 - margin; ++x) {
            if (own_colour && from(x, y).a == Value{0}) continue;
            EXPECT_NEAR(pixels(x, y).r, colour.r, tolerance);
            EXPECT_NEAR(pixels(x, y).g, colour.g, tolerance);
            EXPECT_NEAR(pixels(x, y).b, colour.b, tolerance);
            EXPECT_EQ(pixels(x, y).a, from(x, y).a);
          }
      }
}

TEST(WeightedAlpha, HiddenColoursDoNotBleed) {
  expect_one_colour<std::uint8_t>(Element::u8, {200, 17, 3, 0}, 255, 0);
  expect_one_colour<std::uint16_t>(Element::u16, {60000, 17, 65535, 0}, 65535, 0.5);
  expect_one_colour<float>(Element::f32, {0.25f, 17.0f, -3.0f, 0.0f}, 1.0f, 1e-5);
}

TEST(WeightedAlpha, IsTheMeanOfVisibleColours) {
  HostArray in(Shape::image(Element::u8, 4, 3, 3));
  const auto pixels = in.image<Rgba8>();
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 3; ++x)
      pixels(x, y) = {255, 255, 255, 0};
  pixels(0, 0) = {100, 0, 0, 255};
  pixels(2, 2) = {200, 0, 40, 51};
  // (255 * 100 + 51 * 200) / 306 and 51 * 40 / 306
  const HostArray out = run(find_algorithm("mean"), in, Backend::serial, "shrink");
  EXPECT_EQ(out.image<Rgba8>()(1, 1), (Rgba8{117, 0, 7, 0}));
  // Nothing of the window of this pixel is visible.
  EXPECT_EQ(out.image<Rgba8>()(2, 0), (Rgba8{0, 0, 0, 0}));
}

TEST(WeightedAlpha, MasksTakeThePixelInTheMiddleForWhatIsHidden) {
  HostArray in(Shape::image(Element::u8, 4, 3, 1));
  const auto pixels = in.image<Rgba8>();
  pixels(0, 0) = {250, 0, 90, 0};
  pixels(1, 0) = {100, 40, 10, 255};
  pixels(2, 0) = {120, 40, 0, 51};
  // A fifth of the right neighbour counts: 5 * 100 - 100 - 100 - 100 - (120 + 4 * 100) / 5, and so on.
  const HostArray out = run(find_algorithm("convolution"), in, Backend::serial, "mirror", "sharpen");
  EXPECT_EQ(out.image<Rgba8>()(1, 0), (Rgba8{96, 40, 12, 255}));
}

TEST(WeightedAlpha, BackendsAgreeToTheBit) {
  const HostArray in = one_colour<float>(Element::f32, {0.3f, 0.7f, 0.9f, 0.0f}, 1.0f);
  for (const char* name : {"mean", "weighted_mean", "gaussian", "bilateral", "convolution"}) {
    const HostArray serial = run(find_algorithm(name), in, Backend::serial, "mirror");
    const HostArray openmp = run(find_algorithm(name), in, Backend::openmp, "mirror");
    for (int y = 0; y < 17; ++y)
      for (int x = 0; x < 23; ++x)
        EXPECT_EQ(serial.image<Rgba32f>()(x, y), openmp.image<Rgba32f>()(x, y)) << name;
  }
}

}  // namespace
}  // namespace threadscape

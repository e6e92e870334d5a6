// Tests of the image pass against computed pixels, without reference pictures.

#include "render/passes/image_pass.h"

#include <algorithm>
#include <cmath>

#include "render/capture.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using render::ColourMap;
using render::ImageViewSettings;
using render::Magnify;
using render::ViewMode;
using testing::random_picture;
using testing::texture_of;

class ImagePassTest : public testing::GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (!IsSkipped()) pass_ = std::make_unique<render::ImagePass>(library_);
  }

  HostArray draw(const gl::Texture& a, const gl::Texture* b, const ImageViewSettings& settings, int width, int height) {
    const gl::Framebuffer frame(width, height);
    frame.clear({0.3f, 0.3f, 0.3f, 0.3f});
    frame.bind();
    pass_->draw(a, b, settings, width, height);
    return render::capture(frame);
  }
  /// Settings that show one image pixel per view pixel, with the whole of `a` in view.
  static ImageViewSettings one_to_one(const gl::Texture& a) {
    ImageViewSettings settings;
    settings.centre = glm::vec2(a.width(), a.height()) * 0.5f;
    return settings;
  }
  static HostArray random_rgba(int width, int height, unsigned seed) {
    return random_picture(gl::Format::rgba8, width, height, seed);
  }

  gl::ShaderLibrary library_;
  std::unique_ptr<render::ImagePass> pass_;
};

Rgba8 opaque(Rgba8 pixel) {
  return {pixel.r, pixel.g, pixel.b, 255};
}

/// Prints Rgba8 readably; GTest would print its bytes.
void expect_pixel(const ImageView<const Rgba8>& drawn, int x, int y, Rgba8 wanted, int tolerance = 0) {
  const Rgba8 got = drawn(x, y);
  const bool good = std::abs(got.r - wanted.r) <= tolerance && std::abs(got.g - wanted.g) <= tolerance &&
                    std::abs(got.b - wanted.b) <= tolerance && got.a == wanted.a;
  EXPECT_TRUE(good) << "pixel " << x << "," << y << " is " << int(got.r) << " " << int(got.g) << " " << int(got.b)
                    << " " << int(got.a) << ", not " << int(wanted.r) << " " << int(wanted.g) << " " << int(wanted.b);
}

TEST_F(ImagePassTest, OneToOneIsThePictureByteForByte) {
  for (const auto& [width, height] : {std::pair{64, 64}, {101, 37}, {1, 1}}) {
    const HostArray picture = random_rgba(width, height, 1);
    const gl::Texture texture = texture_of(picture.view());
    const HostArray drawn = draw(texture, nullptr, one_to_one(texture), width, height);
    for (int y = 0; y < height; ++y)
      for (int x = 0; x < width; ++x)
        expect_pixel(drawn.image<Rgba8>(), x, y, opaque(picture.image<Rgba8>()(x, y)));
  }
}

TEST_F(ImagePassTest, OddPictureInAnEvenViewStaysExact) {
  const HostArray picture = random_rgba(31, 31, 2);
  const gl::Texture texture = texture_of(picture.view());
  const ImageViewSettings settings = one_to_one(texture);  // the centre lies on half a pixel
  const HostArray drawn = draw(texture, nullptr, settings, 40, 40);
  const auto pixels = drawn.image<Rgba8>();
  for (int y = 0; y < 40; ++y)
    for (int x = 0; x < 40; ++x) {
      const glm::vec2 at = render::view_to_image(settings, {40, 40}, {x + 0.5f, y + 0.5f});
      const int column = static_cast<int>(std::floor(at.x)), row = static_cast<int>(std::floor(at.y));
      const bool inside = column >= 0 && row >= 0 && column < 31 && row < 31;
      expect_pixel(pixels, x, y, inside ? opaque(picture.image<Rgba8>()(column, row)) : Rgba8{26, 26, 28, 255},
                   inside ? 0 : 1);
    }
}

TEST_F(ImagePassTest, WholeZoomsRepeatPixels) {
  for (const int zoom : {2, 3, 7, 16}) {
    SCOPED_TRACE(zoom);
    const HostArray picture = random_rgba(13, 9, 3);
    const gl::Texture texture = texture_of(picture.view());
    ImageViewSettings settings = one_to_one(texture);
    settings.zoom = static_cast<float>(zoom);
    const HostArray drawn = draw(texture, nullptr, settings, 13 * zoom, 9 * zoom);
    for (int y = 0; y < 9 * zoom; ++y)
      for (int x = 0; x < 13 * zoom; ++x)
        expect_pixel(drawn.image<Rgba8>(), x, y, opaque(picture.image<Rgba8>()(x / zoom, y / zoom)));
  }
}

TEST_F(ImagePassTest, FractionalZoomBlendsOnlyEdges) {
  HostArray picture(Shape::image(Element::u8, 1, 40, 1));
  for (int x = 0; x < 40; ++x)
    picture.image<std::uint8_t>()(x, 0) = x % 2 ? 255 : 0;
  const gl::Texture texture = texture_of(picture.view());
  ImageViewSettings settings = one_to_one(texture);
  settings.zoom = 2.5f;
  const HostArray drawn = draw(texture, nullptr, settings, 100, 1);
  for (int x = 0; x < 100; ++x) {  // mean of the stripes under x..x+1, each 2.5 wide
    double light = 0.0;
    for (int i = 0; i < 40; i += 1)
      if (i % 2) light += std::max(0.0, std::min(x + 1.0, 2.5 * (i + 1)) - std::max<double>(x, 2.5 * i));
    const auto value = static_cast<std::uint8_t>(std::lround(light * 255.0));
    expect_pixel(drawn.image<Rgba8>(), x, 0, {value, value, value, 255}, 2);
  }
}

TEST_F(ImagePassTest, MinifiedCheckerboardIsMidGrey) {
  HostArray picture(Shape::image(Element::u8, 1, 2048, 2048));
  for (int y = 0; y < 2048; ++y)
    for (int x = 0; x < 2048; ++x)
      picture.image<std::uint8_t>()(x, y) = (x + y) % 2 ? 255 : 0;
  const gl::Texture texture = texture_of(picture.view());
  for (const int factor : {2, 4, 8, 16, 32, 64}) {
    SCOPED_TRACE(factor);
    ImageViewSettings settings = one_to_one(texture);
    settings.zoom = 1.0f / static_cast<float>(factor);
    const int side = 2048 / factor;
    const HostArray drawn = draw(texture, nullptr, settings, side, side);
    for (int y = 0; y < side; ++y)
      for (int x = 0; x < side; ++x)
        ASSERT_NEAR(drawn.image<Rgba8>()(x, y).g, 127.5, 1.0) << x << "," << y;
  }
}

TEST_F(ImagePassTest, MinifiedPictureIsTheMeanOfItsAreas) {
  const HostArray picture = random_picture(gl::Format::r8, 95, 65, 4);
  const gl::Texture texture = texture_of(picture.view());
  ImageViewSettings settings = one_to_one(texture);
  settings.zoom = 0.2f;
  const HostArray drawn = draw(texture, nullptr, settings, 19, 13);
  for (int y = 0; y < 13; ++y)
    for (int x = 0; x < 19; ++x) {
      const glm::vec2 corner = render::view_to_image(settings, {19, 13}, {x, y});
      ASSERT_NEAR(corner.x, 5.0f * static_cast<float>(x), 1e-3);
      int sum = 0;
      for (int j = 0; j < 5; ++j)
        for (int i = 0; i < 5; ++i)
          sum += picture.image<std::uint8_t>()(5 * x + i, 5 * y + j);
      EXPECT_NEAR(drawn.image<Rgba8>()(x, y).r, sum / 25.0, 1.0) << x << "," << y;
    }
}

TEST_F(ImagePassTest, SplitShowsEachPictureOnItsSide) {
  const HostArray first = random_rgba(80, 20, 5), second = random_rgba(80, 20, 6);
  const gl::Texture a = texture_of(first.view()), b = texture_of(second.view());
  ImageViewSettings settings = one_to_one(a);
  settings.mode = ViewMode::split;
  settings.split = 0.25f;
  const HostArray drawn = draw(a, &b, settings, 80, 20);
  const auto pixels = drawn.image<Rgba8>();
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 80; ++x) {
      if (std::abs(x - 20) <= 1) continue;  // the divider
      expect_pixel(pixels, x, y, opaque((x < 20 ? first : second).image<Rgba8>()(x, y)));
    }
  expect_pixel(pixels, 20, 10, {255, 255, 255, 255});
  // With the divider at a side only one picture is visible, and no divider is drawn.
  settings.split = 0.0f;
  expect_pixel(draw(a, &b, settings, 80, 20).image<Rgba8>(), 0, 3, opaque(second.image<Rgba8>()(0, 3)));
  settings.split = 1.0f;
  expect_pixel(draw(a, &b, settings, 80, 20).image<Rgba8>(), 79, 3, opaque(first.image<Rgba8>()(79, 3)));
}

TEST_F(ImagePassTest, SideBySideShowsTheSameDetailTwice) {
  const HostArray first = random_rgba(40, 20, 7), second = random_rgba(40, 20, 8);
  const gl::Texture a = texture_of(first.view()), b = texture_of(second.view());
  ImageViewSettings settings = one_to_one(a);
  settings.mode = ViewMode::side_by_side;
  const HostArray drawn = draw(a, &b, settings, 80, 20);
  for (int y = 0; y < 20; ++y)
    for (int x = 0; x < 80; ++x) {
      if (std::abs(x - 40) <= 1) continue;
      expect_pixel(drawn.image<Rgba8>(), x, y, opaque((x < 40 ? first : second).image<Rgba8>()(x % 40, y)));
      const glm::vec2 at = render::view_to_image(settings, {80, 20}, {x + 0.5f, y + 0.5f});
      EXPECT_EQ(static_cast<int>(at.x), x % 40);
    }
}

TEST_F(ImagePassTest, DifferenceIsScaledByTheGainAndEqualPixelsAreBlack) {
  HostArray first = random_rgba(32, 32, 9), second = first.clone();
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x) {
      auto& pixel = first.image<Rgba8>()(x, y);
      pixel = {100, 100, 100, 255};
      second.image<Rgba8>()(x, y) = {static_cast<std::uint8_t>(100 + x), 100, static_cast<std::uint8_t>(100 - y), 255};
    }
  const gl::Texture a = texture_of(first.view()), b = texture_of(second.view());
  ImageViewSettings settings = one_to_one(a);
  settings.mode = ViewMode::difference;
  settings.difference_gain = 4.0f;
  settings.difference_map = ColourMap::none;
  HostArray drawn = draw(a, &b, settings, 32, 32);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x)
      expect_pixel(drawn.image<Rgba8>(), x, y,
                   {static_cast<std::uint8_t>(4 * x), 0, static_cast<std::uint8_t>(4 * y), 255});

  settings.difference_map = ColourMap::grey;
  drawn = draw(a, &b, settings, 32, 32);
  for (int i = 0; i < 32; ++i) {
    const auto value = static_cast<std::uint8_t>(4 * i);
    expect_pixel(drawn.image<Rgba8>(), i, 0, {value, value, value, 255});
  }
  settings.difference_map = ColourMap::magma;
  expect_pixel(draw(a, &b, settings, 32, 32).image<Rgba8>(), 0, 0, {0, 0, 0, 255});
}

TEST_F(ImagePassTest, OneWrongPixelSurvivesMinification) {
  HostArray first = random_rgba(512, 512, 10), second = first.clone();
  second.image<Rgba8>()(301, 77).g ^= 0x80;
  const gl::Texture a = texture_of(first.view()), b = texture_of(second.view());
  ImageViewSettings settings = one_to_one(a);
  settings.mode = ViewMode::difference;
  settings.difference_map = ColourMap::grey;
  settings.zoom = 1.0f / 16.0f;
  const HostArray drawn = draw(a, &b, settings, 32, 32);
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x)
      EXPECT_EQ(drawn.image<Rgba8>()(x, y).g, x == 301 / 16 && y == 77 / 16 ? 128 : 0) << x << "," << y;
}

TEST_F(ImagePassTest, ToneAndColourMapsAreAppliedToTheRawValues) {
  HostArray picture(Shape::image(Element::f32, 1, 256, 1));
  for (int x = 0; x < 256; ++x)
    picture.image<float>()(x, 0) = static_cast<float>(x) / 255.0f;
  const gl::Texture texture = texture_of(picture.view());
  ImageViewSettings settings = one_to_one(texture);
  settings.exposure = -1.0f;
  settings.offset = 0.1f;
  settings.gamma = 2.2f;
  HostArray drawn = draw(texture, nullptr, settings, 256, 1);
  for (int x = 0; x < 256; ++x) {
    const double wanted = std::pow(x / 255.0 * 0.5 + 0.1, 1.0 / 2.2) * 255.0;
    EXPECT_NEAR(drawn.image<Rgba8>()(x, 0).r, wanted, 1.0) << x;
  }

  // The expected colours are both ends and the middle of the published maps.
  struct Known {
    ColourMap map;
    Rgba8 low, middle, high;
  };
  const Known known[] = {
      {ColourMap::grey, {0, 0, 0, 255}, {128, 128, 128, 255}, {255, 255, 255, 255}},
      {ColourMap::viridis, {68, 1, 84, 255}, {33, 145, 140, 255}, {253, 231, 37, 255}},
      {ColourMap::magma, {0, 0, 4, 255}, {183, 55, 121, 255}, {252, 253, 191, 255}},
      {ColourMap::turbo, {48, 18, 59, 255}, {164, 252, 60, 255}, {122, 4, 3, 255}},
      {ColourMap::coolwarm, {59, 76, 192, 255}, {221, 221, 221, 255}, {180, 4, 38, 255}},
  };
  settings = one_to_one(texture);
  for (const Known& entry : known) {
    SCOPED_TRACE(render::colour_map_names[static_cast<std::size_t>(entry.map)]);
    settings.colour_map = entry.map;
    drawn = draw(texture, nullptr, settings, 256, 1);
    expect_pixel(drawn.image<Rgba8>(), 0, 0, entry.low, 2);
    expect_pixel(drawn.image<Rgba8>(), 128, 0, entry.middle, 3);
    expect_pixel(drawn.image<Rgba8>(), 255, 0, entry.high, 2);
  }
}

TEST_F(ImagePassTest, NanIsMagentaAndInfinityIsWhite) {
  HostArray picture(Shape::image(Element::f32, 1, 3, 1));
  auto row = picture.image<float>();
  row(0, 0) = std::nanf("");
  row(1, 0) = INFINITY;
  row(2, 0) = -INFINITY;
  const gl::Texture texture = texture_of(picture.view());
  const HostArray drawn = draw(texture, nullptr, one_to_one(texture), 3, 1);
  expect_pixel(drawn.image<Rgba8>(), 0, 0, {255, 0, 255, 255});
  expect_pixel(drawn.image<Rgba8>(), 1, 0, {255, 255, 255, 255});
  expect_pixel(drawn.image<Rgba8>(), 2, 0, {0, 0, 0, 255});
}

TEST_F(ImagePassTest, TheAlphaCheckerShowsThrough) {
  HostArray picture(Shape::image(Element::u8, 4, 32, 32));
  for (int y = 0; y < 32; ++y)
    for (int x = 0; x < 32; ++x)
      picture.image<Rgba8>()(x, y) = {200, 0, 0, static_cast<std::uint8_t>(y < 16 ? 0 : 255)};
  const gl::Texture texture = texture_of(picture.view());
  ImageViewSettings settings = one_to_one(texture);
  settings.show_alpha_checker = true;
  const HostArray drawn = draw(texture, nullptr, settings, 32, 32);
  const auto pixels = drawn.image<Rgba8>();
  EXPECT_EQ(pixels(0, 0).r, pixels(0, 0).g);
  EXPECT_NE(pixels(0, 0).r, pixels(8, 0).r);
  EXPECT_EQ(pixels(0, 0).r, pixels(8, 8).r);
  expect_pixel(pixels, 5, 20, {200, 0, 0, 255});
}

TEST_F(ImagePassTest, ThePixelGridAppearsFromItsZoomOn) {
  const HostArray picture = random_rgba(4, 4, 11);
  const gl::Texture texture = texture_of(picture.view());
  ImageViewSettings settings = one_to_one(texture);
  settings.pixel_grid = true;
  for (const int zoom : {4, 8}) {
    settings.zoom = static_cast<float>(zoom);
    const HostArray drawn = draw(texture, nullptr, settings, 4 * zoom, 4 * zoom);
    int changed = 0;
    for (int y = 0; y < 4 * zoom; ++y)
      for (int x = 0; x < 4 * zoom; ++x)
        if (!(drawn.image<Rgba8>()(x, y) == opaque(picture.image<Rgba8>()(x / zoom, y / zoom)))) {
          ++changed;
          EXPECT_TRUE(x % zoom == 0 || y % zoom == 0);
        }
    EXPECT_EQ(changed > 0, zoom >= 8);
  }
}

TEST_F(ImagePassTest, SmoothMagnificationInterpolates) {
  HostArray picture(Shape::image(Element::f32, 1, 2, 1));
  picture.image<float>()(0, 0) = 0.0f;
  picture.image<float>()(1, 0) = 1.0f;
  const gl::Texture texture = texture_of(picture.view());
  ImageViewSettings settings = one_to_one(texture);
  settings.zoom = 64.0f;
  settings.filter = Magnify::smooth;
  const HostArray drawn = draw(texture, nullptr, settings, 128, 64);
  for (int x = 0; x < 128; ++x) {
    const double wanted = std::clamp((x + 0.5) / 64.0 - 0.5, 0.0, 1.0) * 255.0;
    EXPECT_NEAR(drawn.image<Rgba8>()(x, 32).r, wanted, 2.0) << x;
  }
}

TEST(ImageViewTest, FitShowsTheWholePictureInTheMiddle) {
  ImageViewSettings settings;
  render::fit(settings, {1000, 500}, {400, 400});
  EXPECT_FLOAT_EQ(settings.zoom, 1.25f);
  EXPECT_EQ(render::image_to_view(settings, {1000, 500}, {0.0f, 0.0f}), glm::vec2(250.0f, 0.0f));
  EXPECT_EQ(render::image_to_view(settings, {1000, 500}, {400.0f, 400.0f}), glm::vec2(750.0f, 500.0f));
  settings.mode = ViewMode::side_by_side;
  render::fit(settings, {1000, 500}, {400, 400});
  EXPECT_FLOAT_EQ(settings.zoom, 1.25f);
  EXPECT_EQ(render::view_to_image(settings, {1000, 500}, {500.0f, 0.0f}), glm::vec2(0.0f, 0.0f));
}

TEST(ImageViewTest, ZoomingKeepsThePointUnderTheCursor) {
  ImageViewSettings settings;
  settings.centre = {200.0f, 100.0f};
  const glm::ivec2 view(800, 600);
  const glm::vec2 cursor(123.0f, 456.0f);
  for (const float zoom : {2.0f, 5.5f, 30.0f, 0.25f, 1.0f}) {
    const glm::vec2 before = render::view_to_image(settings, view, cursor);
    render::zoom_about(settings, view, cursor, zoom);
    const glm::vec2 after = render::view_to_image(settings, view, cursor);
    EXPECT_NEAR(before.x, after.x, 0.51f / zoom);  // the corner snaps to whole view pixels
    EXPECT_NEAR(before.y, after.y, 0.51f / zoom);
  }
  render::zoom_about(settings, view, cursor, 1e9f);
  EXPECT_EQ(settings.zoom, ImageViewSettings::max_zoom);
}

}  // namespace
}  // namespace threadscape

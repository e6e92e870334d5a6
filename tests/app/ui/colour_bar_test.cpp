// Tests of colour bars: their marks, what they draw, and that the colours of terrains are those of the shader.

#include "app/ui/colour_bar.h"

#include <gtest/gtest.h>

#include <cmath>
#include <utility>

#include "app/scenes/terrain/terrain_bar.h"
#include "app/ui/axis_ticks.h"
#include "app/ui/ui_context.h"
#include "render/capture.h"
#include "render/passes/terrain_pass.h"
#include "tests/support/app/app_testing.h"
#include "tests/support/app/image_desk.h"
#include "tests/support/render/terrain_testing.h"

namespace threadscape::app {
namespace {

std::vector<std::string> texts_of(double low, double high, int most) {
  std::vector<std::string> texts;
  for (const BarMark& mark : marks_of({"", low, high, {}}, most))
    texts.push_back(mark.text);
  return texts;
}

TEST(ColourBarTest, RoundNumbersAreMarkedWithTheDecimalsThatTheyNeed) {
  using Texts = std::vector<std::string>;
  EXPECT_EQ(texts_of(0.0, 255.0, 6), (Texts{"0", "50", "100", "150", "200", "250"}));
  EXPECT_EQ(texts_of(-0.2, 0.2, 5), (Texts{"-0.2", "-0.1", "0.0", "0.1", "0.2"}));
  EXPECT_EQ(texts_of(1000.25, 1000.75, 3), (Texts{"1000.4", "1000.6"}));
  EXPECT_EQ(texts_of(0.0, 2e-7, 2), (Texts{"0", "2e-07"}));
}

TEST(ColourBarTest, ABarMayDescendAndMayHaveMarksOfItsOwn) {
  const std::vector<BarMark> marks = marks_of({"seam", 40.0, 0.0, {}}, 5);
  ASSERT_EQ(marks.size(), 5u);
  EXPECT_EQ(marks.back(), (BarMark{40.0, "40"}));
  EXPECT_EQ(marks_of({"", 0, 1, {{0.5, "half"}}}, 9), (std::vector<BarMark>{{0.5, "half"}}));
}

TEST(ColourBarTest, CountsAreMarkedAtWholeNumbers) {
  for (const double most : {1.0, 2.0, 3.0, 7.0}) {
    const std::vector<BarMark> marks = marks_of({"", 0.0, most, {}, true}, 12);
    ASSERT_GE(marks.size(), 2u);
    for (const BarMark& mark : marks)
      EXPECT_EQ(mark.text.find('.'), std::string::npos) << mark.text;
  }
}

TEST(ColourBarTest, LinearTicksStayInTheirRange) {
  EXPECT_EQ(linear_ticks(0.0, 10.0, 6), (std::vector<double>{0, 2, 4, 6, 8, 10}));
  EXPECT_FALSE(std::signbit(linear_ticks(0.0, 10.0, 6).front()));
  EXPECT_LE(linear_ticks(-3.7, 1e6, 4).size(), 4u);
  EXPECT_TRUE(linear_ticks(1.0, 1.0, 4).empty());
  EXPECT_TRUE(linear_ticks(2.0, std::nan(""), 4).empty());
}

class BarPictureTest : public ImageSceneTest {
 protected:
  /// Draws a bar over black, and returns the picture; nothing if there was no room.
  std::optional<HostArray> drawn(int width, int height, const BarFill& fill, BarSide side) {
    gl::Framebuffer target(width, height);
    target.clear({0, 0, 0, 1});
    (void)platform_->poll(false);
    ui_->begin_frame();
    ViewCanvas canvas(target);
    const bool there = draw_colour_bar(canvas, {"value", 0.0, 8.0, {}}, fill, side);
    canvas.finish();
    ui_->drop_frame();
    return there ? std::optional(render::capture(target)) : std::nullopt;
  }
};

TEST_F(BarPictureTest, TheFirstColourIsAtTheBottom) {
  if (!platform_) return;
  const auto fill = fill_from_colours({IM_COL32(255, 0, 0, 255), IM_COL32(0, 0, 255, 255)});
  for (const BarSide side : {BarSide::left, BarSide::right}) {
    const auto picture = drawn(480, 320, fill, side);
    ASSERT_TRUE(picture);
    int red = 0, blue = 0, reds = 0, blues = 0;
    for (int y = 0; y < 320; ++y)
      for (int x = side == BarSide::left ? 0 : 240; x < (side == BarSide::left ? 240 : 480); ++x) {
        const Rgba8 pixel = picture->image<Rgba8>()(x, y);
        if (pixel.r > 220 && pixel.b < 40) red += y, ++reds;
        if (pixel.b > 220 && pixel.r < 40) blue += y, ++blues;
      }
    ASSERT_GT(reds, 20);
    ASSERT_GT(blues, 20);
    EXPECT_GT(red / reds, blue / blues + 80);
  }
}

TEST_F(BarPictureTest, AViewThatIsTooSmallHasNone) {
  if (!platform_) return;
  const auto fill = fill_with_steps({IM_COL32(255, 0, 0, 255)});
  EXPECT_FALSE(drawn(100, 320, fill, BarSide::right));
  EXPECT_FALSE(drawn(480, 60, fill, BarSide::right));
}

TEST_F(BarPictureTest, FalseColoursOfPicturesHaveABarWhereItIsWanted) {
  if (!platform_) return;
  look("colour_map", "viridis");
  const HostArray plain = settled();  // Without a window there is no bar unless it is always wanted.
  look("colour_bars", "always");
  const int covered = differing(plain, settled());
  EXPECT_GT(covered, 1000);
  look("colour_bars", "never");
  EXPECT_EQ(differing(plain, settled()), 0);
  look("colour_map", "none");
  const HostArray grey = settled();
  look("colour_bars", "always");
  EXPECT_EQ(differing(grey, settled()), 0) << "a plain picture has a bar";
  look("auto_exposure", "true");
  const HostArray exposed = settled();
  look("colour_bars", "never");
  EXPECT_GT(differing(exposed, settled()), 1000);
}

TEST_F(BarPictureTest, TheBarShowsTheColoursOfItsMap) {
  if (!platform_) return;
  look("colour_map", "viridis");
  look("colour_bars", "always");
  const HostArray view = settled();
  // Dark violet is the first colour of the map, and yellow the last one.
  int violet = 0, yellow = 0;
  for (int y = 0; y < 320; ++y)
    for (int x = 380; x < 480; ++x) {
      const Rgba8 pixel = view.image<Rgba8>()(x, y);
      if (std::abs(pixel.r - 0x44) < 8 && pixel.g < 16 && std::abs(pixel.b - 0x54) < 10) violet = std::max(violet, y);
      if (pixel.r > 0xf0 && pixel.g > 0xdc && pixel.b < 0x40 && (yellow == 0 || y < yellow)) yellow = y;
    }
  EXPECT_GT(violet, yellow + 100);
}

TEST_F(BarPictureTest, SplitPicturesWithTheirOwnRangesHaveTwoBars) {
  if (!platform_) return;
  look("auto_exposure", "true");
  scene_->show(static_cast<int>(ImageShow::split));
  const HostArray without = settled();
  look("colour_bars", "always");
  const HostArray with = settled();
  int left = 0, right = 0;
  for (int y = 0; y < 320; ++y)
    for (int x = 0; x < 480; ++x)
      if (with.image<Rgba8>()(x, y) != without.image<Rgba8>()(x, y)) ++(x < 240 ? left : right);
  EXPECT_GT(left, 500);
  EXPECT_GT(right, 500);
}

/// Settings with which each pixel has the colour of its ground alone.
render::TerrainSettings colours_alone(render::Surface surface) {
  render::TerrainSettings s;
  s.light = render::Light::plain;
  s.surface = surface;
  s.shadows = s.walls = false;
  s.sea_level = s.fog = s.diffuse = s.specular = 0.0f;
  s.ambient = 1.0f;
  s.samples = 1;
  s.pixel_error = 0.0f;
  s.projection = render::Projection::orthographic;
  s.elevation = 89.0f;
  s.azimuth = 180.0f;  // The north is up.
  return s;
}

TEST_F(BarPictureTest, TheColoursOfATerrainsBarAreThoseOfItsGround) {
  if (!platform_) return;
  render::TerrainPass pass(shaders_);
  const auto colour_at = [&](const gl::Texture& heights, std::uint64_t version, render::Surface surface) {
    gl::Framebuffer target(200, 200);
    do
      pass.draw(heights, version, {}, colours_alone(surface), {0, 0, 0}, target);
    while (pass.unfinished());
    const Rgba8 pixel = render::capture(target).image<Rgba8>()(100, 100);
    return glm::vec3(pixel.r, pixel.g, pixel.b) / 255.0f;
  };
  const auto expect_near = [](const glm::vec3& a, const glm::vec3& b, const std::string& what) {
    for (int c = 0; c < 3; ++c)
      EXPECT_NEAR(a[c], b[c], 0.02f) << what << ", channel " << c;
  };
  std::uint64_t version = 0;
  for (const float height : {0.2f, 0.5f, 0.9f}) {
    // A flat field of this height, whose corners are 0 and 1.
    const gl::Texture field = threadscape::testing::heightmap(65, 65, [height](float x, float y) {
      return x < 0.02f && y < 0.02f ? 0.0f : x > 0.98f && y > 0.98f ? 1.0f : height;
    });
    expect_near(colour_at(field, ++version, render::Surface::hypsometric), hypsometric_colour(height, 0.0f),
                "height " + std::to_string(height));
  }
  // A plane that rises to the east by the whole relief slopes to the west.
  const gl::Texture plane = threadscape::testing::heightmap(65, 65, [](float x, float) { return x; });
  const float steep = std::atan(render::base_relief) / 1.5707963f;
  expect_near(colour_at(plane, ++version, render::Surface::slope), slope_colour(steep), "slope");
  const glm::vec3 west = colour_at(plane, version, render::Surface::aspect);
  // Gentle slopes fade to grey; at this one, less than half of the colour is left.
  const float part = std::min(3.0f * std::sin(std::atan(render::base_relief)), 1.0f);
  expect_near(west, glm::mix(glm::vec3(0.4f), aspect_colour(0.75f), part), "aspect");
  EXPECT_EQ(pass.tree().levels() > 1, true);
  expect_near(colour_at(plane, version, render::Surface::levels), level_colour(0), "level");
}

TEST(TerrainBarTest, ColoursThatAreNoNumbersHaveNoBar) {
  render::TerrainSettings settings;
  const TerrainValues values{10.0, 90.0, 4};
  for (const render::Surface surface : {render::Surface::natural, render::Surface::white, render::Surface::normals}) {
    settings.surface = surface;
    EXPECT_FALSE(terrain_bar(settings, values));
  }
  settings.surface = render::Surface::hypsometric;
  const auto heights = terrain_bar(settings, values);
  ASSERT_TRUE(heights);
  EXPECT_EQ(heights->bar.low, 10.0);
  EXPECT_EQ(heights->bar.high, 90.0);
  settings.surface = render::Surface::levels;
  EXPECT_EQ(terrain_bar(settings, values)->bar.marks.size(), 4u);
  settings.drape = "photo.png";
  EXPECT_FALSE(terrain_bar(settings, values));
}

}  // namespace
}  // namespace threadscape::app

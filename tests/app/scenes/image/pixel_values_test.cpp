// Tests of the numbers that are written into large pixels.

#include "app/scenes/image/pixel_values.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/app/image_desk.h"

namespace threadscape::app {
namespace {

TEST(PixelValuesTest, IntegersHaveAllDigitsAndFloatsSensibleOnes) {
  EXPECT_EQ(number_in_pixel(65535.0, false, 2), "65535");
  EXPECT_EQ(number_in_pixel(0.1234567, true, 4), "0.1235");
  EXPECT_EQ(number_in_pixel(-12.345, true, 3), "-12.3");
  EXPECT_EQ(number_in_pixel(-0.0, true, 3), "0");
  EXPECT_EQ(number_in_pixel(std::numeric_limits<double>::quiet_NaN(), true, 3), "NaN");
}

TEST(PixelValuesTest, OnlyVisiblePixelsAreRead) {
  render::ImageViewSettings settings;
  settings.zoom = 50.0f;
  settings.centre = {10.0f, 10.0f};
  // The view of 200 x 100 pixels shows 4 x 2 pixels of the picture.
  EXPECT_EQ(visible_pixels(settings, {200, 100}, {100, 100}, 128), (PixelRect{8, 9, 4, 2}));
  EXPECT_EQ(visible_pixels(settings, {200, 100}, {9, 100}, 128), (PixelRect{8, 9, 1, 2}));
  EXPECT_EQ(visible_pixels(settings, {200, 100}, {8, 100}, 128).width, 0);
  EXPECT_EQ(visible_pixels(settings, {200, 100}, {100, 100}, 2), (PixelRect{9, 9, 2, 2}));
  settings.mode = render::ViewMode::side_by_side;
  EXPECT_EQ(visible_pixels(settings, {200, 100}, {100, 100}, 128), (PixelRect{9, 9, 2, 2}));
}

TEST(PixelValuesTest, DifferencesAreThoseOfThePixelsThatAreKnownOfBoth) {
  const interop::ProbeResult a{0, 0, 3, 1, gl::Format::r8, {10, 20, 30}}, b{1, 0, 3, 1, gl::Format::r8, {25, 25, 0}};
  const auto far = difference_of(a, b);
  ASSERT_TRUE(far);
  EXPECT_EQ(far->x, 1);
  EXPECT_EQ(far->values, (std::vector<double>{5, 5}));
  EXPECT_FALSE(difference_of(a, {5, 5, 1, 1, gl::Format::r8, {1}}));
  EXPECT_FALSE(difference_of(a, {0, 0, 1, 1, gl::Format::r32f, {1}}));
}

using NumbersTest = ImageSceneTest;

TEST_F(NumbersTest, NumbersAppearWhenPixelsAreLargeEnough) {
  if (!platform_) return;
  for (const auto& [name, value] : {std::pair{"column", "48"}, {"row", "32"}})
    look(name, value);
  for (const auto& [zoom, wanted] : {std::pair{"20", false}, {"60", true}}) {
    look("zoom", zoom);
    look("numbers", "true");
    const HostArray with = settled();
    look("numbers", "false");
    const int changed = differing(with, settled());
    EXPECT_EQ(changed > 500, wanted) << zoom << ": " << changed;
  }
}

// A view that asked for values in one frame and shows smaller pixels in the next one, as while panels are being docked,
// must come to rest, too: a window that waits for an answer without taking it draws without end.
TEST_F(NumbersTest, ValuesThatAreNoLongerWantedDoNotKeepTheViewDrawing) {
  if (!platform_) return;
  for (const auto& [name, value] : {std::pair{"zoom", "60"}, {"column", "48"}, {"row", "32"}, {"numbers", "true"}})
    look(name, value);
  live_->finish(workspace_);
  frame();
  EXPECT_TRUE(scene_->animating());
  look("zoom", "20");
  int frames = 0;
  do {
    frame();
    glFinish();
  } while (scene_->animating() && ++frames < 100);
  EXPECT_LT(frames, 100);
}

TEST_F(NumbersTest, NumbersFollowTheResultAndAreThoseOfBothPictures) {
  if (!platform_) return;
  for (const auto& [name, value] : {std::pair{"zoom", "60"}, {"column", "48"}, {"row", "32"}})
    look(name, value);
  for (const ImageShow show : {ImageShow::result, ImageShow::split, ImageShow::side_by_side, ImageShow::difference}) {
    scene_->show(static_cast<int>(show));
    look("numbers", "true");
    const HostArray with = settled();
    look("numbers", "false");
    const HostArray without = settled();
    int left = 0, right = 0;
    for (int y = 0; y < 320; ++y)
      for (int x = 0; x < 480; ++x)
        if (with.image<Rgba8>()(x, y) != without.image<Rgba8>()(x, y)) ++(x < 240 ? left : right);
    EXPECT_GT(left, 200) << image_show_names[static_cast<std::size_t>(show)];
    EXPECT_GT(right, 200) << image_show_names[static_cast<std::size_t>(show)];
  }
}

TEST_F(NumbersTest, NumbersAreDarkOnLightPixelsAndLightOnDarkOnes) {
  if (!platform_) return;
  MapRamp ramp;
  render::ImagePass pass(shaders_);
  render::ImageViewSettings settings;
  const interop::ProbeResult grey{0, 0, 3, 1, gl::Format::r8, {0, 100, 250}};
  EXPECT_EQ(lights_of(grey, settings, ramp)[0], 0.0f);
  EXPECT_GT(lights_of(grey, settings, ramp)[2], 0.9f);
  settings.exposure = 1.0f;
  EXPECT_GT(lights_of(grey, settings, ramp)[1], 0.7f);
  // In this map the middle is light, and both ends are dark.
  settings.exposure = 0.0f;
  settings.colour_map = render::ColourMap::turbo;
  ramp.draw(pass, settings.colour_map, 1.0f);
  while (ramp.pending())
    ramp.update();
  const interop::ProbeResult ends{0, 0, 3, 1, gl::Format::r8, {0, 128, 255}};
  const std::vector<float> lights = lights_of(ends, settings, ramp);
  EXPECT_LT(lights[0], 0.3f);
  EXPECT_GT(lights[1], 0.6f);
  EXPECT_LT(lights[2], 0.3f);
}

}  // namespace
}  // namespace threadscape::app

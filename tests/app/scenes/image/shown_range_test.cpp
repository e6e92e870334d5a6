// Tests of automatic exposure: the range of values that is found, and what the view shows of it.

#include "app/scenes/image/shown_range.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "tests/support/app/image_desk.h"

namespace threadscape::app {
namespace {

HostArray grey(const std::vector<float>& values) {
  HostArray picture(Shape::image(Element::f32, 1, static_cast<std::int64_t>(values.size()), 1));
  for (std::size_t i = 0; i < values.size(); ++i)
    picture.image<float>()(static_cast<int>(i), 0) = values[i];
  return picture;
}

TEST(RobustRange, LeavesOutOneValueInAThousandAtEachEnd) {
  std::vector<float> values;
  for (int i = 0; i < 2000; ++i)
    values.push_back(static_cast<float>(i));
  values[5] = 1e6f;  // Two of 2000 values are left out at each end: these two at the upper end, 0 and 1 at the lower.
  values[6] = 2e6f;
  EXPECT_EQ(robust_range(grey(values).view(), false), (ValueRange{2.0, 1999.0}));
}

TEST(RobustRange, SmallPicturesHaveTheirMinimumAndMaximum) {
  EXPECT_EQ(robust_range(grey({-2.0f, 0.5f, 7.0f}).view(), false), (ValueRange{-2.0, 7.0}));
}

TEST(RobustRange, ValuesThatAreNoNumbersDoNotCount) {
  const float none = std::numeric_limits<float>::quiet_NaN(), far = std::numeric_limits<float>::infinity();
  EXPECT_EQ(robust_range(grey({none, 1.0f, far, 3.0f, -far}).view(), false), (ValueRange{1.0, 3.0}));
  EXPECT_FALSE(robust_range(grey({none, far}).view(), false));
}

TEST(RobustRange, EqualValuesHaveNoRangeButFewOthersAreEnough) {
  std::vector<float> values(5000, 4.0f);
  EXPECT_FALSE(robust_range(grey(values).view(), false));
  values[77] = 9.0f;  // Less than one in a thousand, but without it there would be no range.
  EXPECT_EQ(robust_range(grey(values).view(), false), (ValueRange{4.0, 9.0}));
}

TEST(RobustRange, ColoursCountWithoutTheirAlphaOrAsLuma) {
  HostArray picture(Shape::image(Element::u8, 4, 2, 1));
  picture.image<Rgba8>()(0, 0) = {10, 20, 30, 255};
  picture.image<Rgba8>()(1, 0) = {40, 50, 60, 0};
  EXPECT_EQ(robust_range(std::as_const(picture).view(), false), (ValueRange{10.0, 60.0}));
  const auto luma = robust_range(std::as_const(picture).view(), true);
  ASSERT_TRUE(luma);
  EXPECT_NEAR(luma->low, 0.299 * 10 + 0.587 * 20 + 0.114 * 30, 1e-3);
  EXPECT_NEAR(luma->high, 0.299 * 40 + 0.587 * 50 + 0.114 * 60, 1e-3);
}

TEST(RobustRange, LargePicturesAreSampled) {
  HostArray picture(Shape::image(Element::u16, 1, 4000, 2500));
  for (int y = 0; y < 2500; ++y)
    for (int x = 0; x < 4000; ++x)
      picture.image<std::uint16_t>()(x, y) = static_cast<std::uint16_t>(1000 + x);
  const auto range = robust_range(std::as_const(picture).view(), false);
  ASSERT_TRUE(range);
  EXPECT_NEAR(range->low, 1004.0, 4.0);
  EXPECT_NEAR(range->high, 4995.0, 4.0);
}

TEST(ToneOverRange, ShowsTheRangeFromBlackToWhiteBeforeTheChosenExposure) {
  render::ImageViewSettings settings;
  const auto shown = [&](double value) {
    const render::ImageTone tone = tone_over_range(settings, {20.0, 60.0}, 255.0);
    return value / 255.0 * std::exp2(static_cast<double>(tone.exposure)) + static_cast<double>(tone.offset);
  };
  EXPECT_NEAR(shown(20.0), 0.0, 1e-5);
  EXPECT_NEAR(shown(60.0), 1.0, 1e-5);
  settings.exposure = 1.0f;
  settings.offset = 0.25f;
  EXPECT_NEAR(shown(20.0), 0.25, 1e-5);
  EXPECT_NEAR(shown(40.0), 1.25, 1e-5);
}

class AutoExposureTest : public ImageSceneTest {
 protected:
  /// A picture of 96 x 64 pixels whose values are at most a fifth of white.
  static io::Loaded dark_photo() {
    io::Loaded photo = threadscape::testing::test_photo();
    for (int y = 0; y < 64; ++y)
      for (int x = 0; x < 96; ++x) {
        Rgba8& pixel = photo.pixels.image<Rgba8>()(x, y);
        for (std::uint8_t* value : {&pixel.r, &pixel.g, &pixel.b})
          *value = static_cast<std::uint8_t>(*value / 5);
      }
    return photo;
  }
  /// The largest and the smallest green of columns `from` to `to` of a view.
  static std::pair<int, int> span(const HostArray& view, int from, int to) {
    int low = 255, high = 0;
    for (int y = 40; y < 280; ++y)
      for (int x = from; x < to; ++x) {
        low = std::min(low, int{view.image<Rgba8>()(x, y).g});
        high = std::max(high, int{view.image<Rgba8>()(x, y).g});
      }
    return {low, high};
  }
};

TEST_F(AutoExposureTest, ADarkPictureFillsTheRangeFromBlackToWhite) {
  if (!platform_) return;
  workspace_.set_source("dark.png", dark_photo());
  scene_->show(static_cast<int>(ImageShow::input));
  EXPECT_LT(span(settled(), 100, 380).second, 60);
  look("auto_exposure", "true");
  const auto [low, high] = span(settled(), 100, 380);
  EXPECT_LT(low, 40);
  EXPECT_GT(high, 220);
  look("auto_exposure", "false");
  EXPECT_LT(span(settled(), 100, 380).second, 60);
}

TEST_F(AutoExposureTest, EachOfTwoPicturesHasItsOwnRange) {
  if (!platform_) return;
  workspace_.choose_algorithm(find_algorithm("laplacian_of_gaussian"));
  scene_->show(static_cast<int>(ImageShow::side_by_side));
  look("auto_exposure", "true");
  const HostArray view = settled();
  EXPECT_GT(span(view, 20, 220).second, 220);
  EXPECT_GT(span(view, 260, 460).second, 220);
}

TEST_F(AutoExposureTest, EqualResultsStayBlackInTheDifference) {
  if (!platform_) return;
  look("auto_exposure", "true");
  scene_->show(static_cast<int>(ImageShow::difference));
  EXPECT_EQ(span(settled(), 100, 380).second, 0);
}

}  // namespace
}  // namespace threadscape::app

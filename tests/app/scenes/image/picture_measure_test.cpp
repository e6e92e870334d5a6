// Measurements on pixels, compared with values that follow from how the pictures are made.

#include "app/scenes/image/picture_measure.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace threadscape::app {
namespace {

/// A picture whose value is 3 x + 5 y.
HostArray ramp(int width, int height) {
  HostArray picture(Shape::image(Element::f32, 1, width, height));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      picture.image<float>()(x, y) = static_cast<float>(3 * x + 5 * y);
  return picture;
}

TEST(PictureMeasure, AProfileOfALinearPictureIsALine) {
  const HostArray picture = ramp(40, 30);
  const LineProfile profile = profile_of(picture.view(), {{4.5f, 3.5f}, {34.5f, 19.5f}});
  EXPECT_DOUBLE_EQ(profile.length, 34.0);  // 30, 16 and 34 are a right triangle.
  EXPECT_NEAR(profile.degrees, -28.07249, 1e-4) << "rows count downwards";
  ASSERT_EQ(profile.at.size(), 35U);
  EXPECT_DOUBLE_EQ(profile.at.back(), 34.0);
  for (std::size_t i = 0; i < profile.at.size(); ++i) {
    const double share = profile.at[i] / 34.0;
    EXPECT_NEAR(profile.values[i], 3 * (4 + 30 * share) + 5 * (3 + 16 * share), 1e-9) << i;
  }
}

TEST(PictureMeasure, AProfileGoesOnAtTheRimAndAPointIsOne) {
  const HostArray picture = ramp(4, 4);
  const LineProfile outside = profile_of(picture.view(), {{3.5f, 0.5f}, {9.5f, 0.5f}});
  for (const double value : outside.values)
    EXPECT_DOUBLE_EQ(value, 9.0);
  const LineProfile point = profile_of(picture.view(), {{1.5f, 1.5f}, {1.5f, 1.5f}});
  EXPECT_EQ(point.length, 0.0);
  EXPECT_EQ(point.values, (std::vector<double>{8.0, 8.0}));
}

TEST(PictureMeasure, ARegionHasTheMomentsOfItsPixels) {
  HostArray picture(Shape::image(Element::u8, 4, 8, 8));
  for (int y = 0; y < 8; ++y)
    for (int x = 0; x < 8; ++x)
      picture.image<Rgba8>()(x, y) = {static_cast<std::uint8_t>(x), static_cast<std::uint8_t>(y), 200, 255};
  const RegionStatistics region = statistics_of(picture.view(), {{6.2f, 4.9f}, {2.1f, 1.3f}});
  EXPECT_EQ(region.x, 2);
  EXPECT_EQ(region.y, 1);
  EXPECT_EQ(region.width, 5);   // Columns 2 to 6.
  EXPECT_EQ(region.height, 4);  // Rows 1 to 4.
  EXPECT_DOUBLE_EQ(region.mean[0], 4.0);
  EXPECT_DOUBLE_EQ(region.deviation[0], std::sqrt(2.0));
  EXPECT_DOUBLE_EQ(region.mean[1], 2.5);
  EXPECT_DOUBLE_EQ(region.deviation[1], std::sqrt(1.25));
  EXPECT_DOUBLE_EQ(region.deviation[2], 0.0);
  EXPECT_DOUBLE_EQ(region.minimum[0], 2.0);
  EXPECT_DOUBLE_EQ(region.maximum[0], 6.0);
  EXPECT_EQ(table_of(region).substr(0, 45), "channel\tmean\tdeviation\tminimum\tmaximum\nred\t4\t");
}

TEST(PictureMeasure, ValuesThatAreNotFiniteAreCountedAndLeftOut) {
  HostArray picture = ramp(4, 1);
  picture.image<float>()(1, 0) = std::numeric_limits<float>::quiet_NaN();
  const RegionStatistics region = statistics_of(picture.view(), {{0, 0}, {4, 1}});
  EXPECT_EQ(region.ignored, 1);
  EXPECT_DOUBLE_EQ(region.mean[0], 5.0);  // Of 0, 6 and 9.
  EXPECT_EQ(statistics_of(picture.view(), {{9, 9}, {12, 12}}).width, 0);
}

}  // namespace
}  // namespace threadscape::app

// Tests of the comparison of two pictures: how many pixels differ, and where the difference is largest.

#include "app/scenes/image/difference_count.h"

#include <gtest/gtest.h>

#include <limits>

#include "compute/core/errors.h"

namespace threadscape::app {
namespace {

TEST(DifferenceCountTest, EqualPicturesDoNotDiffer) {
  const HostArray a(Shape::image(Element::u8, 4, 451, 300));
  const PictureDifference found = compare_pictures(a.view(), a.view());
  EXPECT_EQ(found.pixels, 135300);
  EXPECT_EQ(found.differing, 0);
  EXPECT_EQ(found.largest, 0.0);
}

TEST(DifferenceCountTest, APixelCountsOnceAndTheLargestChannelDecidesThePlace) {
  HostArray a(Shape::image(Element::u8, 4, 7, 5)), b(Shape::image(Element::u8, 4, 7, 5));
  for (HostArray* picture : {&a, &b})
    for (int y = 0; y < 5; ++y)
      for (int x = 0; x < 7; ++x)
        picture->image<Rgba8>()(x, y) = {9, 9, 9, 255};
  b.image<Rgba8>()(6, 1) = {12, 6, 9, 255};
  b.image<Rgba8>()(2, 4) = {9, 9, 200, 255};
  const PictureDifference found = compare_pictures(a.view(), b.view());
  EXPECT_EQ(found.differing, 2);
  EXPECT_EQ(found.largest, 191.0);
  EXPECT_EQ(found.place, glm::ivec2(2, 4));
}

TEST(DifferenceCountTest, FloatsAndSixteenBitAreComparedInTheirOwnUnit) {
  HostArray a(Shape::image(Element::u16, 1, 3, 2)), b(Shape::image(Element::u16, 1, 3, 2));
  for (int i = 0; i < 6; ++i)
    a.image<std::uint16_t>()(i % 3, i / 3) = b.image<std::uint16_t>()(i % 3, i / 3) = 7;
  b.image<std::uint16_t>()(1, 1) = 60007;
  EXPECT_EQ(compare_pictures(a.view(), b.view()).largest, 60000.0);

  HostArray c(Shape::image(Element::f32, 1, 2, 1)), d(Shape::image(Element::f32, 1, 2, 1));
  const float nan = std::numeric_limits<float>::quiet_NaN();
  c.image<float>()(0, 0) = d.image<float>()(0, 0) = nan;
  c.image<float>()(1, 0) = 0.25f;
  d.image<float>()(1, 0) = 0.5f;
  const PictureDifference found = compare_pictures(c.view(), d.view());
  EXPECT_EQ(found.differing, 1);  // NaN is where NaN was.
  EXPECT_EQ(found.largest, 0.25);
  EXPECT_EQ(found.place, glm::ivec2(1, 0));
  EXPECT_THROW((void)compare_pictures(a.view(), c.view()), UsageError);
}

}  // namespace
}  // namespace threadscape::app

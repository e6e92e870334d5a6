// The clip of the newest frames of a moving picture: which frames it has at the beginning, while the window moves in
// its memory, and when frames change their size.

#include "compute/core/clip_window.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <utility>
#include <vector>

namespace threadscape {
namespace {

HostArray numbered(int width, int height, std::uint8_t number) {
  HostArray picture(Shape::image(Element::u8, 1, width, height));
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x)
      picture.image<std::uint8_t>()(x, y) = static_cast<std::uint8_t>(number + x);
  return picture;
}

TEST(ClipWindow, HoldsTheNewestFramesWithTheOldestFirst) {
  for (const std::int64_t frames : {1, 2, 3, 5, 8}) {
    ClipWindow window(frames);
    for (int i = 0; i < 40; ++i) {
      const HostArray picture = numbered(5, 3, static_cast<std::uint8_t>(i));
      const HostIn clip = window.push(picture.view());
      ASSERT_EQ(clip.shape, clip_shape(picture.shape(), std::min<std::int64_t>(frames, i + 1)));
      ASSERT_EQ(clip.pitch, 5u);
      for (std::int64_t t = 0; t < clip.shape.depth; ++t)
        for (int y = 0; y < 3; ++y)
          for (int x = 0; x < 5; ++x)
            ASSERT_EQ(frame_of(clip, t).image<std::uint8_t>()(x, y), i - (clip.shape.depth - 1 - t) + x);
    }
  }
}

TEST(ClipWindow, BeginsAgainAtAnotherSizeOrFormat) {
  ClipWindow window(4);
  for (int i = 0; i < 6; ++i)
    (void)window.push(numbered(5, 3, 1).view());
  EXPECT_EQ(window.push(numbered(6, 3, 1).view()).shape.depth, 1);
  EXPECT_EQ(window.push(numbered(6, 3, 1).view()).shape.depth, 2);
  const HostArray rgba(Shape::image(Element::u8, 4, 6, 3));
  EXPECT_EQ(window.push(rgba.view()).shape.depth, 1);
}

TEST(ClipWindow, ClipsThatWereLentStayAsTheyWere) {
  std::vector<HostArray> lent;
  {
    ClipWindow window(3);
    for (int i = 0; i < 40; ++i) {
      window.push(numbered(5, 3, static_cast<std::uint8_t>(i)).view());
      lent.push_back(window.lend());
    }
  }
  for (int i = 0; i < 40; ++i) {
    const HostArray moved = std::move(lent[static_cast<std::size_t>(i)]);
    const HostIn clip = moved.view();
    ASSERT_EQ(clip.shape.depth, std::min(3, i + 1));
    ASSERT_EQ(clip.pitch, 5u);
    for (std::int64_t t = 0; t < clip.shape.depth; ++t)
      ASSERT_EQ(frame_of(clip, t).image<std::uint8_t>()(4, 2), i - (clip.shape.depth - 1 - t) + 4);
  }
}

TEST(ClipWindow, KeepsTheNewestFramesWhenItsSizeChanges) {
  ClipWindow window(4);
  window.resize(5);
  for (int i = 0; i < 9; ++i)
    window.push(numbered(5, 3, static_cast<std::uint8_t>(i)).view());
  window.resize(2);
  EXPECT_EQ(window.lend().shape().depth, 2);
  window.resize(4);
  const HostIn clip = window.push(numbered(5, 3, 9).view());
  ASSERT_EQ(clip.shape.depth, 3);
  for (std::int64_t t = 0; t < 3; ++t)
    EXPECT_EQ(frame_of(clip, t).image<std::uint8_t>()(0, 0), 7 + t);
}

TEST(ClipWindow, HasOneFrameAtLeast) {
  ClipWindow window(0);
  (void)window.push(numbered(2, 2, 1).view());
  EXPECT_EQ(window.push(numbered(2, 2, 9).view()).shape.depth, 1);
}

}  // namespace
}  // namespace threadscape

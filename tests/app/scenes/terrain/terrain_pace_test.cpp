// Tests how many triangles of a terrain are drawn without a GPU, with invented times.

#include "app/scenes/terrain/terrain_pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace threadscape::app {
namespace {

using Picture = TerrainPace::Picture;

/// Draws a picture in motion of a renderer that takes `pixels_ms` for all pixels and `ms` for a thousand triangles.
/// Returns the milliseconds that it took.
double move(TerrainPace& pace, double pixels_ms, double ms) {
  EXPECT_EQ(pace.next(true, false, 0.0), Picture::coarse);
  const double took = pixels_ms / (pace.divisor() * pace.divisor()) + ms * pace.thousands();
  pace.drawn(took, std::int64_t{pace.thousands()} * 1000);
  return took;
}

TEST(TerrainPace, PicturesInMotionKeepTheBudget) {
  for (const double pixels_ms : {0.0, 20.0, 50.0, 100.0})
    for (const double ms : {0.01, 0.05, 0.25, 0.5}) {
      TerrainPace pace;
      for (int i = 0; i < 40; ++i) {
        const int before = pace.thousands();
        const double took = move(pace, pixels_ms, ms);
        const double least = pixels_ms + ms * TerrainPace::min_thousands;
        EXPECT_LE(took, std::max(least, TerrainPace::slow_ms)) << pixels_ms << ", " << ms << ", picture " << i;
        EXPECT_GE(pace.thousands(), before) << "triangles that fit are not left out";
      }
      const double took = move(pace, pixels_ms, ms);
      if (pace.thousands() > TerrainPace::min_thousands) {
        EXPECT_GE(took, 0.8 * TerrainPace::budget_ms);
      }
    }
}

TEST(TerrainPace, ASlowPictureIsFollowedByOneOfFewerTriangles) {
  TerrainPace pace;
  for (int i = 0; i < 20; ++i)
    (void)move(pace, 20.0, 0.05);
  EXPECT_GT(pace.thousands(), 1500);
  int pictures = 0;
  while (move(pace, 50.0, 0.25) > TerrainPace::slow_ms)
    ASSERT_LT(++pictures, 6);
}

TEST(TerrainPace, PixelsThatTakeTooLongAreFewerUntilTheyFit) {
  TerrainPace pace;
  EXPECT_GT(move(pace, 400.0, 0.25), TerrainPace::slow_ms);
  EXPECT_EQ(pace.divisor(), 2);
  for (int i = 0; i < 20; ++i)
    EXPECT_LE(move(pace, 400.0, 0.25), TerrainPace::slow_ms);
  EXPECT_EQ(pace.divisor(), 2);
  EXPECT_EQ(pace.next(false, false, TerrainPace::rest_ms), Picture::complete);
  EXPECT_LE(move(pace, 40.0, 0.05), TerrainPace::budget_ms);
  EXPECT_EQ(pace.divisor(), 1);
  for (int i = 0; i < 20; ++i)
    EXPECT_LE(move(pace, 40.0, 0.05), TerrainPace::slow_ms);
  EXPECT_EQ(pace.divisor(), 1) << "the resolution does not alternate";
}

TEST(TerrainPace, NoTimeLeavesTheLimits) {
  std::mt19937 random(1);
  for (int run = 0; run < 100; ++run) {
    TerrainPace pace;
    for (int i = 0; i < 50; ++i) {
      (void)pace.next(true, false, 0.0);
      pace.drawn(static_cast<double>(random() % 3) * static_cast<double>(random() % 100000),
                 static_cast<std::int64_t>(random() % 40'000'000));
      ASSERT_GE(pace.thousands(), TerrainPace::min_thousands);
      ASSERT_LE(pace.thousands(), TerrainPace::max_thousands);
    }
  }
}

TEST(TerrainPace, TheCompletePictureComesOnceAfterARest) {
  TerrainPace pace;
  EXPECT_EQ(pace.next(true, false, 1000.0), Picture::coarse);
  EXPECT_TRUE(pace.coarse());
  EXPECT_EQ(pace.next(false, false, 1000.0 + TerrainPace::rest_ms - 1.0), Picture::same);
  EXPECT_EQ(pace.next(false, true, 1400.0), Picture::same) << "a button is held down";
  EXPECT_EQ(pace.next(false, false, 1400.0 + TerrainPace::rest_ms - 1.0), Picture::same);
  EXPECT_TRUE(pace.coarse());
  EXPECT_EQ(pace.next(true, false, 1410.0), Picture::coarse);
  pace.appeared(2000.0);
  EXPECT_EQ(pace.next(false, false, 2000.0 + TerrainPace::rest_ms - 1.0), Picture::same) << "a slow picture is no rest";
  EXPECT_EQ(pace.next(false, false, 2000.0 + TerrainPace::rest_ms), Picture::complete);
  EXPECT_FALSE(pace.coarse());
  EXPECT_EQ(pace.next(false, false, 9000.0), Picture::same);
  EXPECT_EQ(pace.next(true, false, 9001.0), Picture::coarse);
  pace.is_complete();
  EXPECT_EQ(pace.next(false, false, 9999.0), Picture::same) << "there is nothing to refine";
}

}  // namespace
}  // namespace threadscape::app

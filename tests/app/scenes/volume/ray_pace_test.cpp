// Tests at which resolution a volume is drawn without a GPU, with invented times.

#include "app/scenes/volume/ray_pace.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cstdint>
#include <random>

namespace threadscape::app {
namespace {

using Change = RayPace::Change;
constexpr glm::ivec2 view{1600, 1000};

std::int64_t rays_of(int divisor) {
  const glm::ivec2 size = RayPace::divided(view, divisor);
  return std::int64_t{size.x} * size.y;
}

/// Chooses the next divisor and draws a picture in which a ray takes `ms_per_ray`. Returns the milliseconds it took.
double draw(RayPace& pace, Change change, double ms_per_ray) {
  const std::int64_t rays = rays_of(pace.next(view, change));
  const double ms = ms_per_ray * static_cast<double>(rays);
  pace.measured(ms, rays);
  return ms;
}

TEST(RayPace, ContentsOfWhichNothingIsKnownBeginCoarse) {
  RayPace pace;
  EXPECT_EQ(pace.next(view, Change::contents), RayPace::first_divisor);
  pace.measured(0.001, rays_of(RayPace::first_divisor));
  EXPECT_TRUE(pace.refines(view));
  EXPECT_EQ(pace.next(view, Change::nothing), RayPace::min_divisor) << "empty space takes no time";
  pace.measured(0.016, rays_of(RayPace::min_divisor));
  EXPECT_FALSE(pace.refines(view));
  EXPECT_EQ(pace.next(view, Change::looks), RayPace::min_divisor);
  EXPECT_EQ(pace.next(view, Change::contents), RayPace::first_divisor);
}

TEST(RayPace, PicturesKeepTheBudget) {
  // From 0.1 us to 26 us per ray. Noise of 200 x 200 x 200 voxels took 9 to 13 us on two processors.
  for (int doublings = 0; doublings < 9; ++doublings) {
    const double ms_per_ray = 1e-4 * static_cast<double>(1 << doublings);
    RayPace pace;
    draw(pace, Change::contents, ms_per_ray);
    const double limit = ms_per_ray * static_cast<double>(rays_of(RayPace::max_divisor));
    const double in_motion = draw(pace, Change::looks, ms_per_ray);
    EXPECT_LE(in_motion, std::max(limit, RayPace::hysteresis * RayPace::budget_in_motion_ms));
    double at_rest = in_motion;
    for (int i = 0; pace.refines(view); ++i) {
      ASSERT_LT(i, RayPace::max_refinements + 1);
      at_rest = draw(pace, Change::nothing, ms_per_ray);
    }
    EXPECT_LE(at_rest, std::max(limit, RayPace::hysteresis * RayPace::budget_at_rest_ms));
    EXPECT_GE(at_rest, in_motion) << "a picture that rests is not coarser than one that moves";
  }
}

TEST(RayPace, ASlowPictureIsFollowedByACoarserOne) {
  RayPace pace;
  draw(pace, Change::contents, 1e-5);
  draw(pace, Change::nothing, 1e-5);
  // The camera goes near: rays that missed the volume cross it now.
  EXPECT_GT(draw(pace, Change::looks, 1e-3), 300.0);
  EXPECT_LE(draw(pace, Change::looks, 1e-3), RayPace::budget_in_motion_ms);
}

TEST(RayPace, TheResolutionDoesNotAlternate) {
  RayPace pace;
  draw(pace, Change::contents, 1e-3);
  while (pace.refines(view))
    draw(pace, Change::nothing, 1e-3);
  const int divisor = pace.next(view, Change::nothing);
  for (const double factor : {1.3, 0.9, 1.2, 1.0}) {
    pace.measured(factor * 1e-3 * static_cast<double>(rays_of(divisor)), rays_of(divisor));
    EXPECT_EQ(pace.next(view, Change::nothing), divisor) << factor;
  }
}

TEST(RayPace, ComesToRestWhateverIsMeasured) {
  std::mt19937 random(1);
  for (int run = 0; run < 100; ++run) {
    RayPace pace;
    int pictures = 0;
    for (Change change = Change::contents; pictures == 0 || pace.refines(view); change = Change::nothing) {
      draw(pace, change, 1e-6 * static_cast<double>(1u << random() % 20));
      ASSERT_LE(++pictures, RayPace::max_refinements + 1);
    }
  }
}

TEST(RayPace, AViewOfAPixelHasARay) {
  RayPace pace;
  EXPECT_EQ(RayPace::divided({1, 3}, pace.next({1, 3}, Change::contents)), glm::ivec2(1, 1));
  pace.measured(0.0, 0);
  EXPECT_EQ(pace.next({1, 3}, Change::nothing), RayPace::min_divisor);
}

}  // namespace
}  // namespace threadscape::app

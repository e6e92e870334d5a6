// Phantoms: volumes that are known in closed form, and the values at known points.

#include "compute/algorithms/tomography/phantom/phantom.h"

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>
#include <numeric>
#include <vector>

#include "compute/registry/registry.h"
#include "compute/run/runner.h"

namespace threadscape {
namespace {

using volumes::Phantom;

HostArray made(const PhantomVolume::Params& params, Backend backend = Backend::openmp) {
  Runner runner;
  return runner.run({.algorithm = &find_algorithm("phantom"), .params = ParamBox::of(params), .backend = backend}, {})
      .output;
}

double sum_of(const HostArray& volume) {
  const auto* values = reinterpret_cast<const float*>(volume.data());
  return std::accumulate(values, values + volume.shape().items(), 0.0);
}

// An ellipsoid contains (4/3) pi a b c times the cube of half the number of voxels a side. Voxels count if their centre
// is inside, and the error of that is about the area of the surface times a fraction of a voxel, of changing sign: less
// than 0.2 % with 96 voxels.
TEST(Phantom, TheHeadHasTheVolumeOfItsEllipsoids) {
  constexpr int side = 96;
  double wanted = 0;
  for (const volumes::Ellipsoid& e : volumes::shepp_logan_ellipsoids())
    wanted += e.value * 4.0 / 3.0 * std::numbers::pi * e.a * e.b * e.c;
  wanted *= std::pow(side / 2.0, 3);
  const double sum = sum_of(made({.phantom = Phantom::shepp_logan, .voxels = side}));
  EXPECT_NEAR(sum, wanted, 0.002 * wanted);
}

TEST(Phantom, TheCavityIsASphereOfASixthOfTheSide) {
  constexpr int side = 96;
  const double cavity = side * side * side - sum_of(made({.phantom = Phantom::cavity, .voxels = side}));
  const double wanted = 4.0 / 3.0 * std::numbers::pi * std::pow(side / 6.0, 3);
  // Voxels are inside or outside by their centres. A sphere of a radius of 16 voxels is then wrong by 0.6 %.
  EXPECT_NEAR(cavity, wanted, 0.01 * wanted);
}

TEST(Phantom, PixelsGiveTheVolumeOfTheSourceProject) {
  const PhantomVolume::Params params{.phantom = Phantom::cavity, .pixels = 100};
  EXPECT_EQ(PhantomVolume::output_shape(params, {}), (Shape{Kind::volume, Element::f32, 1, 42, 42, 42}));
  const FileNotes notes = PhantomVolume::file_notes(params, {});
  EXPECT_EQ(notes.spacing, (std::array<double, 3>{100, 100, 100}));
  ASSERT_TRUE(notes.scan.has_value());
  EXPECT_EQ(notes.scan->detector_side, 8500);
  EXPECT_EQ(notes.scan->source_distance, 25200);
  EXPECT_FALSE(PhantomVolume::file_notes({.voxels = 8}, {}).scan.has_value());
  EXPECT_NE(PhantomVolume::Params{.pixels = 2}.problem(), "");
}

TEST(Phantom, AxesHaveTheirOwnCounts) {
  const Shape shape = made({.phantom = Phantom::half_sphere, .voxels = 5, .voxels_y = 6, .voxels_z = 7}).shape();
  EXPECT_EQ(shape, (Shape{Kind::volume, Element::f32, 1, 5, 7, 6}));
}

}  // namespace
}  // namespace threadscape

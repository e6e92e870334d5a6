// Tests of the regions into which the method of Warnock divides a picture.

#include "compute/algorithms/graphics/rasterize/rasterize_regions.h"

#include <gtest/gtest.h>

#include <array>
#include <cstddef>
#include <set>
#include <string>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/algorithms/graphics/rasterize/rasterize_stages.h"
#include "compute/core/mesh_builder.h"

namespace threadscape {
namespace {

using rasterize::Region;
using rasterize::RegionCase;

/// A view of the square from (-1, -1) to (1, 1) in 64 x 64 pixels; depth grows with -z.
Rasterize::Params unit_view() {
  Rasterize::Params params;
  params.width = 64;
  params.height = 64;
  params.visibility = rasterize::Visibility::warnock;
  params.shading = rasterize::Shading::constant;
  params.view_matrix = "1,0,0,0,0,1,0,0,0,0,1,0,0,0,0,1";
  params.projection_matrix = "1,0,0,0,0,1,0,0,0,0,-0.5,0,0,0,0,1";
  return params;
}

void add_triangle(MeshBuilder& builder, const std::array<std::array<float, 2>, 3>& corners, float z) {
  std::array<std::uint32_t, 3> v{};
  for (std::size_t i = 0; i < 3; ++i)
    v[i] = builder.add_vertex({.position = {corners[i][0], corners[i][1], z}, .normal = {0, 0, 1}, .texcoord = {}});
  builder.add_triangle(v[0], v[1], v[2]);
}

std::vector<Region> regions_of(MeshBuilder& builder) {
  const HostArray mesh = builder.build();
  return rasterize::warnock_regions(Rasterize::plan(unit_view(), mesh.view()), MeshView(mesh.view()));
}

void expect_whole(const std::vector<Region>& regions, RegionCase why, std::uint32_t triangles) {
  ASSERT_EQ(regions.size(), 1u);
  EXPECT_EQ(regions[0].x1 - regions[0].x0, 64);
  EXPECT_EQ(regions[0].y1 - regions[0].y0, 64);
  EXPECT_EQ(regions[0].why, why);
  EXPECT_EQ(regions[0].triangles, triangles);
}

TEST(RasterizeRegionsTest, TheFourCasesOfTheAlgorithmEndTheDivision) {
  MeshBuilder outside;
  add_triangle(outside, {{{3, 3}, {4, 3}, {3, 4}}}, 0.0f);
  expect_whole(regions_of(outside), RegionCase::empty, 0);
  MeshBuilder contained;
  add_triangle(contained, {{{-0.5f, -0.5f}, {0.5f, -0.5f}, {0, 0.5f}}}, 0.0f);
  expect_whole(regions_of(contained), RegionCase::one, 1);
  // In the quarter on the upper left, one triangle is hidden by another that covers all of it.
  MeshBuilder hidden;
  add_triangle(hidden, {{{-0.9f, 0.2f}, {-0.1f, 0.2f}, {-0.5f, 0.8f}}}, -1.0f);
  add_triangle(hidden, {{{-1.1f, -0.1f}, {1.6f, -0.1f}, {-1.1f, 1.9f}}}, 1.0f);
  int quarters = 0;
  for (const Region& region : regions_of(hidden)) {
    if (region.x0 != 0 || region.y0 != 0) continue;
    ++quarters;
    EXPECT_EQ(region.x1, 32);
    EXPECT_EQ(region.y1, 32);
    EXPECT_EQ(region.why, RegionCase::surrounded);
    EXPECT_EQ(region.triangles, 2u);
  }
  EXPECT_EQ(quarters, 1);
}

TEST(RasterizeRegionsTest, TwoTrianglesInQuartersOfTheirOwnNeedOneDivision) {
  MeshBuilder builder;
  add_triangle(builder, {{{-0.9f, 0.1f}, {-0.1f, 0.1f}, {-0.5f, 0.9f}}}, 0.0f);  // Upper left.
  add_triangle(builder, {{{0.1f, -0.9f}, {0.9f, -0.9f}, {0.5f, -0.1f}}}, 0.0f);  // Lower right.
  const std::vector<Region> regions = regions_of(builder);
  ASSERT_EQ(regions.size(), 4u);
  for (const Region& region : regions) {
    EXPECT_EQ(region.x1 - region.x0, 32);
    EXPECT_EQ(region.y1 - region.y0, 32);
    const bool has_one = (region.x0 == 0) == (region.y0 == 0);
    EXPECT_EQ(region.triangles, has_one ? 1u : 0u);
    EXPECT_EQ(region.why, has_one ? RegionCase::one : RegionCase::empty);
  }
}

TEST(RasterizeRegionsTest, RegionsCoverEveryPixelOnceAndCountItsTriangles) {
  Rasterize::Params params;
  params.width = 61;
  params.height = 47;
  params.visibility = rasterize::Visibility::warnock;
  for (const MeshShape shape : {MeshShape::cube, MeshShape::torus, MeshShape::room}) {
    const HostArray mesh = make_builtin_mesh(shape, 4);
    const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
    const MeshView view(mesh.view());
    std::vector<std::set<std::uint32_t>> at(static_cast<std::size_t>(params.width * params.height));
    for (std::uint32_t t = 0; t < view.triangles(); ++t)
      for (const rasterize::Piece& piece : rasterize::triangle_stages(plan, view, t).pieces)
        for (const rasterize::Coverage& pixel : rasterize::coverage(piece))
          if (pixel.covered) at[static_cast<std::size_t>(pixel.y * params.width + pixel.x)].insert(t);
    std::vector<int> times(at.size());
    for (const Region& region : rasterize::warnock_regions(plan, view)) {
      std::set<std::uint32_t> inside;
      for (int y = region.y0; y < region.y1; ++y)
        for (int x = region.x0; x < region.x1; ++x) {
          const auto i = static_cast<std::size_t>(y * params.width + x);
          ++times[i];
          inside.insert(at[i].begin(), at[i].end());
        }
      // A triangle may reach into a region without covering the centre of a pixel there.
      EXPECT_LE(inside.size(), region.triangles);
      if (region.why == RegionCase::pixel) {
        EXPECT_EQ((region.x1 - region.x0) * (region.y1 - region.y0), 1);
      }
      if (region.why == RegionCase::one) {
        EXPECT_EQ(region.triangles, 1u);
      }
      if (region.why == RegionCase::surrounded) {
        EXPECT_GE(region.triangles, 2u);
      }
    }
    for (const int count : times)
      ASSERT_EQ(count, 1) << mesh_shape_names[static_cast<std::size_t>(shape)];
  }
}

}  // namespace
}  // namespace threadscape

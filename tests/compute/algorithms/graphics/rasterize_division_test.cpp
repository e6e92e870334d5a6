// Tests of the division of triangles into parts: what the parts cover, and what they look like.

#include "compute/algorithms/graphics/rasterize/rasterize_division.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <string>

#include "tests/support/compute/rasterize_testing.h"

namespace threadscape {
namespace division_testing {
namespace {

using namespace rasterize_testing;
using rasterize_testing::run;
using rasterize_testing::same;

/// Parts have the orientation of their triangle and one 4^levels-th of its area, and their corners are the points of a
/// grid.
TEST(RasterizeDivision, PartsFillTheTriangle) {
  for (int levels = 0; levels <= rasterize::most_divisions; ++levels) {
    const std::uint32_t parts = 1u << (2 * levels);
    const float side = static_cast<float>(1 << levels);
    std::vector<int> upright(parts, 0);
    for (std::uint32_t part = 0; part < parts; ++part) {
      // The number of the triangle does not matter.
      const rasterize::PartCorners corners = rasterize::part_corners(levels, 3 * parts + part);
      for (const auto& weight : corners.weight) {
        EXPECT_EQ(weight[0] + weight[1] + weight[2], 1.0f);
        for (const float one : weight) {
          EXPECT_GE(one, 0.0f);
          EXPECT_EQ(one * side, std::floor(one * side));
        }
      }
      const auto& w = corners.weight;
      const float area = (w[1][1] - w[0][1]) * (w[2][2] - w[0][2]) - (w[2][1] - w[0][1]) * (w[1][2] - w[0][2]);
      EXPECT_EQ(area, 1.0f / static_cast<float>(parts)) << levels << ", part " << part;
      const auto place =
          static_cast<std::size_t>((w[0][1] + w[1][1] + w[2][1]) * side * 48.0f + (w[0][2] + w[1][2] + w[2][2]) * side);
      if (place >= upright.size()) upright.resize(place + 1, 0);
      ++upright[place];
    }
    EXPECT_EQ(std::ranges::count(upright, 1), static_cast<std::ptrdiff_t>(parts)) << "no part is there twice";
  }
}

/// Every pixel of a square is covered once by the parts of its two triangles.
TEST(RasterizeDivision, PartsCoverEveryPixelOnce) {
  MeshBuilder builder;
  const std::uint32_t white = builder.add_material(plain({1, 1, 1}));
  add_square(builder, 0.0f, white);
  const HostArray mesh = builder.build();
  Params params = front_view(73, 51);
  params.output = rasterize::Output::overdraw;
  params.fov = 20.0f;
  const HostArray whole = run(params, mesh);
  for (params.division = 1; params.division <= rasterize::most_divisions; ++params.division)
    EXPECT_TRUE(same(whole, run(params, mesh))) << params.division;
}

TEST(RasterizeDivision, AllVariantsMakeTheSamePicture) {
  for (const MeshShape mesh_shape : {MeshShape::teapot, MeshShape::glass})
    for (const auto shading : {rasterize::Shading::flat, rasterize::Shading::gouraud, rasterize::Shading::phong})
      for (const float distance : {0.0f, 0.5f})
        for (const bool wireframe : {false, true}) {
          Params params = picture_of(mesh_shape, 2, 97, 61);
          params.shading = shading;
          params.distance = distance;
          params.wireframe = wireframe;
          params.division = 2;
          const HostArray mesh = Rasterize::make_input(params, 0), expected = run(params, mesh);
          for (int variant = 0; variant < static_cast<int>(Rasterize::openmp_variants.size()); ++variant)
            EXPECT_TRUE(same(expected, run(params, mesh, Backend::openmp, variant))) << variant;
          params.occlusion = true;
          EXPECT_TRUE(same(expected, run(params, mesh))) << "with objects";
          if (wireframe) continue;
          params.visibility = rasterize::Visibility::warnock;
          EXPECT_TRUE(same(expected, run(params, mesh, Backend::openmp))) << "warnock";
        }
}

/// The mean difference of two pictures in grey levels.
double difference(const HostArray& a, const HostArray& b) {
  const auto left = a.image<Rgba8>(), right = b.image<Rgba8>();
  double sum = 0;
  for (int y = 0; y < left.height; ++y)
    for (int x = 0; x < left.width; ++x)
      sum += std::abs(left(x, y).r - right(x, y).r) + std::abs(left(x, y).g - right(x, y).g) +
             std::abs(left(x, y).b - right(x, y).b);
  return sum / (3.0 * left.width * left.height);
}

/// Interpolation that is linear on the screen bends textures in perspective, less so in smaller parts. With the right
/// interpolation parts change next to nothing.
TEST(RasterizeDivision, PartsStraightenAffineTextures) {
  Params params = picture_of(MeshShape::cube, 1, 160, 120);
  params.shading = rasterize::Shading::constant;
  params.distance = 2.0f;
  const HostArray mesh = Rasterize::make_input(params, 0), right = run(params, mesh);
  params.division = 3;
  EXPECT_LT(difference(right, run(params, mesh)), 0.5);
  params.interpolation = rasterize::Interpolation::affine;
  double last = 1e9;
  for (params.division = 0; params.division <= 3; ++params.division) {
    const double now = difference(right, run(params, mesh));
    EXPECT_LT(now, 0.7 * last) << params.division;
    last = now;
  }
}

}  // namespace
}  // namespace division_testing
}  // namespace threadscape

// Tests of the hierarchical depth test: the picture is that of the other tests, and what lies behind a wall is not
// made.

#include "compute/algorithms/graphics/rasterize/rasterize_blocks.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <string>

#include "compute/algorithms/graphics/rasterize/rasterize_stages.h"
#include "tests/support/compute/rasterize_testing.h"

namespace threadscape {
namespace blocks_testing {
namespace {

using namespace rasterize_testing;
using rasterize::DepthTest;

/// Squares one behind the other, in this order or from the farthest on.
HostArray walls(int count, bool from_near) {
  MeshBuilder builder;
  const std::uint32_t white = builder.add_material(plain({1, 1, 1}));
  for (int i = 0; i < count; ++i)
    add_square(builder, 0.1f * static_cast<float>(from_near ? -i : i), white);
  return builder.build();
}

TEST(RasterizeBlocks, MakeTheSamePicture) {
  for (const MeshShape mesh_shape : {MeshShape::teapot, MeshShape::glass, MeshShape::crossing})
    for (const auto& [width, height] : {std::pair{131, 97}, {8, 8}, {7, 9}, {1, 40}})
      for (const auto bits : {rasterize::DepthBits::float32, rasterize::DepthBits::fixed8})
        for (const auto visibility : {rasterize::Visibility::z_buffer, rasterize::Visibility::painter})
          for (const auto output : {rasterize::Output::picture, rasterize::Output::depth}) {
            Params params = picture_of(mesh_shape, 3, width, height);
            params.depth_bits = bits;
            params.visibility = visibility;
            params.output = output;
            params.distance = width == 131 ? 0.5f : 0.0f;  // Some triangles are clipped.
            const HostArray mesh = Rasterize::make_input(params, 0), expected = run(params, mesh);
            params.depth_test = DepthTest::hierarchical;
            for (int variant = 0; variant < 3; ++variant)
              EXPECT_TRUE(same(expected, run(params, mesh, Backend::serial, variant))) << "serial " << variant;
            for (int variant = 0; variant < static_cast<int>(Rasterize::openmp_variants.size()); ++variant)
              EXPECT_TRUE(same(expected, run(params, mesh, Backend::openmp, variant))) << "openmp " << variant;
          }
}

/// A key of any covered pixel is at least the nearest key of a rectangle that contains it, and some pixel of the
/// rectangle has it.
TEST(RasterizeBlocks, NearestKeysAreThoseOfAPixel) {
  Params params = picture_of(MeshShape::teapot, 2, 90, 70);
  const HostArray mesh = Rasterize::make_input(params, 0);
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  int rectangles = 0;
  for (std::uint32_t triangle = 0; triangle < plan.triangles; ++triangle)
    for (const rasterize::Piece& piece : rasterize::triangle_stages(plan, MeshView(mesh.view()), triangle).pieces)
      rasterize::for_each_block(piece.screen, 3, 61, 12, [&](const rasterize::BlockPart& part) {
        std::uint32_t smallest = ~0u;
        for (int y = part.y0; y <= part.y1; ++y)
          for (int x = part.x0; x <= part.x1; ++x)
            smallest =
                std::min(smallest, rasterize::depth_key(rasterize::depth_at(piece.screen, x, y), plan.depth_bits));
        ASSERT_EQ(rasterize::nearest_key(plan, piece.screen, part.x0, part.y0, part.x1, part.y1), smallest);
        ++rectangles;
      });
  EXPECT_GT(rectangles, 100);
}

/// A wall over the whole picture is drawn first, and then as many walls behind it: all of their fragments are lost in
/// whole blocks. In front of it none are.
TEST(RasterizeBlocks, WhatIsBehindAWallIsNotMade) {
  for (const bool from_near : {true, false}) {
    const HostArray mesh = walls(3, from_near);
    Params params = front_view(64, 64);
    params.distance = 0.4f;  // The walls are larger than the picture.
    params.near_plane = 0.01f;
    params.depth_test = DepthTest::hierarchical;
    const rasterize::Counters counters =
        rasterize::count_work(Rasterize::plan(params, mesh.view()), MeshView(mesh.view()));
    constexpr std::uint64_t wall = 64 * 64;
    EXPECT_EQ(counters.fragments, 3 * wall);
    EXPECT_EQ(counters.in_blocks, from_near ? 2 * wall : 0u);
    EXPECT_EQ(counters.killed_early, from_near ? 2 * wall : 0u);
    EXPECT_EQ(counters.shaded, from_near ? wall : 3 * wall);
  }
}

}  // namespace
}  // namespace blocks_testing
}  // namespace threadscape

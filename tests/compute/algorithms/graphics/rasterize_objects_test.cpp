// Tests of the occlusion of whole objects: the picture is that of all triangles, and objects behind a wall are left
// out.

#include "compute/algorithms/graphics/rasterize/rasterize_objects.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "compute/algorithms/graphics/rasterize/rasterize_stages.h"
#include "tests/support/compute/rasterize_testing.h"

namespace threadscape {
namespace objects_testing {
namespace {

using namespace rasterize_testing;
using rasterize::DepthTest;
using rasterize_testing::run;
using rasterize_testing::same;

TEST(RasterizeObjects, MakeTheSamePicture) {
  for (const MeshShape mesh_shape : {MeshShape::teapot, MeshShape::glass, MeshShape::crossing})
    for (const auto& [width, height] : {std::pair{131, 97}, {7, 9}, {1, 40}})
      for (const auto bits : {rasterize::DepthBits::float32, rasterize::DepthBits::fixed8})
        for (const auto test : {DepthTest::early, DepthTest::late, DepthTest::hierarchical})
          for (const float distance : {0.0f, 0.5f}) {  // Some triangles are clipped at the shorter one.
            Params params = picture_of(mesh_shape, 3, width, height);
            params.depth_bits = bits;
            params.depth_test = test;
            params.distance = distance;
            params.guard_band = bits == rasterize::DepthBits::float32;
            const HostArray mesh = Rasterize::make_input(params, 0), expected = run(params, mesh);
            params.occlusion = true;
            for (int variant = 0; variant < 3; ++variant)
              EXPECT_TRUE(same(expected, run(params, mesh, Backend::serial, variant))) << "serial " << variant;
            for (int variant = 0; variant < static_cast<int>(Rasterize::openmp_variants.size()); ++variant)
              EXPECT_TRUE(same(expected, run(params, mesh, Backend::openmp, variant))) << "openmp " << variant;
          }
}

/// A wall, and smaller walls behind it.
HostArray walls(int behind, bool wall_first) {
  MeshBuilder builder;
  const std::uint32_t white = builder.add_material(plain({1, 1, 1}));
  if (wall_first) add_square(builder, 0.5f, white);
  for (int i = 0; i < behind; ++i)
    add_square(builder, -0.1f * static_cast<float>(i), white, 0.5f);
  if (!wall_first) add_square(builder, 0.5f, white);
  return builder.build();
}

TEST(RasterizeObjects, WhatIsBehindAWallIsLeftOut) {
  for (const bool wall_first : {true, false}) {
    const HostArray mesh = walls(4, wall_first);
    Params params = front_view(64, 48);
    const auto counted = [&] {
      return rasterize::count_work(Rasterize::plan(params, mesh.view()), MeshView(mesh.view()));
    };
    const rasterize::Counters all = counted();
    EXPECT_EQ(all.objects, 0U);
    EXPECT_EQ(all.rasterised, 10U);
    params.occlusion = true;
    const rasterize::Counters tested = counted();
    EXPECT_EQ(tested.objects, 5U);
    EXPECT_EQ(tested.hidden_objects, 4U);
    EXPECT_EQ(tested.hidden_triangles, 8U);
    EXPECT_EQ(tested.rasterised, 2U);
    EXPECT_EQ(tested.killed_early, 0U);
    EXPECT_LT(tested.fragments, all.fragments);
  }
}

TEST(RasterizeObjects, HaveAllTrianglesOfTheMesh) {
  for (const int behind : {0, 3, 63, 99}) {
    const HostArray mesh = walls(behind, true);
    const rasterize::Plan plan = Rasterize::plan(front_view(64, 48), mesh.view());
    const rasterize::ObjectList objects = rasterize::find_objects(plan, MeshView(mesh.view()));
    EXPECT_EQ(objects.count, behind == 99 ? 50 : behind + 1);
    std::vector<int> found(plan.triangles, 0);
    for (int i = 0; i < objects.count; ++i)
      for (std::uint32_t triangle = objects.at[i].first; triangle < objects.at[i].end; ++triangle)
        ++found[triangle];
    EXPECT_EQ(std::ranges::count(found, 1), std::ssize(found));
    EXPECT_EQ(objects.at[0].first, 0U) << "the wall is the nearest";
  }
}

}  // namespace
}  // namespace objects_testing
}  // namespace threadscape

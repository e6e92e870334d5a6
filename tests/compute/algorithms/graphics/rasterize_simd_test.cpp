// Tests of the vectors of the rasteriser on the CPU: they compute what the code for single pixels computes.

#include <gtest/gtest.h>

#include "tests/support/compute/neighbourhood_testing.h"
#include "tests/support/compute/rasterize_testing.h"

namespace threadscape {
namespace {

using namespace rasterize_testing;

TEST(RasterizeTest, VectorsOfPixelsHaveTheColoursOfSinglePixels) {
  // The cube has a normal map, the torus colours at vertices, and the teapot and the glass have overlays.
  for (const MeshShape shape : {MeshShape::cube, MeshShape::torus, MeshShape::teapot, MeshShape::glass}) {
    Params params = picture_of(shape, 2, 90, 70);
    const HostArray mesh = Rasterize::make_input(params, 0);
    for (std::size_t i = 0; i < 60; ++i) {
      params.shading = static_cast<rasterize::Shading>(i % 4);
      params.lighting = static_cast<rasterize::Lighting>(i / 4 % 2);
      params.filter = static_cast<rasterize::Filter>(i % 4);
      params.wrap = static_cast<rasterize::Wrap>(i % 3);
      params.interpolation = static_cast<rasterize::Interpolation>(i / 5 % 2);
      params.projection = static_cast<rasterize::Projection>(i / 10 % 2);
      params.distance = i % 7 == 0 ? 0.4f : i % 7 == 1 ? 9.0f : 0.0f;
      const HostArray expected = run(params, mesh);
      testing::for_each_simd_target([&] {
        EXPECT_TRUE(same(expected, run(params, mesh, Backend::openmp))) << static_cast<int>(shape) << " " << i;
      });
    }
  }
}

TEST(RasterizeTest, VectorsOfSmallTrianglesHaveTheColoursOfSinglePixels) {
  // Most triangles cover one to four pixels. The torus has colours at vertices, the sphere and the teapot have
  // textures.
  for (const MeshShape shape : {MeshShape::sphere, MeshShape::torus, MeshShape::teapot}) {
    Params params = picture_of(shape, 16, 150, 130);
    const HostArray mesh = Rasterize::make_input(params, 0);
    for (std::size_t i = 0; i < 48; ++i) {
      params.shading = static_cast<rasterize::Shading>(i % 4);
      params.lighting = static_cast<rasterize::Lighting>(i / 4 % 2);
      params.culling = static_cast<rasterize::Culling>(i % 3);
      params.filter = static_cast<rasterize::Filter>(i % 4);
      params.textures = i % 7 != 0;
      params.interpolation = static_cast<rasterize::Interpolation>(i / 5 % 2);
      params.projection = static_cast<rasterize::Projection>(i / 10 % 2);
      params.visibility = i % 11 == 0 ? rasterize::Visibility::painter : rasterize::Visibility::z_buffer;
      params.distance = i % 13 == 0 ? 0.5f : 0.0f;
      const HostArray expected = run(params, mesh);
      testing::for_each_simd_target([&] {
        EXPECT_TRUE(same(expected, run(params, mesh, Backend::openmp))) << static_cast<int>(shape) << " " << i;
      });
    }
  }
}

TEST(RasterizeTest, VectorsOfPixelsHaveTheColoursOfSinglePixelsWhereWeightsOverflow) {
  for (const float size : {1e-18f, 1e-3f, 1e18f}) {
    MeshBuilder builder;
    MeshMaterial material;
    material.colour_map = builder.add_texture(2, 2, {0xff0000ffu, 0xff00ff00u, 0xffff0000u, 0xffffffffu});
    add_square(builder, 0, builder.add_material(material), size);
    const HostArray mesh = builder.build();
    Params params = picture_of(MeshShape::plane, 1, 90, 70);
    for (const auto shading : {rasterize::Shading::gouraud, rasterize::Shading::phong}) {
      params.shading = shading;
      EXPECT_TRUE(same(run(params, mesh), run(params, mesh, Backend::openmp))) << size;
    }
  }
}

}  // namespace
}  // namespace threadscape

// Tests of the choices of the rasteriser on the GPU, with small pictures, so that they are quick in emulation.

#include <gtest/gtest.h>

#include <string>
#include <utility>
#include <vector>

#include "compute/gpu/device.h"
#include "tests/support/compute/rasterize_testing.h"

namespace threadscape {
namespace {

using namespace rasterize_testing;

TEST(RasterizeCudaTest, AllVariantsMakeTheSerialPictures) {
  if (!gpu::devices().first().available()) GTEST_SKIP() << gpu::devices().first().obstacle();
  const auto choice = [](const auto& change) {
    Params params = picture_of(MeshShape::glass, 2, 40, 30);
    change(params);
    return params;
  };
  using rasterize::DepthTest;
  using rasterize::Order;
  const std::vector<std::pair<std::string, Params>> cases{
      {"late", choice([](Params& p) { p.depth_test = DepthTest::late; })},
      {"hierarchical", choice([](Params& p) {
         p.mesh = MeshShape::teapot;
         p.depth_test = DepthTest::hierarchical;
       })},
      {"hierarchical and clipped, with glass", choice([](Params& p) {
         p.depth_test = DepthTest::hierarchical;
         p.distance = 0.4f;
       })},
      {"objects", choice([](Params& p) {
         p.mesh = MeshShape::teapot;
         p.occlusion = true;
       })},
      {"objects, hierarchical and clipped, with glass", choice([](Params& p) {
         p.occlusion = true;
         p.depth_test = DepthTest::hierarchical;
         p.distance = 0.4f;
       })},
      {"parts", choice([](Params& p) { p.division = 2; })},
      {"parts of objects, Gouraud", choice([](Params& p) {
         p.mesh = MeshShape::cube;
         p.division = 1;
         p.occlusion = true;
         p.shading = rasterize::Shading::gouraud;
       })},
      {"edges of parts", choice([](Params& p) {
         p.division = 1;
         p.wireframe = true;
       })},
      {"late and clipped", choice([](Params& p) {
         p.depth_test = DepthTest::late;
         p.distance = 0.4f;
         p.guard_band = false;
       })},
      {"late painter", choice([](Params& p) {
         p.depth_test = DepthTest::late;
         p.visibility = rasterize::Visibility::painter;
       })},
      {"late Gouraud of many triangles", choice([](Params& p) {
         p.mesh = MeshShape::teapot;
         p.depth_test = DepthTest::late;
         p.shading = rasterize::Shading::gouraud;
       })},
      {"depths of 4 bits", choice([](Params& p) {
         p.mesh = MeshShape::crossing;
         p.depth_bits = rasterize::DepthBits::fixed4;
       })},
      {"depths of 8 bits", choice([](Params& p) {
         p.mesh = MeshShape::crossing;
         p.depth_bits = rasterize::DepthBits::fixed8;
       })},
      {"plain clipping of lines", choice([](Params& p) {
         p.wireframe = true;
         p.distance = 0.8f;
         p.clip_lines = rasterize::ClipLines::plain;
       })},
      {"a room around glass panes", choice([](Params& p) { p.environment = rasterize::Surroundings::room; })},
      {"a sky around a cube with maps, late", choice([](Params& p) {
         p.mesh = MeshShape::cube;
         p.environment = rasterize::Surroundings::sky;
         p.fresnel = false;
         p.reflection = p.refraction = 0.6f;
         p.depth_test = DepthTest::late;
       })},
      {"a sky around a teapot with flat shading", choice([](Params& p) {
         p.mesh = MeshShape::teapot;
         p.environment = rasterize::Surroundings::sky;
         p.shading = rasterize::Shading::flat;
       })},
      {"from the front", choice([](Params& p) { p.order = Order::front_to_back; })},
      {"from the front, multiplied", choice([](Params& p) {
         p.order = Order::front_to_back;
         p.blend = rasterize::Blend::multiply;
         p.blend_factor = 0.7f;
       })},
      {"a constant factor", choice([](Params& p) { p.blend_factor = 0.3f; })},
      {"contribution culling", choice([](Params& p) {
         p.min_area = 20.0f;
         p.min_opacity = 0.5f;
       })},
      {"depth_sort", choice([](Params& p) { p.visibility = rasterize::Visibility::depth_sort; })}};
  for (const auto& [name, params] : cases) {
    const HostArray mesh = Rasterize::make_input(params, 0), expected = run(params, mesh);
    for (std::size_t variant = 0; variant < Rasterize::cuda_variants.size(); ++variant)
      EXPECT_TRUE(same(expected, run(params, mesh, Backend::cuda, static_cast<int>(variant))))
          << name << " " << Rasterize::cuda_variants[variant].name;
  }
}

}  // namespace
}  // namespace threadscape

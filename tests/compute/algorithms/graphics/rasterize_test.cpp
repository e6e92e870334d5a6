// Tests of the rasteriser: clipping by hand, watertight meshes, visibility, textures, blending, limits.

#include "compute/algorithms/graphics/rasterize/rasterize.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <iterator>
#include <numbers>
#include <stop_token>
#include <utility>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"
#include "compute/algorithms/graphics/rasterize/rasterize_lines.h"
#include "compute/algorithms/graphics/rasterize/rasterize_shade.h"
#include "compute/algorithms/graphics/rasterize/rasterize_stages.h"
#include "compute/core/mesh_builder.h"
#include "compute/registry/registry.h"
#include "tests/support/compute/rasterize_testing.h"

namespace threadscape {
namespace {

using rasterize::ClipVertex;
using rasterize::Fate;
using namespace rasterize_testing;

// ---- Clipping, by hand

TEST(RasterizeClipTest, OneCornerBehindTheNearPlaneLeavesAQuadrilateral) {
  rasterize::Polygon polygon;
  bool clipped = false;
  // The near plane z = -w cuts both edges of corner 2 in the middle.
  const ClipVertex a{-0.5f, 0, 0, 1}, b{0.5f, 0, 0, 1}, c{0, 0.5f, -2, 1};
  ASSERT_EQ(clip_triangle(a, b, c, false, polygon, clipped), Fate::drawn);
  EXPECT_TRUE(clipped);
  ASSERT_EQ(polygon.count, 4);
  EXPECT_EQ(polygon.corner[2].at.x, 0.25f);
  EXPECT_EQ(polygon.corner[2].at.y, 0.25f);
  EXPECT_EQ(polygon.corner[2].at.z, -1.0f);
  EXPECT_EQ(polygon.corner[2].weight1, 0.5f);
  EXPECT_EQ(polygon.corner[2].weight2, 0.5f);
  EXPECT_EQ(polygon.corner[3].at.x, -0.25f);
}

TEST(RasterizeClipTest, ATriangleThatLooksOutOfAllFourSidesLeavesTheWholeView) {
  rasterize::Polygon polygon;
  bool clipped = false;
  const ClipVertex a{-8, -8, 0, 1}, b{8, -8, 0, 1}, c{0, 16, 0, 1};
  ASSERT_EQ(clip_triangle(a, b, c, false, polygon, clipped), Fate::drawn);
  float area = 0;
  for (int i = 0; i < polygon.count; ++i) {
    const ClipVertex &p = polygon.corner[i].at, &q = polygon.corner[(i + 1) % polygon.count].at;
    EXPECT_LE(std::fabs(p.x), 1.0001f);
    EXPECT_LE(std::fabs(p.y), 1.0001f);
    area += p.x * q.y - q.x * p.y;
  }
  EXPECT_NEAR(area / 2, 4.0f, 1e-4f);
}

TEST(RasterizeClipTest, OutsideOfOnePlaneIsRejectedAndTheGuardBandLeavesTheRestWhole) {
  rasterize::Polygon polygon;
  bool clipped = false;
  EXPECT_EQ(clip_triangle({2, 0, 0, 1}, {3, 0, 0, 1}, {2, 1, 0, 1}, true, polygon, clipped), Fate::outside);
  EXPECT_EQ(clip_triangle({0, 0, 0, 1}, {1.5f, 0, 0, 1}, {0, 1, 0, 1}, true, polygon, clipped), Fate::drawn);
  EXPECT_FALSE(clipped);
  EXPECT_EQ(clip_triangle({0, 0, 0, 1}, {1.5f, 0, 0, 1}, {0, 1, 0, 1}, false, polygon, clipped), Fate::drawn);
  EXPECT_TRUE(clipped);
  constexpr float infinity = std::numeric_limits<float>::infinity();
  EXPECT_EQ(clip_triangle({0, 0, 0, 1}, {infinity, 0, 0, 1}, {0, 1, 0, 1}, true, polygon, clipped), Fate::not_finite);
}

TEST(RasterizeClipTest, AllAlgorithmsForLinesFindTheSameParts) {
  struct Case {
    rasterize::ScreenLine line;
    bool visible;
    float x0, y0, x1, y1;
  };
  // The picture is 0..10 in x and 0..8 in y.
  const Case cases[] = {{{1, 1, 0, 5, 5, 1}, true, 1, 1, 5, 5},     {{-4, 4, 0, 14, 4, 1}, true, 0, 4, 10, 4},
                        {{-2, -2, 0, 12, 12, 1}, true, 0, 0, 8, 8}, {{5, -3, 0, 5, 20, 1}, true, 5, 0, 5, 8},
                        {{5, 4, 0, 15, 14, 1}, true, 5, 4, 9, 8},   {{12, 10, 0, 5, 3, 1}, true, 10, 8, 5, 3},
                        {{-5, 2, 0, 2, 20, 1}, false, 0, 0, 0, 0},  {{-1, 3, 0, -1, 5, 1}, false, 0, 0, 0, 0}};
  for (const Case& c : cases)
    for (const auto clip : {rasterize::clip_cohen_sutherland, rasterize::clip_liang_barsky, rasterize::clip_plain}) {
      rasterize::ScreenLine line = c.line;
      ASSERT_EQ(clip(line, 10, 8), c.visible) << c.line.x0 << " " << c.line.y0;
      const bool visible = c.visible;
      if (!visible) continue;
      EXPECT_NEAR(line.x0, c.x0, 1e-5f);
      EXPECT_NEAR(line.y0, c.y0, 1e-5f);
      EXPECT_NEAR(line.x1, c.x1, 1e-5f);
      EXPECT_NEAR(line.y1, c.y1, 1e-5f);
    }
}

// ---- Watertight

// ---- Light, by the angles of its definitions

TEST(RasterizeLightTest, HighlightsFollowTheAnglesOfBothModels) {
  // The light is a to one side of the normal, and the eye b to the other: the reflected ray is a - b from the eye, and
  // the half vector (a - b) / 2 from the normal.
  rasterize::Plan plan;
  plan.projection = rasterize::Projection::orthographic;
  for (const double a : {0.0, 0.3, 0.7, 1.2})
    for (const double b : {-0.2, 0.0, 0.4, 1.1})
      for (const float shininess : {1.0f, 8.0f, 40.0f}) {
        plan.light = {static_cast<float>(std::sin(a)), 0.0f, static_cast<float>(std::cos(a))};
        plan.camera.towards_eye = {static_cast<float>(-std::sin(b)), 0.0f, static_cast<float>(std::cos(b))};
        const auto light_with = [&](rasterize::Lighting lighting) {
          plan.lighting = lighting;
          return rasterize::light_at(plan, {1.0f, 2.0f, 3.0f}, {0.0f, 0.0f, 2.0f}, shininess);
        };
        const rasterize::Light phong = light_with(rasterize::Lighting::phong),
                               blinn = light_with(rasterize::Lighting::blinn_phong);
        const auto power = [&](double cosine) {
          return std::pow(std::max(cosine, 0.0), static_cast<double>(shininess));
        };
        EXPECT_NEAR(phong.specular, power(std::cos(a - b)), 2e-5) << a << " " << b << " " << shininess;
        EXPECT_NEAR(blinn.specular, power(std::cos(0.5 * (a - b))), 2e-5) << a << " " << b << " " << shininess;
        EXPECT_NEAR(phong.diffuse, std::cos(a), 1e-6);
        EXPECT_EQ(phong.diffuse, blinn.diffuse);
      }
}

TEST(RasterizeLightTest, EveryShadingHasBothModels) {
  Params params = picture_of(MeshShape::sphere, 6, 64, 64);
  const HostArray mesh = make_builtin_mesh(params.mesh, params.subdivision);
  for (const auto shading : {rasterize::Shading::flat, rasterize::Shading::gouraud, rasterize::Shading::phong}) {
    params.shading = shading;
    params.lighting = rasterize::Lighting::phong;
    const HostArray phong = run(params, mesh);
    params.lighting = rasterize::Lighting::blinn_phong;
    EXPECT_FALSE(same(run(params, mesh), phong)) << Rasterize::shading_names[static_cast<std::size_t>(shading)];
  }
}

TEST(RasterizeTest, AFanOfSliversCoversEveryPixelOfItsDiscOnce) {
  MeshBuilder builder;
  constexpr unsigned blades = 997;
  const std::uint32_t centre = add(builder, 0.013f, -0.007f);
  for (unsigned i = 0; i < blades; ++i) {
    const double angle = 2 * std::numbers::pi * i / blades;
    add(builder, static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)));
  }
  for (unsigned i = 0; i < blades; ++i)
    builder.add_triangle(centre, 1 + i, 1 + (i + 1) % blades);
  Params params = front_view(301, 299);
  params.output = rasterize::Output::overdraw;
  const HostArray mesh = builder.build(), counts = run(params, mesh);
  // The camera fits the disc into 92 % of the shorter side.
  const double radius = 0.92 * 299 / 2;
  const auto at = counts.image<float>();
  for (int y = 0; y < at.height; ++y)
    for (int x = 0; x < at.width; ++x) {
      const double distance = std::hypot(x - 150.0, y - 149.0);
      if (std::fabs(distance - radius) <= 1) continue;
      ASSERT_EQ(at(x, y), distance < radius ? 1.0f : 0.0f) << x << ", " << y;
    }
}

TEST(RasterizeTest, TheFrontOfAFineSphereCoversEveryPixelOnceAlsoWhenItIsClipped) {
  for (const float distance : {0.0f, 1.3f}) {
    Params params = picture_of(MeshShape::sphere, 60, 320, 240);
    params.culling = rasterize::Culling::back;
    params.output = rasterize::Output::overdraw;
    params.distance = distance;
    const HostArray counts = run(params, Rasterize::make_input(params, 0));
    const auto at = counts.image<float>();
    std::int64_t covered = 0;
    for (int y = 0; y < at.height; ++y)
      for (int x = 0; x < at.width; ++x) {
        ASSERT_LE(at(x, y), 1.0f) << x << ", " << y;
        covered += at(x, y) == 1.0f ? 1 : 0;
        // A pixel between two covered ones of its row is covered.
        if (x > 0 && x + 1 < at.width && at(x - 1, y) == 1.0f && at(x + 1, y) == 1.0f) {
          ASSERT_EQ(at(x, y), 1.0f) << x << ", " << y;
        }
      }
    EXPECT_GT(covered, 10000);
  }
}

// ---- Visibility

TEST(RasterizeTest, ScanLineAndWarnockMakeThePictureOfTheDepthBuffer) {
  for (const MeshShape shape : {MeshShape::teapot, MeshShape::room, MeshShape::crossing, MeshShape::glass}) {
    Params params = picture_of(shape, 5, 203, 151);
    params.distance = 1.2f;
    const HostArray mesh = Rasterize::make_input(params, 0), expected = run(params, mesh);
    for (const auto method : {rasterize::Visibility::scan_line, rasterize::Visibility::warnock}) {
      params.visibility = method;
      EXPECT_TRUE(same(expected, run(params, mesh))) << static_cast<int>(shape) << " " << static_cast<int>(method);
    }
  }
}

TEST(RasterizeTest, PainterMakesThePictureOfTheDepthBufferWhereTrianglesDoNotOverlapInDepth) {
  MeshBuilder builder;
  for (unsigned i = 0; i < 12; ++i) {
    const auto shade = static_cast<float>(i) / 12.0f;
    const std::uint32_t material = builder.add_material(plain({shade, 1 - shade, 0.5f}));
    // The order in the mesh is not that of the depths.
    const float z = static_cast<float>(i * 7 % 12) * 0.1f, x = static_cast<float>(i % 5) * 0.3f - 0.6f;
    builder.add_triangle(add(builder, x - 0.7f, -0.8f, z), add(builder, x + 0.7f, -0.6f, z), add(builder, x, 0.9f, z),
                         material);
  }
  const HostArray mesh = builder.build();
  Params params = front_view(160, 120);
  const HostArray expected = run(params, mesh);
  params.visibility = rasterize::Visibility::painter;
  EXPECT_TRUE(same(expected, run(params, mesh)));
}

TEST(RasterizeTest, DepthsOfFewBitsAreStepsOfTheirFormatAndFight) {
  Params params;
  params.mesh = MeshShape::crossing;
  params.width = 200;
  params.height = 150;
  params.near_plane = 0.001f;
  const HostArray mesh = Rasterize::make_input(params, 0), fine = run(params, mesh);
  params.depth_bits = rasterize::DepthBits::fixed16;
  EXPECT_FALSE(same(fine, run(params, mesh)));
  params.output = rasterize::Output::depth;
  const HostArray depth = run(params, mesh);
  const auto at = depth.image<float>();
  for (int y = 0; y < at.height; ++y)
    for (int x = 0; x < at.width; ++x)
      ASSERT_NEAR(at(x, y) * 65535.0f, std::round(at(x, y) * 65535.0f), 0.01f);
}

TEST(RasterizeTest, DepthIsThatOfThePlane) {
  // A square that is turned away from the camera: its depth is compared with the ray through the centre of the pixel,
  // in double. Snapping moves corners by up to 1/512 pixel.
  Params params = picture_of(MeshShape::plane, 1, 160, 120);
  params.output = rasterize::Output::depth;
  const HostArray mesh = Rasterize::make_input(params, 0), depth = run(params, mesh);
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  const MeshView view(mesh.view());
  const Float3 p = view.position(0), q = view.position(1), r = view.position(2);
  const Float3 normal = area_normal(p, q, r);
  const auto at = depth.image<float>();
  int compared = 0;
  for (int y = 0; y < at.height; y += 3)
    for (int x = 0; x < at.width; x += 3) {
      if (at(x, y) == 1.0f) continue;
      const rasterize::Matrix& v = plan.camera.view;
      const rasterize::Matrix& m = plan.camera.projection;
      const double cx = ((x + 0.5) / params.width * 2 - 1) / static_cast<double>(m.m[0]);
      const double cy = (1 - (y + 0.5) / params.height * 2) / static_cast<double>(m.m[5]);
      double direction[3];
      for (int i = 0; i < 3; ++i)
        direction[i] =
            cx * static_cast<double>(v.m[i]) + cy * static_cast<double>(v.m[4 + i]) - static_cast<double>(v.m[8 + i]);
      const Float3 eye = plan.camera.eye;
      const double along = direction[0] * static_cast<double>(normal.x) + direction[1] * static_cast<double>(normal.y) +
                           direction[2] * static_cast<double>(normal.z);
      const double distance = (static_cast<double>(p.x - eye.x) * static_cast<double>(normal.x) +
                               static_cast<double>(p.y - eye.y) * static_cast<double>(normal.y) +
                               static_cast<double>(p.z - eye.z) * static_cast<double>(normal.z)) /
                              along;
      const double z = -distance, w = distance;
      const double expected = (static_cast<double>(m.m[10]) * z + static_cast<double>(m.m[11])) / w * 0.5 + 0.5;
      ASSERT_NEAR(static_cast<double>(at(x, y)), expected, 1e-3) << x << ", " << y;
      ++compared;
    }
  EXPECT_GT(compared, 200);
}

// ---- Fragments

TEST(RasterizeTest, PowersAndLogarithmsAreThoseOfTheLibrary) {
  for (const float v : {1e-20f, 0.003f, 0.5f, 0.70710f, 0.9999f, 1.0f, 1.5f, 3.0f, 1e10f})
    EXPECT_NEAR(rasterize::log2_of(v), std::log2(v), 3e-7f * std::fmax(1.0f, std::fabs(std::log2(v)))) << v;
  for (const float v : {-100.0f, -3.25f, -0.5f, 0.0f, 0.49f, 1.0f, 20.7f})
    EXPECT_NEAR(rasterize::exp2_of(v), std::exp2(v), 4e-7f * std::exp2(v)) << v;
  // An error of the logarithm is multiplied by the exponent.
  for (const float base : {0.0f, 0.2f, 0.9f, 0.999f, 1.0f})
    for (const float exponent : {0.0f, 1.0f, 32.0f, 1000.0f})
      EXPECT_NEAR(rasterize::power_of(base, exponent), std::pow(base, exponent), 2e-4f) << base << " " << exponent;
}

TEST(RasterizeTest, TexturesAreWrappedAndFilteredAsOpenGlSays) {
  MeshBuilder builder;
  MeshMaterial material;
  // Four grey texels: 0 and 100 in the lower row, 200 and 40 in the upper one.
  const auto grey = [](std::uint32_t v) { return v * 0x010101u | 0xff000000u; };
  material.colour_map = builder.add_texture(2, 2, {grey(0), grey(100), grey(200), grey(40)});
  add_square(builder, 0, builder.add_material(material));
  const HostArray array = builder.build();
  const MeshView mesh(array.view());
  const auto value = [&](float u, float v, rasterize::Filter filter, rasterize::Wrap wrap, float change = 0) {
    return rasterize::sample(mesh, 0, {u, v, change, 0, 0, change}, filter, wrap).r * 255.0f;
  };
  using rasterize::Filter;
  using rasterize::Wrap;
  EXPECT_NEAR(value(0.3f, 0.2f, Filter::nearest, Wrap::clamp), 0, 1e-3f);
  EXPECT_NEAR(value(0.7f, 0.2f, Filter::nearest, Wrap::clamp), 100, 1e-3f);
  EXPECT_NEAR(value(0.5f, 0.25f, Filter::bilinear, Wrap::clamp), 50, 1e-3f);
  EXPECT_NEAR(value(0.5f, 0.5f, Filter::bilinear, Wrap::clamp), 85, 1e-3f);
  EXPECT_NEAR(value(0.0f, 0.25f, Filter::bilinear, Wrap::clamp), 0, 1e-3f);
  EXPECT_NEAR(value(0.0f, 0.25f, Filter::bilinear, Wrap::repeat), 50, 1e-3f);
  EXPECT_NEAR(value(-0.25f, 0.25f, Filter::nearest, Wrap::repeat), 100, 1e-3f);
  EXPECT_NEAR(value(-0.25f, 0.25f, Filter::nearest, Wrap::mirror), 0, 1e-3f);
  EXPECT_NEAR(value(1.25f, 0.25f, Filter::nearest, Wrap::mirror), 100, 1e-3f);
  // A pixel as long as two texels shows level 1, the mean of all; one of 1.414 texels the mean of both levels.
  EXPECT_NEAR(value(0.25f, 0.25f, Filter::mipmapped, Wrap::clamp, 1.0f), 85, 0.6f);
  EXPECT_NEAR(value(0.25f, 0.25f, Filter::trilinear, Wrap::clamp, 1.0f), 85, 0.6f);
  EXPECT_NEAR(value(0.25f, 0.25f, Filter::trilinear, Wrap::clamp, 0.70710678f), 42.5f, 0.6f);
  EXPECT_NEAR(value(0.25f, 0.25f, Filter::trilinear, Wrap::clamp, 0.1f), 0, 1e-3f);
}

TEST(RasterizeTest, PanesAreBlendedInTheirOrder) {
  MeshBuilder builder;
  const std::uint32_t white = builder.add_material(plain({1, 1, 1})),
                      red = builder.add_material(plain({1, 0, 0}, 0.5f)),
                      green = builder.add_material(plain({0, 1, 0}, 0.5f));
  // In the mesh, the front pane comes first.
  add_square(builder, 1, red);
  add_square(builder, 0, green);
  add_square(builder, -1, white);
  const HostArray mesh = builder.build();
  Params params = front_view(32, 32);
  const auto middle = [&](rasterize::Blend blend, rasterize::Order order) {
    params.blend = blend;
    params.order = order;
    const HostArray picture = run(params, mesh);
    return picture.image<Rgba8>()(16, 16);
  };
  using rasterize::Blend;
  using rasterize::Order;
  // Far to near: white, then half green, then half red. Every layer is rounded to bytes.
  EXPECT_EQ(middle(Blend::over, Order::peeled), (Rgba8{192, 128, 64, 255}));
  EXPECT_EQ(middle(Blend::over, Order::sorted), (Rgba8{192, 128, 64, 255}));
  EXPECT_EQ(middle(Blend::over, Order::given), (Rgba8{128, 192, 64, 255}));
  EXPECT_EQ(middle(Blend::additive, Order::peeled), (Rgba8{255, 255, 255, 255}));
  EXPECT_EQ(middle(Blend::multiply, Order::given), (Rgba8{128, 128, 64, 255}));
}

TEST(RasterizeTest, ManySmallPanesAreBlendedAsTheHistoriesOfTheirPixelsSay) {
  // Panes that touch one row, several, or several blocks of 32 rows, before and behind an opaque wall. Some are clipped
  // and some are outside of the picture.
  MeshBuilder builder;
  const std::uint32_t wall = builder.add_material(plain({0.2f, 0.3f, 0.4f}));
  std::uint32_t glass[3];
  for (unsigned i = 0; i < 3; ++i)
    glass[i] = builder.add_material(plain({static_cast<float>(i) / 2, 1 - static_cast<float>(i) / 2, 0.7f}, 0.4f));
  for (int i = 0; i < 120; ++i) {
    const float x = static_cast<float>(i * 37 % 41) / 20.0f - 1, y = static_cast<float>(i * 29 % 43) / 21.0f - 1;
    const float z = static_cast<float>(i * 17 % 23) / 11.0f - 1, side = i % 3 == 0 ? 0.01f : i % 3 == 1 ? 0.2f : 1.4f;
    builder.add_triangle(add(builder, x - side, y - side, z), add(builder, x + side, y, z - 0.1f),
                         add(builder, x, y + side, z + 0.2f), glass[i % 3]);
    if (i == 60) add_square(builder, 0.1f, wall);
  }
  const HostArray mesh = builder.build();
  Params params = front_view(70, 101);
  params.projection = rasterize::Projection::perspective;
  params.distance = 1.5f;
  for (const auto order : {rasterize::Order::peeled, rasterize::Order::sorted, rasterize::Order::given})
    for (const auto visibility : {rasterize::Visibility::z_buffer, rasterize::Visibility::scan_line}) {
      params.order = order;
      params.visibility = visibility;
      const HostArray picture = run(params, mesh);
      const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
      std::size_t most = 0;
      for (int y = 0; y < params.height; ++y)
        for (int x = 0; x < params.width; x += 3) {
          const auto history = pixel_history(plan, MeshView(mesh.view()), x, y);
          const std::uint32_t last = history.empty() ? plan.background : history.back().pixel_after;
          ASSERT_EQ(__builtin_bit_cast(Rgba8, last), picture.image<Rgba8>()(x, y)) << x << ", " << y;
          most = std::max(most, history.size());
        }
      EXPECT_GE(most, 10u);
      for (const auto& [backend, variant] :
           {std::pair{Backend::serial, 1}, {Backend::openmp, 0}, {Backend::openmp, 1}, {Backend::openmp, 2}})
        EXPECT_TRUE(same(picture, run(params, mesh, backend, variant))) << variant;
    }
}

TEST(RasterizeTest, AffineInterpolationBendsTexturesInPerspectiveOnly) {
  Params params = picture_of(MeshShape::plane, 1, 120, 90);
  const HostArray mesh = Rasterize::make_input(params, 0);
  for (const auto projection : {rasterize::Projection::perspective, rasterize::Projection::orthographic}) {
    params.projection = projection;
    params.interpolation = rasterize::Interpolation::perspective;
    const HostArray correct = run(params, mesh);
    params.interpolation = rasterize::Interpolation::affine;
    EXPECT_EQ(static_cast<bool>(same(correct, run(params, mesh))), projection == rasterize::Projection::orthographic);
  }
}

// ---- Cancelling

/// The memory of a run of which each stage can be called by itself.
struct StageRun {
  StageRun(const Params& params, const HostArray& mesh, std::stop_token stop)
      : plan(Rasterize::plan(params, mesh.view())), out(Rasterize::output_shape(params, mesh.shape())) {
    std::fill_n(out.data(), HostArray::bytes_for(out.shape()), std::byte{0x5a});
    scratch.reset(Rasterize::scratch_bytes(params, mesh.shape(), Backend::serial, 0));
    HostRun run;
    run.in = mesh.view();
    run.out = out.view();
    run.scratch = &scratch;
    run.stop = std::move(stop);
    frame = rasterize::make_frame(run, plan);
  }
  rasterize::Plan plan;
  HostArray out;
  HostScratch scratch;
  rasterize::HostFrame frame;
};

TEST(RasterizeCancelTest, EveryStageReturnsEarlyOnceAStopIsRequested) {
  Params params = picture_of(MeshShape::glass, 4, 64, 48);
  const HostArray mesh = Rasterize::make_input(params, 0);
  const auto method = rasterize::Method::barycentric;
  const rasterize::Rows rows{0, params.height, 0};
  for (std::size_t i = 0; i < Rasterize::visibility_names.size(); ++i) {
    params.visibility = static_cast<rasterize::Visibility>(i);
    std::stop_source source;
    StageRun stages(params, mesh, source.get_token());
    transform_vertices(stages.frame, 0, stages.plan.vertices);
    find_transparent(stages.frame, 0, stages.plan.triangles);
    keep_transparent(stages.frame);
    EXPECT_FALSE(stages.frame.transparent.empty());
    draw_rows(stages.frame, method, rows);
    const std::vector<rasterize::Visible> drawn(stages.frame.visible.begin(), stages.frame.visible.end());
    resolve_rows(stages.frame, rows);
    const HostArray opaque = stages.out.clone();

    source.request_stop();
    blend_all_rows(stages.frame, method, rows);
    EXPECT_TRUE(same(opaque, stages.out)) << "no transparent triangle is blended after the stop";
    std::fill_n(stages.out.data(), HostArray::bytes_for(stages.out.shape()), std::byte{0x5a});
    resolve_rows(stages.frame, rows);
    const Rgba8 untouched{0x5a, 0x5a, 0x5a, 0x5a};
    EXPECT_EQ(stages.out.image<Rgba8>()(params.width / 2, params.height / 2), untouched);
    draw_rows(stages.frame, method, rows);
    EXPECT_FALSE(std::ranges::equal(drawn, stages.frame.visible));
    const rasterize::Visible empty = rasterize::nothing_visible(stages.plan.depth_bits);
    EXPECT_EQ(std::ranges::count(stages.frame.visible, empty), std::int64_t{params.width} * params.height);
    const rasterize::ClipVertex far_away{-7, -7, -7, -7};
    std::ranges::fill(stages.frame.clip, far_away);
    transform_vertices(stages.frame, 0, stages.plan.vertices);
    EXPECT_EQ(stages.frame.clip.back().x, far_away.x);
  }
}

TEST(RasterizeCancelTest, AllVariantsReturnEarlyOnceAStopIsRequested) {
  Params params = picture_of(MeshShape::glass, 4, 64, 48);
  const HostArray mesh = Rasterize::make_input(params, 0);
  rasterize::Prepared prepared;
  prepared.plan = Rasterize::plan(params, mesh.view());
  std::stop_source source;
  source.request_stop();
  for (const auto& [backend, variant] : {std::pair{Backend::serial, 0},
                                         {Backend::serial, 1},
                                         {Backend::openmp, 0},
                                         {Backend::openmp, 1},
                                         {Backend::openmp, 2}}) {
    HostArray out(Rasterize::output_shape(params, mesh.shape()));
    std::fill_n(out.data(), HostArray::bytes_for(out.shape()), std::byte{0x5a});
    HostScratch scratch;
    scratch.reset(Rasterize::scratch_bytes(params, mesh.shape(), backend, variant));
    HostRun run;
    run.in = mesh.view();
    run.out = out.view();
    run.scratch = &scratch;
    run.threads = 3;
    run.variant = variant;
    run.stop = source.get_token();
    run.preparation = &prepared;
    if (backend == Backend::serial)
      Rasterize::serial(params, run);
    else
      Rasterize::openmp(params, run);
    for (int y = 0; y < params.height; ++y)
      for (int x = 0; x < params.width; ++x)
        ASSERT_EQ(out.image<Rgba8>()(x, y), (Rgba8{0x5a, 0x5a, 0x5a, 0x5a})) << variant << ": " << x << ", " << y;
  }
}

// ---- Stages

TEST(RasterizeStagesTest, CoverageOfSomePixelsIsAPartOfThatOfAll) {
  Params params = front_view(90, 70);
  const HostArray mesh = make_builtin_mesh(MeshShape::cube, 1);
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  for (std::uint32_t t = 0; t < plan.triangles; ++t)
    for (const rasterize::Piece& piece : triangle_stages(plan, MeshView(mesh.view()), t).pieces) {
      const std::vector<rasterize::Coverage> all = coverage(piece);
      for (const rasterize::PixelRange& range :
           {rasterize::PixelRange{0, 0, 89, 69}, {30, 20, 44, 29}, {-5, 10, 40, 200}, {50, 50, 40, 40}}) {
        std::vector<rasterize::Coverage> expected;
        std::ranges::copy_if(all, std::back_inserter(expected), [&](const rasterize::Coverage& c) {
          return c.x >= range.x0 && c.x <= range.x1 && c.y >= range.y0 && c.y <= range.y1;
        });
        const std::vector<rasterize::Coverage> part = coverage(piece, range);
        ASSERT_EQ(part.size(), expected.size());
        for (std::size_t i = 0; i < part.size(); ++i) {
          EXPECT_EQ(part[i].x, expected[i].x);
          EXPECT_EQ(part[i].y, expected[i].y);
          EXPECT_EQ(part[i].covered, expected[i].covered);
          EXPECT_EQ(part[i].edge[1], expected[i].edge[1]);
        }
      }
    }
}

TEST(RasterizeStagesTest, HistoriesEndWithThePixelAndCountsAddUp) {
  Params params = picture_of(MeshShape::glass, 2, 64, 48);
  const HostArray mesh = Rasterize::make_input(params, 0), picture = run(params, mesh);
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  std::uint64_t fragments = 0, blended = 0;
  for (int y = 0; y < params.height; ++y)
    for (int x = 0; x < params.width; ++x) {
      const auto history = pixel_history(plan, MeshView(mesh.view()), x, y);
      const std::uint32_t last = history.empty() ? plan.background : history.back().pixel_after;
      ASSERT_EQ(__builtin_bit_cast(Rgba8, last), picture.image<Rgba8>()(x, y)) << x << ", " << y;
      fragments += history.size();
      for (const auto& fragment : history)
        blended += fragment.outcome == rasterize::Outcome::blended ? 1 : 0;
    }
  const rasterize::Counters counters = count_work(plan, MeshView(mesh.view()));
  EXPECT_EQ(counters.fragments, fragments);
  EXPECT_EQ(counters.blended, blended);
  EXPECT_EQ(counters.shaded + counters.killed_early, fragments);
  EXPECT_EQ(counters.killed_late, 0u);
  EXPECT_GT(blended, 0u);
}

TEST(RasterizeStagesTest, AVertexLandsWhereItsMatricesSay) {
  const Params params = front_view(101, 101);
  MeshBuilder builder;
  builder.add_triangle(add(builder, -1, -1), add(builder, 1, -1), add(builder, 1, 1));
  const HostArray mesh = builder.build();
  const rasterize::Plan plan = Rasterize::plan(params, mesh.view());
  const auto stages = vertex_stages(plan, MeshView(mesh.view()), 0, 2);
  ASSERT_TRUE(stages.on_screen);
  EXPECT_EQ(stages.outside, 0u);
  EXPECT_NEAR(stages.normalised.x, 0.92f, 1e-5f);
  EXPECT_NEAR(stages.normalised.y, 0.92f, 1e-5f);
  // Corners are rounded to 1/256 pixel.
  EXPECT_NEAR(stages.pixel_x, 50.5f + 0.92f * 50.5f - 0.5f, 1.0f / 256);
  EXPECT_NEAR(stages.pixel_y, 50.5f - 0.92f * 50.5f - 0.5f, 1.0f / 256);
  EXPECT_EQ(triangle_stages(plan, MeshView(mesh.view()), 0).pieces.size(), 1u);
}

// ---- Limits

TEST(RasterizeTest, DegenerateAndOverflowingTrianglesAreLeftOut) {
  MeshBuilder builder;
  const std::uint32_t a = add(builder, -1, -1), b = add(builder, 1, -1), c = add(builder, 1, 1);
  builder.add_triangle(a, a, b);
  builder.add_triangle(a, b, b);
  builder.add_triangle(a, b, c);
  const HostArray mesh = builder.build();
  Params params = front_view(40, 40);
  params.output = rasterize::Output::overdraw;
  const rasterize::Counters counters = count_work(Rasterize::plan(params, mesh.view()), MeshView(mesh.view()));
  EXPECT_EQ(counters.degenerate, 2u);
  EXPECT_EQ(counters.rasterised, 1u);

  // In world space the corners are infinite, and light is computed with NaN. The picture is still the same everywhere.
  MeshBuilder huge;
  huge.add_triangle(add(huge, -3e38f, -3e38f), add(huge, 3e38f, -3e38f), add(huge, 3e38f, 3e38f, 3e38f));
  const HostArray overflowing = huge.build();
  params.model[0] = params.model[5] = params.model[10] = 1000.0f;
  params.output = rasterize::Output::picture;
  for (const auto shading : {rasterize::Shading::gouraud, rasterize::Shading::phong}) {
    params.shading = shading;
    EXPECT_TRUE(same(run(params, overflowing), run(params, overflowing, Backend::openmp)));
  }
}

TEST(RasterizeTest, PicturesOfAnySizeAreEqualOnAllVariants) {
  struct Size {
    int width, height;
  };
  for (const Size size : {Size{1, 1}, {1, 90}, {90, 1}, {63, 65}, {16384, 3}, {3, 16384}}) {
    Params params;
    params.width = size.width;
    params.height = size.height;
    params.subdivision = 3;
    const HostArray mesh = Rasterize::make_input(params, 0), expected = run(params, mesh);
    EXPECT_TRUE(same(expected, run(params, mesh, Backend::serial, 1)));
    for (int variant = 0; variant < 3; ++variant)
      EXPECT_TRUE(same(expected, run(params, mesh, Backend::openmp, variant))) << size.width << "x" << size.height;
  }
}

TEST(RasterizeTest, UnsuitableInputsAndParametersAreRefused) {
  Params params;
  EXPECT_THROW((void)Rasterize::output_shape(params, Shape::image(Element::u8, 1, 4, 4)), UsageError);
  params.near_plane = 2.0f;
  params.far_plane = 1.0f;
  EXPECT_NE(params.problem(), "");
  params = {};
  params.model.resize(9);
  EXPECT_NE(params.problem(), "");
  HostArray broken = Rasterize::make_input(Params{}, 0);
  const std::uint32_t far_vertex = 0xfffffffu;
  const std::uint32_t at = MeshView(std::as_const(broken).view()).header().triangles_at;
  std::copy_n(reinterpret_cast<const std::byte*>(&far_vertex), 4, broken.data() + std::size_t{4} * at);
  EXPECT_THROW(Rasterize::check_input(Params{}, std::as_const(broken).view()), UsageError);
}

}  // namespace
}  // namespace threadscape

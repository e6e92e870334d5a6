// The picture that OpenGL draws of a mesh against that of the software rasteriser with equal settings.

#include "render/passes/mesh_pass.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize_environment_map.h"
#include "compute/algorithms/graphics/rasterize/rasterize_stages.h"
#include "compute/core/mesh_builder.h"
#include "compute/core/mesh_shapes.h"
#include "compute/registry/registry.h"
#include "compute/run/runner.h"
#include "tests/support/render/gl_test.h"

namespace threadscape {
namespace {

using rasterize::Plan;

/// A picture drawn by the serial backend.
HostArray software_picture(const Rasterize::Params& params, const HostArray& mesh) {
  Runner runner;
  RunRequest request{.algorithm = &find_algorithm("rasterize"), .params = ParamBox::of(params)};
  request.backend = Backend::serial;
  return runner.run(request, mesh.view()).output;
}

/// The triangle that is seen at each pixel, plus 1, by the software's functions for coverage and depth.
std::vector<std::uint32_t> software_triangles(const Plan& plan, const MeshView& mesh) {
  const auto pixels = static_cast<std::size_t>(plan.width) * static_cast<std::size_t>(plan.height);
  std::vector<std::uint32_t> seen(pixels);
  std::vector<std::uint32_t> keys(pixels, rasterize::depth_key(1.0f, plan.depth_bits));
  for (std::uint32_t t = 0; t < mesh.triangles(); ++t)
    for (const rasterize::Piece& piece : rasterize::triangle_stages(plan, mesh, t).pieces)
      for (const rasterize::Coverage& pixel : rasterize::coverage(piece)) {
        if (!pixel.covered) continue;
        const auto at = static_cast<std::size_t>(pixel.y) * static_cast<std::size_t>(plan.width) +
                        static_cast<std::size_t>(pixel.x);
        const std::uint32_t key =
            rasterize::depth_key(rasterize::depth_at(piece.screen, pixel.x, pixel.y), plan.depth_bits);
        if (key >= keys[at]) continue;
        keys[at] = key;
        seen[at] = t + 1;
      }
  return seen;
}

class MeshPass : public testing::GlTest {
 protected:
  void SetUp() override {
    GlTest::SetUp();
    if (IsSkipped()) return;
    GLint bits = 0;
    glGetIntegerv(GL_SUBPIXEL_BITS, &bits);
    if (bits != 8) GTEST_SKIP() << "this driver has " << bits << " bits of sub-pixel precision, rasterize has 8";
  }
  gl::ShaderLibrary library_;
};

/// How far two pictures are apart.
struct Difference {
  std::int64_t pixels = 0;
  std::int64_t above = 0;  ///< Pixels with a channel that differs by more than 2 of 255.
  int largest = 0;
};
Difference difference_of(const HostArray& a, const HostArray& b) {
  Difference difference;
  for (int y = 0; y < static_cast<int>(a.shape().height); ++y)
    for (int x = 0; x < static_cast<int>(a.shape().width); ++x) {
      const Rgba8 p = a.image<Rgba8>()(x, y), q = b.image<Rgba8>()(x, y);
      const int far =
          std::max({std::abs(int{p.r} - int{q.r}), std::abs(int{p.g} - int{q.g}), std::abs(int{p.b} - int{q.b})});
      ++difference.pixels;
      difference.largest = std::max(difference.largest, far);
      if (far > 2) ++difference.above;
    }
  return difference;
}

/// Triangles whose corners are on the grid of 1/256 pixel of a picture with this side, so that no rounding happens on
/// the way to the screen. Each is parallel to the screen, at a depth of its own. They are slivers, triangles below a
/// pixel and usual ones, or huge ones that reach far beyond the picture.
HostArray triangles_on_grid(int count, int side, bool huge, unsigned seed) {
  std::mt19937 random(seed);
  const auto between = [&](int low, int high) { return std::uniform_int_distribution<int>(low, high)(random); };
  MeshBuilder mesh;
  for (int t = 0; t < count; ++t) {
    constexpr std::array<int, 3> reaches{40 * 256, 300, 60 * 256};
    const int kind = t % 3, reach = huge ? 3 * side * 256 : reaches[static_cast<std::size_t>(kind)];
    const int x = between(0, side * 256), y = between(0, side * 256);
    const int dx = between(-reach, reach), dy = between(-reach, reach);
    std::array<std::pair<int, int>, 3> corners{{{x, y}, {x + dx, y + dy}, {0, 0}}};
    corners[2] = kind == 0 && !huge ? std::pair{x + dx / 2 + between(-64, 64), y + dy / 2 + between(-64, 64)}
                                    : std::pair{x + between(-reach, reach), y + between(-reach, reach)};
    const float z = 2.0f * static_cast<float>((t * 7919) % count) / static_cast<float>(count) - 1.0f;
    for (const auto& [px, py] : corners) {
      const float half = 128.0f * static_cast<float>(side);
      mesh.add_vertex({.position = {static_cast<float>(px) / half - 1.0f, static_cast<float>(py) / half - 1.0f, z},
                       .normal = {0, 0, 1}});
    }
    const auto first = static_cast<std::uint32_t>(3 * t);
    mesh.add_triangle(first, first + 1, first + 2);
  }
  return mesh.build();
}

/// Numbers of pixels that are covered, and that show another triangle in hardware than in software.
struct CoverageCount {
  std::int64_t covered = 0, different = 0;
};
CoverageCount compare_coverage(const gl::ShaderLibrary& library, bool huge) {
  render::MeshPass pass(library);
  constexpr int side = 256, batches = 50, each = 100;
  CoverageCount count;
  for (unsigned batch = 0; batch < batches; ++batch) {
    const HostArray made = triangles_on_grid(each, side, huge, batch);
    Plan plan;
    plan.width = plan.height = side;
    plan.triangles = each;
    plan.projection = rasterize::Projection::orthographic;
    plan.culling = rasterize::Culling::none;
    plan.shading = rasterize::Shading::constant;
    pass.set_mesh(made.view());
    pass.draw(plan);
    const std::vector<std::uint32_t> hardware = pass.read_triangles();
    const std::vector<std::uint32_t> software = software_triangles(plan, MeshView(made.view()));
    for (std::size_t i = 0; i < hardware.size(); ++i) {
      if (software[i] != 0) ++count.covered;
      if (software[i] != hardware[i]) ++count.different;
    }
  }
  return count;
}

TEST_F(MeshPass, CoverageOfFiveThousandTrianglesIsEqual) {
  const CoverageCount count = compare_coverage(library_, false);
  EXPECT_GT(count.covered, 500000);
  // The y axis of OpenGL's screen points up, that of the software down. Corners that lie exactly between two of the 256
  // steps of a pixel are rounded upwards in both, so edges through centres of pixels can differ: 19 pixels of 10^6 do.
  EXPECT_LE(count.different, count.covered / 20000);
}

TEST_F(MeshPass, CoverageOfFiveThousandHugeTrianglesIsEqualButForClipping) {
  // The point in which an edge is cut is rounded to 1/256 pixel, by rasterize at twice the size of the view, and by GL
  // elsewhere. That moves the edge, and with it a centre of a pixel may change sides: at most 1 of 100000.
  const CoverageCount count = compare_coverage(library_, true);
  EXPECT_GT(count.covered, 1000000);
  EXPECT_LE(count.different, count.covered / 100000);
}

TEST_F(MeshPass, TheTeapotCoversTheSamePixels) {
  // Corners are rounded to 1/256 pixel after a division, whose last bit may differ. So may pixels next to edges: at
  // most 1 of 10000.
  render::MeshPass pass(library_);
  for (const float distance : {0.0f, 1.2f}) {  // The second camera is so near that planes cut the mesh.
    Rasterize::Params params;
    params.width = 320;
    params.height = 240;
    params.distance = distance;
    params.near_plane = distance > 0.0f ? 0.9f : 0.0f;
    const HostArray mesh = make_builtin_mesh(MeshShape::teapot, 8);
    const Plan plan = Rasterize::plan(params, mesh.view());
    pass.set_mesh(mesh.view());
    pass.draw(plan);
    const std::vector<std::uint32_t> hardware = pass.read_triangles();
    const std::vector<std::uint32_t> software = software_triangles(plan, MeshView(mesh.view()));
    std::int64_t covered = 0, different = 0;
    for (std::size_t i = 0; i < hardware.size(); ++i) {
      covered += hardware[i] != 0 ? 1 : 0;
      different += (hardware[i] != 0) != (software[i] != 0) ? 1 : 0;
    }
    EXPECT_GT(covered, 10000);
    EXPECT_LE(different, static_cast<std::int64_t>(hardware.size()) / 10000) << distance;
  }
}

/// Draws both pictures and says how many pixels differ by more than 2 of 255.
Difference drawn_difference(render::MeshPass& pass, const Rasterize::Params& params, MeshShape shape) {
  const HostArray mesh = make_builtin_mesh(shape, 12);
  pass.set_mesh(mesh.view());
  const auto environment = rasterize::environment_map(params);
  pass.draw(Rasterize::plan(params, mesh.view(), environment.get()));
  return difference_of(software_picture(params, mesh), pass.picture().read());
}

Rasterize::Params small_picture() {
  Rasterize::Params params;
  params.width = 200;
  params.height = 150;
  return params;
}

TEST_F(MeshPass, ShadingIsEqual) {
  // All but 1 of 500 pixels: at edges of triangles, another one may be seen, and another highlight with it.
  render::MeshPass pass(library_);
  for (const MeshShape shape : {MeshShape::sphere, MeshShape::room, MeshShape::torus})
    for (std::size_t i = 0; i < 2 * Rasterize::shading_names.size(); ++i) {
      Rasterize::Params params = small_picture();
      params.shading = static_cast<rasterize::Shading>(i / 2);
      params.lighting = static_cast<rasterize::Lighting>(i % 2);
      params.textures = false;
      const Difference difference = drawn_difference(pass, params, shape);
      EXPECT_LE(difference.above, difference.pixels / 500)
          << Rasterize::shading_names[i / 2] << " " << Rasterize::lighting_names[i % 2] << " "
          << mesh_shape_names[static_cast<std::size_t>(shape)] << ", largest " << difference.largest;
    }
}

TEST_F(MeshPass, SurroundingsAreEqual) {
  // All but 1 of 100 pixels: GL filters the map with weights of 8 bits, which shows at the sharp edges of the
  // surroundings where a refracted ray turns fast.
  render::MeshPass pass(library_);
  for (const MeshShape shape : {MeshShape::sphere, MeshShape::torus, MeshShape::cube})
    for (const auto surroundings : {rasterize::Surroundings::sky, rasterize::Surroundings::room})
      for (std::size_t i = 0; i < Rasterize::shading_names.size(); ++i) {
        Rasterize::Params params = small_picture();
        params.shading = static_cast<rasterize::Shading>(i);
        params.environment = surroundings;
        params.fresnel = i % 2 == 0;
        params.reflection = 0.8f;
        params.refraction = 0.7f;
        params.filter = rasterize::Filter::nearest;
        const Difference difference = drawn_difference(pass, params, shape);
        EXPECT_LE(difference.above, difference.pixels / 100)
            << Rasterize::shading_names[i] << " " << mesh_shape_names[static_cast<std::size_t>(shape)] << ", "
            << difference.above << " pixels, largest " << difference.largest;
      }
}

TEST_F(MeshPass, TexturesAreEqual) {
  // GL chooses the mip level from differences in blocks of 2 x 2 pixels, by an approximate logarithm, and filters with
  // weights of 8 bits, where rasterize uses exact derivatives and floats. Sharp edges of the texture make that visible
  // in some pixels, and with two mixed levels, of which the weights differ, in more: up to 13 % on an H200, where they
  // differ by up to 10/255.
  render::MeshPass pass(library_);
  for (std::size_t filter = 0; filter < Rasterize::filter_names.size(); ++filter)
    for (std::size_t wrap = 0; wrap < Rasterize::wrap_names.size(); ++wrap) {
      Rasterize::Params params = small_picture();
      params.filter = static_cast<rasterize::Filter>(filter);
      params.wrap = static_cast<rasterize::Wrap>(wrap);
      const Difference difference = drawn_difference(pass, params, MeshShape::plane);
      EXPECT_LE(difference.above, difference.pixels / (params.filter == rasterize::Filter::trilinear ? 6 : 25))
          << Rasterize::filter_names[filter] << " " << Rasterize::wrap_names[wrap] << ", largest "
          << difference.largest;
    }
}

TEST_F(MeshPass, OtherSettingsAreEqual) {
  render::MeshPass pass(library_);
  const auto expect_equal = [&](const char* what, const auto& change, MeshShape shape) {
    Rasterize::Params params = small_picture();
    params.filter = rasterize::Filter::nearest;
    change(params);
    const Difference difference = drawn_difference(pass, params, shape);
    EXPECT_LE(difference.above, difference.pixels / 100) << what << ", largest " << difference.largest;
  };
  using P = Rasterize::Params;
  expect_equal(
      "orthographic", [](P& p) { p.projection = rasterize::Projection::orthographic; }, MeshShape::cube);
  expect_equal(
      "culling back", [](P& p) { p.culling = rasterize::Culling::back; }, MeshShape::teapot);
  expect_equal(
      "culling front", [](P& p) { p.culling = rasterize::Culling::front; }, MeshShape::teapot);
  expect_equal(
      "affine", [](P& p) { p.interpolation = rasterize::Interpolation::affine; }, MeshShape::plane);
  expect_equal(
      "diffuse only", [](P& p) { p.emission = p.ambient = p.specular = false; }, MeshShape::room);
  expect_equal(
      "moved", [](P& p) { p.model[3] = 0.4f; }, MeshShape::cube);
  for (std::size_t i = 0; i < Rasterize::shading_names.size(); ++i)
    expect_equal(
        "mirrored",
        [&](P& p) {
          p.model[0] = -1.5f;
          p.shading = static_cast<rasterize::Shading>(i);
        },
        MeshShape::torus);
  for (std::size_t i = 0; i < Rasterize::blend_names.size(); ++i)
    for (const rasterize::Order order : {rasterize::Order::given, rasterize::Order::sorted})
      expect_equal(
          Rasterize::blend_names[i].data(),
          [&](P& p) {
            p.blend = static_cast<rasterize::Blend>(i);
            p.order = order;
            p.textures = false;
          },
          MeshShape::glass);
}

TEST_F(MeshPass, TheOrderIsMadeAnewOnlyWhereItDependsOnTheCamera) {
  struct Case {
    MeshShape shape;
    rasterize::Visibility visibility;
    rasterize::Order order;
    std::uint64_t made;  ///< For two cameras, of which each draws twice.
  };
  using rasterize::Order;
  using rasterize::Visibility;
  for (const Case& c : {Case{MeshShape::cube, Visibility::z_buffer, Order::peeled, 1},
                        {MeshShape::cube, Visibility::z_buffer, Order::sorted, 1},
                        {MeshShape::cube, Visibility::painter, Order::peeled, 2},
                        {MeshShape::glass, Visibility::z_buffer, Order::peeled, 2},
                        {MeshShape::glass, Visibility::z_buffer, Order::given, 1}}) {
    render::MeshPass pass(library_);
    const HostArray mesh = make_builtin_mesh(c.shape, 2);
    pass.set_mesh(mesh.view());
    for (const float azimuth : {20.0f, 200.0f}) {
      Rasterize::Params params = small_picture();
      params.azimuth = azimuth;
      params.visibility = c.visibility;
      params.order = c.order;
      pass.draw(Rasterize::plan(params, mesh.view()));
      pass.draw(Rasterize::plan(params, mesh.view()));
    }
    EXPECT_EQ(pass.orders_made(), c.made) << mesh_shape_names[static_cast<std::size_t>(c.shape)];
    // Another mesh gets its own order.
    const HostArray glass = make_builtin_mesh(MeshShape::glass, 2);
    pass.set_mesh(glass.view());
    pass.draw(Rasterize::plan(small_picture(), glass.view()));
    EXPECT_EQ(pass.orders_made(), c.made + 1);
  }
}

/// Two flat halves of a plane next to each other, whose triangles have materials of different exponents in turns.
HostArray alternating_materials() {
  MeshBuilder mesh;
  constexpr int side = 12;
  for (int y = 0; y <= side; ++y)
    for (int x = 0; x <= side; ++x) {
      const float u = static_cast<float>(x) / side, v = static_cast<float>(y) / side;
      mesh.add_vertex(
          {.position = {2 * u - 1, 2 * v - 1, 0.3f * std::sin(6 * u)}, .normal = {0, 0, 1}, .texcoord = {}});
    }
  for (const float shininess : {2.0f, 60.0f}) {
    MeshMaterial material;
    material.diffuse = {0.5f, 0.4f, shininess / 100};
    material.specular = {0.7f, 0.7f, 0.7f};
    material.shininess = shininess;
    mesh.add_material(material);
  }
  for (std::uint32_t y = 0; y < side; ++y)
    for (std::uint32_t x = 0; x < side; ++x) {
      const std::uint32_t a = y * (side + 1) + x, b = a + 1, c = a + side + 1, d = c + 1;
      mesh.add_triangle(a, b, d, (x + y) % 2);
      mesh.add_triangle(a, d, c, (x / 2) % 2);
    }
  return mesh.build({});
}

TEST_F(MeshPass, MaterialsOfNeighboursAreNotMixed) {
  render::MeshPass pass(library_);
  const HostArray mesh = alternating_materials();
  for (std::size_t i = 0; i < Rasterize::shading_names.size(); ++i) {
    Rasterize::Params params = small_picture();
    params.azimuth = 170.0f;
    params.shading = static_cast<rasterize::Shading>(i);
    pass.set_mesh(mesh.view());
    pass.draw(Rasterize::plan(params, mesh.view()));
    const Difference difference = difference_of(software_picture(params, mesh), pass.picture().read());
    EXPECT_LE(difference.above, difference.pixels / 500)
        << Rasterize::shading_names[i] << ", largest " << difference.largest;
  }
}

TEST_F(MeshPass, ColoursAreTheSameWithoutNumbersOfTriangles) {
  render::MeshPass pass(library_);
  for (const MeshShape shape : {MeshShape::teapot, MeshShape::room, MeshShape::glass})
    for (std::size_t i = 0; i < Rasterize::shading_names.size(); ++i) {
      Rasterize::Params params = small_picture();
      params.shading = static_cast<rasterize::Shading>(i);
      const HostArray mesh = make_builtin_mesh(shape, 6);
      const Plan plan = Rasterize::plan(params, mesh.view());
      pass.set_mesh(mesh.view());
      pass.draw(plan);
      const HostArray numbered = pass.picture().read();
      const std::vector<std::uint32_t> triangles = pass.read_triangles();
      pass.draw_colours(plan);
      EXPECT_EQ(difference_of(numbered, pass.picture().read()).largest, 0) << Rasterize::shading_names[i];
      // The next picture has its numbers again.
      pass.draw(plan);
      EXPECT_EQ(pass.read_triangles(), triangles);
    }
}

TEST_F(MeshPass, NeighbouringTrianglesShareShadedVertices) {
  GLint major = 0, minor = 0;
  glGetIntegerv(GL_MAJOR_VERSION, &major);
  glGetIntegerv(GL_MINOR_VERSION, &minor);
  // GL_VERTEX_SHADER_INVOCATIONS of OpenGL 4.6, which glad's header of 4.5 does not name.
  constexpr GLenum vertex_shader_invocations = 0x82F0;
  if (10 * major + minor < 46) GTEST_SKIP() << "this driver does not count the invocations of vertex shaders";
  render::MeshPass pass(library_);
  const HostArray mesh = make_builtin_mesh(MeshShape::sphere, 40);
  const MeshView view(mesh.view());
  pass.set_mesh(mesh.view());
  const Plan plan = Rasterize::plan(small_picture(), mesh.view());
  GLuint query = 0;
  glGenQueries(1, &query);
  glBeginQuery(vertex_shader_invocations, query);
  pass.draw(plan);
  glEndQuery(vertex_shader_invocations);
  GLuint64 invocations = 0;
  glGetQueryObjectui64v(query, GL_QUERY_RESULT, &invocations);
  glDeleteQueries(1, &query);
  EXPECT_GE(invocations, 1u);
  // Each corner by itself would be three for each triangle. A cache that holds a row of neighbours needs about one for
  // each of the vertices, of which there are half as many as triangles; a small one needs about one for each triangle.
  EXPECT_LE(invocations, GLuint64{3} * view.triangles() / 2);
}

TEST_F(MeshPass, DepthHasTheChosenBits) {
  render::MeshPass pass(library_);
  const HostArray mesh = make_builtin_mesh(MeshShape::sphere, 16);
  // These are the depths that OpenGL has; it has none of 8 or 4 bits.
  for (std::size_t i = 0; i <= static_cast<std::size_t>(rasterize::DepthBits::fixed16); ++i) {
    Rasterize::Params params = small_picture();
    params.depth_bits = static_cast<rasterize::DepthBits>(i);
    params.output = rasterize::Output::depth;
    pass.set_mesh(mesh.view());
    pass.draw(Rasterize::plan(params, mesh.view()));
    const HostArray software = software_picture(params, mesh);
    const std::vector<float> hardware = pass.read_depths();
    // The planes of the depth go through corners rounded to 1/256 pixel here, and need not there, so that the depth may
    // differ by 1/256 of its change from pixel to pixel in each direction, and by two steps of 16 bits. The change is
    // not known at the outline, where coverage was compared by other tests.
    const float step = params.depth_bits == rasterize::DepthBits::fixed16 ? 3.2e-5f : 1e-6f;
    const auto depth = [&](int x, int y) { return software.image<float>()(x, y); };
    std::int64_t compared = 0, different = 0;
    for (int y = 1; y < params.height - 1; ++y)
      for (int x = 1; x < params.width - 1; ++x) {
        const float at = depth(x, y);
        const std::array around{depth(x - 1, y), depth(x + 1, y), depth(x, y - 1), depth(x, y + 1)};
        if (at >= 1.0f || std::ranges::max(around) >= 1.0f) continue;
        float change = 0.0f;
        for (const float other : around)
          change = std::max(change, std::fabs(other - at));
        ++compared;
        if (std::fabs(at - hardware[static_cast<std::size_t>(y * params.width + x)]) > step + change * 2.0f / 256.0f)
          ++different;
      }
    EXPECT_GT(compared, 1000) << Rasterize::depth_bits_names[i];
    EXPECT_EQ(different, 0) << Rasterize::depth_bits_names[i];
  }
}

}  // namespace
}  // namespace threadscape

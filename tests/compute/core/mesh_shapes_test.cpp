// Tests of the built-in meshes against what is known of the surfaces: their volumes, that they are closed, that
// triangles and normals face outwards, and points of the teapot's table.

#include "compute/core/mesh_shapes.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <tuple>
#include <utility>

#include "compute/core/mesh_builder.h"
#include "compute/core/mesh_teapot.h"

namespace threadscape {
namespace {

constexpr double pi = std::numbers::pi;

using Place = std::tuple<float, float, float>;

Place place(const Float3& p) {
  return {p.x + 0.0f, p.y + 0.0f, p.z + 0.0f};  // -0 becomes 0.
}

double dot(const Float3& a, const Float3& b) {
  return double{a.x} * b.x + double{a.y} * b.y + double{a.z} * b.z;
}

/// Edges by the places of their ends: how often each is passed in this direction minus in the other one.
int open_edges(const MeshView& mesh) {
  std::map<std::pair<Place, Place>, int> edges;
  for (std::uint32_t t = 0; t < mesh.triangles(); ++t)
    for (int i = 0; i < 3; ++i) {
      const Place a = place(mesh.position(mesh.corner(t, i))), b = place(mesh.position(mesh.corner(t, (i + 1) % 3)));
      ++edges[{a, b}];
      --edges[{b, a}];
    }
  return static_cast<int>(std::ranges::count_if(edges, [](const auto& edge) { return edge.second > 0; }));
}

double volume(const MeshView& mesh) {
  double six = 0.0;
  for (std::uint32_t t = 0; t < mesh.triangles(); ++t) {
    const Float3 a = mesh.position(mesh.corner(t, 0)), b = mesh.position(mesh.corner(t, 1)),
                 c = mesh.position(mesh.corner(t, 2));
    six += dot(a, area_normal({}, b, c));
  }
  return six / 6.0;
}

/// The least cosine between a triangle and the normals of its corners; triangles without area are left out.
double least_agreement(const MeshView& mesh) {
  double least = 1.0;
  for (std::uint32_t t = 0; t < mesh.triangles(); ++t) {
    const Float3 face = normalised(area_normal(mesh.position(mesh.corner(t, 0)), mesh.position(mesh.corner(t, 1)),
                                               mesh.position(mesh.corner(t, 2))));
    for (int i = 0; i < 3 && face != Float3{}; ++i)
      least = std::min(least, dot(face, mesh.normal(mesh.corner(t, i))));
  }
  return least;
}

TEST(MeshShapes, ShapesAreKnownBeforeTheMeshIsMade) {
  for (std::size_t i = 0; i < mesh_shape_names.size(); ++i)
    for (const int n : {1, 2, 3, 7, 16}) {
      const HostArray mesh = make_builtin_mesh(static_cast<MeshShape>(i), n);
      EXPECT_EQ(mesh.shape(), builtin_mesh_shape(static_cast<MeshShape>(i), n)) << mesh_shape_names[i] << " " << n;
      const MeshView view(mesh.view());
      // A coarse mesh may turn a triangle away from the normals of the surface.
      if (n >= 7) {
        EXPECT_GT(least_agreement(view), 0.0) << mesh_shape_names[i] << " " << n;
      }
      const auto [low, high] = std::pair(view.header().low, view.header().high);
      for (const float end : {low.x, low.y, low.z, high.x, high.y, high.z})
        EXPECT_LE(std::fabs(end), 1.1f) << mesh_shape_names[i];
      for (std::uint32_t v = 0; v < view.vertices(); ++v)
        ASSERT_NEAR(dot(view.normal(v), view.normal(v)), 1.0, 1e-5) << mesh_shape_names[i] << " " << v;
    }
  EXPECT_THROW((void)builtin_mesh_shape(MeshShape::plane, 0), UsageError);
  EXPECT_THROW((void)make_builtin_mesh(MeshShape::plane, max_mesh_subdivision + 1), UsageError);
}

TEST(MeshShapes, ClosedSurfacesHaveTheirVolume) {
  const HostArray cube = make_builtin_mesh(MeshShape::cube, 5);
  EXPECT_EQ(open_edges(MeshView(cube.view())), 0);
  EXPECT_NEAR(volume(MeshView(cube.view())), 1.5 * 1.5 * 1.5, 1e-5);
  // The volume of the polyhedron falls short of that of the surface by O(1 / n^2).
  const HostArray sphere = make_builtin_mesh(MeshShape::sphere, 64);
  EXPECT_EQ(open_edges(MeshView(sphere.view())), 0);
  EXPECT_NEAR(volume(MeshView(sphere.view())), 4.0 / 3.0 * pi, 0.006);
  const HostArray torus = make_builtin_mesh(MeshShape::torus, 64);
  EXPECT_EQ(open_edges(MeshView(torus.view())), 0);
  EXPECT_NEAR(volume(MeshView(torus.view())), 2.0 * pi * pi * 0.72 * 0.33 * 0.33, 0.006);
}

TEST(MeshShapes, TheTeapotIsNewellsTable) {
  const auto patches = teapot_patches();
  ASSERT_EQ(patches.size(), 32u);
  // Corners of the table: the rim's inner edge, the top of the knob, the ends of the handle and of the spout.
  const auto has = [](const BezierPatch& patch, double x, double y, double z) {
    return std::ranges::any_of(patch, [&](const PatchPoint& p) { return p.x == x && p.y == y && p.z == z; });
  };
  EXPECT_TRUE(has(patches[0], 1.4, 0.784, 2.4));
  EXPECT_TRUE(has(patches[5], -1.12, 2.0, 0.9));
  EXPECT_TRUE(has(patches[12], 0.0, 0.0, 3.15));
  EXPECT_TRUE(has(patches[22], -1.425, -0.798, 0.0));
  EXPECT_TRUE(has(patches[24], -3.0, 0.3, 1.8));
  EXPECT_TRUE(has(patches[27], -1.9, -0.3, 0.6));
  EXPECT_TRUE(has(patches[30], 3.525, 0.25, 2.49375));
  EXPECT_TRUE(has(patches[31], 3.2, 0.0, 2.4));
  // The tip of the spout bulges past its end, and the lid is the highest.
  double right = 0.0, top = 0.0, left = 0.0;
  for (const BezierPatch& patch : patches)
    for (int row = 0; row <= 32; ++row)
      for (int column = 0; column <= 32; ++column) {
        const PatchPoint p = sample_patch(patch, column, row, 32).point;
        right = std::max(right, p.x);
        top = std::max(top, p.z);
        left = std::min(left, p.x);
      }
  EXPECT_NEAR(right, 3.434, 0.01);
  EXPECT_NEAR(top, 3.15, 1e-12);
  EXPECT_NEAR(left, -3.0, 1e-12);
}

TEST(MeshShapes, PatchesOfTheTeapotShareTheirBorders) {
  for (const int n : {2, 3, 8, 13}) {
    const HostArray mesh = make_builtin_mesh(MeshShape::teapot, n);
    const MeshView view(mesh.view());
    EXPECT_EQ(view.triangles(), static_cast<std::uint32_t>(64 * n * n - 8 * n));
    // The rim and the lid each have an open border of four patches, the two tubes two ends of two patches each.
    EXPECT_EQ(open_edges(view), 16 * n) << n;
  }
  EXPECT_GT(least_agreement(MeshView(make_builtin_mesh(MeshShape::teapot, 64).view())), 0.5);
}

TEST(MeshShapes, NamesHaveASubdivision) {
  EXPECT_EQ(parse_builtin_mesh("teapot")->subdivision, default_mesh_subdivision);
  EXPECT_EQ(parse_builtin_mesh("glass:3")->shape, MeshShape::glass);
  EXPECT_EQ(parse_builtin_mesh("glass:3")->subdivision, 3);
  EXPECT_FALSE(parse_builtin_mesh("teapot.obj").has_value());
  EXPECT_FALSE(parse_builtin_mesh("").has_value());
  for (const char* text : {"teapot:", "teapot:x", "teapot:0", "teapot:1025", "teapot:4x", "teapot:99999999999"})
    EXPECT_THROW((void)parse_builtin_mesh(text), UsageError) << text;
}

TEST(MeshShapes, HeightsAreAGrid) {
  HostArray heights({Kind::heightfield, Element::f32, 1, 5, 3, 1});
  const auto view = heights.image<float>();
  // A plane that rises along x: h = 2 x, so that all normals are equal.
  for (int y = 0; y < 3; ++y)
    for (int x = 0; x < 5; ++x)
      view(x, y) = 2.0f * static_cast<float>(x);
  const HostArray made = mesh_of_heights(std::as_const(heights).view(), 0.25f);
  check_mesh(made.view());
  const MeshView mesh(made.view());
  EXPECT_EQ(mesh.vertices(), 15u);
  EXPECT_EQ(mesh.triangles(), 16u);
  EXPECT_EQ(mesh.position(0), (Float3{-1.0f, -0.25f, -0.5f}));
  EXPECT_EQ(mesh.position(14), (Float3{1.0f, 0.25f, 0.5f}));
  const Float3 normal = normalised({-0.25f, 1.0f, 0.0f});
  for (std::uint32_t v = 0; v < mesh.vertices(); ++v)
    EXPECT_NEAR(dot(mesh.normal(v), normal), 1.0, 1e-6);
  EXPECT_NEAR(least_agreement(mesh), 1.0, 1e-6);
  // A hole takes the triangles around it with it, and no more.
  view(1, 1) = std::nanf("");
  const HostArray with_hole = mesh_of_heights(std::as_const(heights).view());
  check_mesh(with_hole.view());
  const MeshView gap(with_hole.view());
  int drawn = 0;
  for (std::uint32_t t = 0; t < gap.triangles(); ++t) {
    const std::uint32_t corner[3]{gap.corner(t, 0), gap.corner(t, 1), gap.corner(t, 2)};
    const bool area = corner[0] != corner[1] && corner[1] != corner[2];
    drawn += area ? 1 : 0;
    if (area) {
      EXPECT_TRUE(corner[0] != 6 && corner[1] != 6 && corner[2] != 6) << t;
    }
  }
  EXPECT_EQ(drawn, 10);
  view(1, 1) = INFINITY;
  EXPECT_THROW((void)mesh_of_heights(std::as_const(heights).view()), UsageError);
  EXPECT_THROW((void)mesh_of_heights(HostArray({Kind::heightfield, Element::u8, 1, 1, 9, 1}).view()), UsageError);
}

TEST(MeshShapes, RandomMeshesFillTheirWords) {
  for (const std::uint32_t words : {256u, 1000u, 4096u, 65537u}) {
    const HostArray mesh = make_random_mesh(words, 1.0f, 7);
    EXPECT_EQ(mesh.shape(), mesh_shape(words));
    check_mesh(mesh.view());
    EXPECT_GE(MeshView(mesh.view()).triangles(), (words - 220) / 31);
  }
  EXPECT_THROW((void)make_random_mesh(255, 1.0f, 7), UsageError);
}

}  // namespace
}  // namespace threadscape

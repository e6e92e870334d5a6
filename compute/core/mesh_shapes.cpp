#include "compute/core/mesh_shapes.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <numbers>
#include <utility>

#include "compute/core/mesh_builder.h"
#include "compute/core/mesh_patterns.h"
#include "compute/core/mesh_teapot.h"

namespace threadscape {

namespace {

constexpr double pi = std::numbers::pi;

Float3 single(double x, double y, double z) {
  return {static_cast<float>(x), static_cast<float>(y), static_cast<float>(z)};
}

/// Which rows of a grid have collapsed to a point, so that they need one triangle per square only.
enum class Collapsed : std::uint8_t { none, first, last, both };

/// Adds a grid of columns x rows squares. point(i, j) is the vertex of column i and row j; the triangles face to where
/// rows times columns point.
template <class Point>
void add_grid(MeshBuilder& mesh, int columns, int rows, std::uint32_t material, Collapsed collapsed,
              const Point& point) {
  const auto start = static_cast<std::uint32_t>(mesh.vertices()), pitch = static_cast<std::uint32_t>(columns) + 1;
  for (int j = 0; j <= rows; ++j)
    for (int i = 0; i <= columns; ++i)
      mesh.add_vertex(point(i, j));
  const bool no_first = collapsed == Collapsed::first || collapsed == Collapsed::both;
  const bool no_last = collapsed == Collapsed::last || collapsed == Collapsed::both;
  for (int j = 0; j < rows; ++j)
    for (int i = 0; i < columns; ++i) {
      const std::uint32_t a = start + static_cast<std::uint32_t>(j) * pitch + static_cast<std::uint32_t>(i);
      if (!(no_first && j == 0)) mesh.add_triangle(a, a + pitch, a + 1, material);
      if (!(no_last && j == rows - 1)) mesh.add_triangle(a + 1, a + pitch, a + pitch + 1, material);
    }
}

/// A quadrilateral by its corners, which faces to where they go counter-clockwise. Its texture is upright, and repeated
/// `repeats` times along each side.
struct Quad {
  Float3 top_left, bottom_left, bottom_right, top_right;
  float repeats = 1.0f;
};

Quad parallelogram(const Float3& corner, const Float3& right, const Float3& down, float repeats = 1.0f) {
  const auto sum = [](const Float3& a, const Float3& b) { return Float3{a.x + b.x, a.y + b.y, a.z + b.z}; };
  return {corner, sum(corner, down), sum(sum(corner, down), right), sum(corner, right), repeats};
}

void add_quad(MeshBuilder& mesh, int n, std::uint32_t material, const Quad& quad) {
  const Float3 normal = normalised(area_normal(quad.top_left, quad.bottom_left, quad.top_right));
  add_grid(mesh, n, n, material, Collapsed::none, [&](int i, int j) {
    // Weights that are the same bits from either end, so that quadrilaterals with a common side have common vertices.
    const auto whole = static_cast<float>(n);
    const float right = static_cast<float>(i) / whole, left = static_cast<float>(n - i) / whole;
    const float below = static_cast<float>(j) / whole, above = static_cast<float>(n - j) / whole;
    const auto mix = [&](float Float3::*axis) {
      return above * (left * quad.top_left.*axis + right * quad.top_right.*axis) +
             below * (left * quad.bottom_left.*axis + right * quad.bottom_right.*axis);
    };
    return MeshVertex{.position = {mix(&Float3::x), mix(&Float3::y), mix(&Float3::z)},
                      .normal = normal,
                      .texcoord = {right * quad.repeats, above * quad.repeats}};
  });
}

MeshMaterial matt(const Float3& colour) {
  MeshMaterial material;
  material.ambient = {0.25f * colour.x, 0.25f * colour.y, 0.25f * colour.z};
  material.diffuse = colour;
  return material;
}

MeshMaterial glossy(const Float3& colour, float strength, float shininess) {
  MeshMaterial material = matt(colour);
  material.specular = {strength, strength, strength};
  material.shininess = shininess;
  return material;
}

std::uint32_t add_pattern(MeshBuilder& mesh, Texels texels) {
  return mesh.add_texture(pattern_side, pattern_side, std::move(texels));
}

void make_plane(MeshBuilder& mesh, int n) {
  MeshMaterial material = glossy({1.0f, 1.0f, 1.0f}, 0.2f, 20.0f);
  material.colour_map = add_pattern(mesh, checkers(texel(240, 236, 224), texel(46, 92, 120), texel(214, 92, 52)));
  add_quad(mesh, n, mesh.add_material(material), parallelogram({-1, 0, -1}, {2, 0, 0}, {0, 0, 2}, 4.0f));
}

/// The faces of an upright box with a square ground that is turned about the y axis by the angle with this cosine and
/// sine. `bottom` adds the face below.
void add_box(MeshBuilder& mesh, int n, std::uint32_t material, const Float3& centre, const Float3& half, float cosine,
             float sine, bool bottom) {
  const auto corner = [&](float x, float y, float z) {
    return Float3{centre.x + cosine * (x * half.x) + sine * (z * half.z), centre.y + y * half.y,
                  centre.z + cosine * (z * half.z) - sine * (x * half.x)};
  };
  const std::array<Float3, 4> top{corner(-1, 1, -1), corner(-1, 1, 1), corner(1, 1, 1), corner(1, 1, -1)};
  const std::array<Float3, 4> ground{corner(-1, -1, -1), corner(-1, -1, 1), corner(1, -1, 1), corner(1, -1, -1)};
  for (std::size_t i = 0; i < 4; ++i) {
    const std::size_t next = (i + 1) % 4;
    add_quad(mesh, n, material, {top[i], ground[i], ground[next], top[next]});
  }
  add_quad(mesh, n, material, {top[0], top[1], top[2], top[3]});
  if (bottom) add_quad(mesh, n, material, {ground[1], ground[0], ground[3], ground[2]});
}

void make_cube(MeshBuilder& mesh, int n) {
  MeshMaterial material = glossy({1.0f, 1.0f, 1.0f}, 0.8f, 24.0f);
  material.colour_map = add_pattern(mesh, brick_colours());
  material.normal_map = add_pattern(mesh, brick_normals());
  material.specular_map = add_pattern(mesh, brick_highlights());
  constexpr float half = 0.75f;
  add_box(mesh, n, mesh.add_material(material), {}, {half, half, half}, 1.0f, 0.0f, true);
}

void make_sphere(MeshBuilder& mesh, int n) {
  MeshMaterial material = glossy({1.0f, 1.0f, 1.0f}, 0.5f, 60.0f);
  material.colour_map = add_pattern(mesh, checkers(texel(232, 226, 210), texel(176, 58, 46), texel(40, 40, 60)));
  add_grid(mesh, 2 * n, n, mesh.add_material(material), Collapsed::both, [&](int i, int j) {
    // The first and the last meridian, and all points of a pole, are equal to the bit.
    const double longitude = pi * (i % (2 * n)) / n, colatitude = pi * j / n;
    const double ring = j == 0 || j == n ? 0.0 : std::sin(colatitude);
    const double height = j == n ? -1.0 : std::cos(colatitude);
    const Float3 p = single(ring * std::cos(longitude), height, -ring * std::sin(longitude));
    return MeshVertex{p,
                      p,
                      {2.0f * static_cast<float>(i) / static_cast<float>(2 * n),
                       1.0f - static_cast<float>(j) / static_cast<float>(n)}};
  });
}

void make_torus(MeshBuilder& mesh, int n) {
  MeshMaterial material = glossy({1.0f, 1.0f, 1.0f}, 0.6f, 40.0f);
  const std::uint32_t grey = texel(150, 150, 150), white = texel(255, 255, 255);
  material.colour_map = add_pattern(mesh, checkers(white, grey, grey));
  mesh.use_colours();
  constexpr double large = 0.72, small = 0.33;
  add_grid(mesh, 2 * n, n, mesh.add_material(material), Collapsed::none, [&](int i, int j) {
    const double around = pi * (i % (2 * n)) / n, across = 2.0 * pi * (j % n) / n;
    const double ring = large + small * std::sin(across);
    // The hue goes once round the colour circle.
    const auto wave = [&](double shift) {
      return static_cast<std::uint32_t>(std::lround(150.0 + 105.0 * std::cos(around - shift)));
    };
    return MeshVertex{
        single(ring * std::cos(around), small * std::cos(across), -ring * std::sin(around)),
        single(std::sin(across) * std::cos(around), std::cos(across), -std::sin(across) * std::sin(around)),
        {4.0f * static_cast<float>(i) / static_cast<float>(2 * n),
         2.0f - 2.0f * static_cast<float>(j) / static_cast<float>(n)},
        texel(wave(0.0), wave(2.0 * pi / 3.0), wave(4.0 * pi / 3.0))};
  });
}

void make_teapot(MeshBuilder& mesh, int n) {
  MeshMaterial material = glossy({0.92f, 0.92f, 0.88f}, 0.9f, 90.0f);
  material.overlay_map = add_pattern(mesh, ornament());
  const std::uint32_t porcelain = mesh.add_material(material);
  constexpr double scale = 0.3, middle = 1.575;
  int index = 0;
  for (const BezierPatch& patch : teapot_patches()) {
    // Rows that have collapsed: the first of the top of the lid, and the last of the bottom.
    const bool lid = index / 4 == 3, bottom = index / 4 == 5;
    const Collapsed collapsed = lid ? Collapsed::first : bottom ? Collapsed::last : Collapsed::none;
    const auto quadrant = static_cast<float>(index % 4);
    add_grid(mesh, n, n, porcelain, collapsed, [&](int i, int j) {
      const PatchSample sample = sample_patch(patch, i, j, n);
      const auto [x, y, z] = sample.normal;
      Float3 normal = normalised(single(x, z, -y));
      if (lid && j == 0) normal = {0.0f, 1.0f, 0.0f};
      if (bottom && j == n) normal = {0.0f, -1.0f, 0.0f};
      const auto steps = static_cast<float>(n);
      return MeshVertex{single(scale * sample.point.x, scale * (sample.point.z - middle), -scale * sample.point.y),
                        normal,
                        {quadrant + static_cast<float>(i) / steps, 1.0f - static_cast<float>(j) / steps}};
    });
    ++index;
  }
}

void make_room(MeshBuilder& mesh, int n) {
  const std::uint32_t white = mesh.add_material(matt({0.75f, 0.73f, 0.68f}));
  const std::uint32_t red = mesh.add_material(matt({0.63f, 0.07f, 0.05f}));
  const std::uint32_t green = mesh.add_material(matt({0.12f, 0.45f, 0.11f}));
  const std::uint32_t block = mesh.add_material(glossy({0.70f, 0.66f, 0.58f}, 0.3f, 30.0f));
  MeshMaterial lamp = matt({0.2f, 0.2f, 0.2f});
  lamp.emission = {1.0f, 0.92f, 0.75f};
  const std::uint32_t light = mesh.add_material(lamp);
  add_quad(mesh, n, white, parallelogram({-1, -1, -1}, {2, 0, 0}, {0, 0, 2}));  // floor
  add_quad(mesh, n, white, parallelogram({-1, 1, 1}, {2, 0, 0}, {0, 0, -2}));   // ceiling
  add_quad(mesh, n, white, parallelogram({-1, 1, -1}, {2, 0, 0}, {0, -2, 0}));  // back wall
  add_quad(mesh, n, red, parallelogram({-1, 1, 1}, {0, 0, -2}, {0, -2, 0}));    // left wall
  add_quad(mesh, n, green, parallelogram({1, 1, -1}, {0, 0, 2}, {0, -2, 0}));   // right wall
  add_quad(mesh, n, light, parallelogram({-0.25f, 0.99f, 0.2f}, {0.5f, 0, 0}, {0, 0, -0.4f}));
  // Angles of about 17 degrees, as in the measured box; the cosines and sines are those of 3-4-5-like triangles.
  add_box(mesh, n, block, {-0.35f, -0.4f, -0.35f}, {0.29f, 0.6f, 0.29f}, 0.96f, 0.28f, false);
  add_box(mesh, n, block, {0.35f, -0.7f, 0.3f}, {0.29f, 0.3f, 0.29f}, 0.96f, -0.28f, false);
}

void make_crossing(MeshBuilder& mesh, int n) {
  const std::uint32_t blue = mesh.add_material(matt({0.15f, 0.35f, 0.75f}));
  const std::uint32_t orange = mesh.add_material(matt({0.95f, 0.55f, 0.12f}));
  add_quad(mesh, n, blue, parallelogram({-1, 0, -1}, {2, 0, 0}, {0, 0, 2}));
  constexpr float tilt = 0.001f;
  add_quad(mesh, n, orange, parallelogram({-1, -tilt, -1}, {2, 2 * tilt, 0}, {0, 0, 2}));
}

void make_glass(MeshBuilder& mesh, int n) {
  MeshMaterial wall = matt({1.0f, 1.0f, 1.0f});
  wall.colour_map = add_pattern(mesh, checkers(texel(240, 240, 240), texel(120, 120, 126), texel(90, 90, 96)));
  add_quad(mesh, n, mesh.add_material(wall), parallelogram({-1, 1, -1}, {2, 0, 0}, {0, -2, 0}, 2.0f));
  const std::uint32_t alpha = add_pattern(mesh, lattice());
  constexpr std::array<Float3, 5> colours{
      {{0.9f, 0.15f, 0.15f}, {0.95f, 0.75f, 0.1f}, {0.15f, 0.7f, 0.25f}, {0.1f, 0.5f, 0.9f}, {0.6f, 0.2f, 0.8f}}};
  for (std::size_t i = 0; i < colours.size(); ++i) {
    MeshMaterial pane = glossy(colours[i], 0.5f, 60.0f);
    pane.opacity = 0.45f;
    if (i == 2) pane.alpha_map = alpha;
    const float shift = 0.16f * (static_cast<float>(i) - 2.0f), depth = 0.7f - 0.35f * static_cast<float>(i);
    // From front to back, which is the wrong order to blend them in without sorting.
    add_quad(mesh, n, mesh.add_material(pane),
             parallelogram({-0.55f + shift, 0.55f + shift, depth}, {1.1f, 0, 0}, {0, -1.1f, 0}));
  }
}

/// How a built-in mesh is made, and the figures that determine its size.
struct Recipe {
  void (*make)(MeshBuilder& mesh, int subdivision);
  std::uint64_t grids;
  std::uint64_t columns;    ///< Columns of a grid, in units of the subdivision.
  std::uint64_t collapsed;  ///< Rows of all grids that have collapsed to a point.
  std::uint64_t materials, textures;
  bool colours = false;
  int least = 1;  ///< The mesh is divided at least this often.
};

/// In the order of MeshShape.
constexpr std::array<Recipe, mesh_shape_names.size()> recipes{{{make_plane, 1, 1, 0, 1, 1},
                                                               {make_cube, 6, 1, 0, 1, 3},
                                                               {make_sphere, 1, 2, 2, 1, 1, false, 3},
                                                               {make_torus, 1, 2, 0, 1, 1, true, 3},
                                                               {make_teapot, 32, 1, 8, 1, 1},
                                                               {make_room, 16, 1, 0, 5, 0},
                                                               {make_crossing, 2, 1, 0, 2, 0},
                                                               {make_glass, 6, 1, 0, 6, 2}}};

void require_subdivision(int subdivision) {
  if (subdivision < 1 || subdivision > max_mesh_subdivision)
    throw UsageError("subdivision " + std::to_string(subdivision) + ": 1 to " + std::to_string(max_mesh_subdivision) +
                     " are accepted");
}

}  // namespace

Shape builtin_mesh_shape(MeshShape shape, int subdivision) {
  require_subdivision(subdivision);
  const Recipe& recipe = recipes[static_cast<std::size_t>(shape)];
  const auto n = static_cast<std::uint64_t>(std::max(subdivision, recipe.least)), columns = recipe.columns * n;
  const MeshHeader header = lay_out_mesh({.vertices = recipe.grids * (columns + 1) * (n + 1),
                                          .triangles = recipe.grids * 2 * columns * n - recipe.collapsed * columns,
                                          .materials = recipe.materials,
                                          .textures = recipe.textures,
                                          .texels = recipe.textures * texture_texels(pattern_side, pattern_side),
                                          .texcoords = true,
                                          .colours = recipe.colours,
                                          .triangle_materials = recipe.materials > 1});
  return mesh_shape(header.words);
}

HostArray make_builtin_mesh(MeshShape shape, int subdivision) {
  require_subdivision(subdivision);
  MeshBuilder mesh;
  mesh.use_texcoords();
  const Recipe& recipe = recipes[static_cast<std::size_t>(shape)];
  recipe.make(mesh, std::max(subdivision, recipe.least));
  return mesh.build();
}

std::optional<BuiltinMesh> parse_builtin_mesh(std::string_view text) {
  const std::size_t colon = text.find(':');
  const auto* const name = std::ranges::find(mesh_shape_names, text.substr(0, colon));
  if (name == mesh_shape_names.end()) return std::nullopt;
  BuiltinMesh mesh{.shape = static_cast<MeshShape>(name - mesh_shape_names.begin())};
  if (colon == std::string_view::npos) return mesh;
  const std::string_view number = text.substr(colon + 1);
  const char* const end = number.data() + number.size();
  const auto [at, error] = std::from_chars(number.data(), end, mesh.subdivision);
  if (error != std::errc() || at != end)
    throw UsageError("mesh '" + std::string(text) + "': after the colon comes a subdivision, 1 to " +
                     std::to_string(max_mesh_subdivision) + ", for example '" + std::string(*name) + ":16'");
  require_subdivision(mesh.subdivision);
  return mesh;
}

}  // namespace threadscape

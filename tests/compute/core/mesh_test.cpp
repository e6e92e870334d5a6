// Tests of the layout of meshes, of what check_mesh() refuses, and of the builder: normals and mip levels.

#include "compute/core/mesh.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstring>
#include <limits>
#include <numbers>
#include <stop_token>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/mesh_builder.h"
#include "compute/core/mesh_shapes.h"

namespace threadscape {
namespace {

MeshHeader& header_of(HostArray& mesh) {
  return *reinterpret_cast<MeshHeader*>(mesh.data());
}

std::uint32_t* words_of(HostArray& mesh) {
  return reinterpret_cast<std::uint32_t*>(mesh.data());
}

std::string mesh_refusal(const HostArray& mesh) {
  try {
    check_mesh(mesh.view());
  } catch (const UsageError& error) {
    return error.what();
  }
  return "";
}

/// Two triangles of a square with a vertex at the origin; they share an edge, and the second one is folded upwards by
/// `degrees`.
MeshBuilder folded(float degrees) {
  MeshBuilder mesh;
  const float angle = degrees * 3.14159265f / 180.0f;
  mesh.add_vertex({.position = {0, 0, 0}});
  mesh.add_vertex({.position = {0, 1, 0}});
  mesh.add_vertex({.position = {-1, 0, 0}});
  mesh.add_vertex({.position = {std::cos(angle), 0, std::sin(angle)}});
  mesh.add_triangle(0, 1, 2);
  mesh.add_triangle(0, 3, 1);
  return mesh;
}

/// A cone of `sides` triangles around vertex 0, its apex. Triangles with odd numbers are steep if `folded`.
MeshBuilder cone(std::uint32_t sides, bool folded) {
  MeshBuilder mesh;
  mesh.add_vertex({});
  for (std::uint32_t i = 0; i < sides; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / sides;
    mesh.add_vertex({.position = {static_cast<float>(std::cos(angle)), static_cast<float>(std::sin(angle)), -1.0f}});
  }
  for (std::uint32_t i = 0; i < sides; ++i) {
    const std::uint32_t a = 1 + i, b = 1 + (i + 1) % sides;
    mesh.add_triangle(0, folded && i % 2 == 1 ? b : a, folded && i % 2 == 1 ? a : b);
  }
  return mesh;
}

/// Vertices and triangles, from which normals are made.
struct Soup {
  std::vector<MeshVertex> vertices;
  std::vector<std::uint32_t> corners;  ///< Three vertices for each triangle.

  [[nodiscard]] Float3 area(std::size_t t) const {
    return area_normal(vertices[corners[3 * t]].position, vertices[corners[3 * t + 1]].position,
                       vertices[corners[3 * t + 2]].position);
  }
  /// The normal of a corner by the definition of NormalMode::angle with 60 degrees: a sum over all triangles.
  [[nodiscard]] Float3 normal(std::size_t corner) const {
    const std::size_t t = corner / 3;
    const Float3 own = normalised(area(t));
    const float crease = std::cos(60.0f * std::numbers::pi_v<float> / 180.0f) - 1e-6f;
    Float3 sum;
    for (std::size_t i = 0; i < corners.size(); ++i) {
      if (corners[i] != corners[corner]) continue;
      const Float3 other = area(i / 3), unit = normalised(other);
      if (i / 3 == t || own.x * unit.x + own.y * unit.y + own.z * unit.z >= crease)
        sum = {sum.x + other.x, sum.y + other.y, sum.z + other.z};
    }
    const Float3 normal = normalised(sum);
    return normal == Float3{} ? Float3{0, 0, 1} : normal;
  }
};

TEST(Mesh, SectionsFollowTheHeaderInOrder) {
  const MeshHeader header = lay_out_mesh({.vertices = 10,
                                          .triangles = 4,
                                          .materials = 2,
                                          .textures = 1,
                                          .texels = 21,
                                          .texcoords = true,
                                          .colours = false,
                                          .triangle_materials = true});
  EXPECT_EQ(header.positions_at, 24u);
  EXPECT_EQ(header.normals_at, 54u);
  EXPECT_EQ(header.texcoords_at, 84u);
  EXPECT_EQ(header.colours_at, 0u);
  EXPECT_EQ(header.triangles_at, 104u);
  EXPECT_EQ(header.triangle_materials_at, 116u);
  EXPECT_EQ(header.materials_at, 120u);
  EXPECT_EQ(header.textures_at, 160u);
  EXPECT_EQ(header.texels_at, 164u);
  EXPECT_EQ(header.words, 185u);
}

TEST(Mesh, CountsAboveALimitAreRefusedBeforeMemoryIsTaken) {
  EXPECT_THROW((void)lay_out_mesh({.vertices = std::uint64_t{1} << 40, .triangles = 1}), UsageError);
  EXPECT_THROW((void)lay_out_mesh({.vertices = 3, .triangles = std::uint64_t{1} << 29}), UsageError);
  // Below each limit, but with more words than 32 bits can state.
  EXPECT_THROW((void)lay_out_mesh({.vertices = std::uint64_t{1} << 28,
                                   .triangles = std::uint64_t{1} << 28,
                                   .materials = 1,
                                   .textures = 1,
                                   .texels = std::uint64_t{1} << 31}),
               UsageError);
  MeshBuilder few({.vertices = 2});
  few.add_vertex({});
  few.add_vertex({});
  EXPECT_THROW(few.add_vertex({}), UsageError);
}

TEST(Mesh, DamagedMeshesAreRefusedWithTheCause) {
  const auto damaged = [](const auto& damage) {
    HostArray mesh = make_builtin_mesh(MeshShape::cube, 2);
    damage(mesh);
    return mesh_refusal(mesh);
  };
  EXPECT_EQ(damaged([](HostArray&) {}), "");
  EXPECT_NE(damaged([](HostArray& m) { header_of(m).magic = 1; }).find("first word"), std::string::npos);
  EXPECT_NE(damaged([](HostArray& m) { header_of(m).version = 9; }).find("version 9"), std::string::npos);
  EXPECT_NE(damaged([](HostArray& m) { header_of(m).words += 1; }).find("words"), std::string::npos);
  EXPECT_NE(damaged([](HostArray& m) { header_of(m).positions_at = header_of(m).words - 1; }).find("positions"),
            std::string::npos);
  EXPECT_NE(damaged([](HostArray& m) { header_of(m).triangles_at = 3; }).find("triangles"), std::string::npos);
  EXPECT_NE(damaged([](HostArray& m) { header_of(m).vertices = 0xffffffffu; }).find("positions"), std::string::npos);
  EXPECT_NE(
      damaged([](HostArray& m) { words_of(m)[header_of(m).triangles_at + 7] = 54; }).find("triangle 2 has vertex"),
      std::string::npos);
  EXPECT_NE(damaged([](HostArray& m) {
              words_of(m)[header_of(m).positions_at + 4] = 0x7fc00000u;
            }).find("the position of vertex 1 "),
            std::string::npos);
  EXPECT_NE(damaged([](HostArray& m) {
              words_of(m)[header_of(m).texcoords_at + 5] = 0x7f800000u;
            }).find("the texture coordinate of vertex 2 "),
            std::string::npos);
  const auto material = [](HostArray& m) -> MeshMaterial& {
    return *reinterpret_cast<MeshMaterial*>(words_of(m) + header_of(m).materials_at);
  };
  EXPECT_NE(damaged([&](HostArray& m) { material(m).normal_map = 3; }).find("map 3"), std::string::npos);
  EXPECT_NE(damaged([&](HostArray& m) { material(m).opacity = 1.5f; }).find("opacity"), std::string::npos);
  EXPECT_NE(damaged([&](HostArray& m) { material(m).diffuse.y = std::nanf(""); }).find("colour"), std::string::npos);
  const auto texture = [](HostArray& m) -> MeshTexture& {
    return *reinterpret_cast<MeshTexture*>(words_of(m) + header_of(m).textures_at);
  };
  EXPECT_NE(damaged([&](HostArray& m) { texture(m).width = 0; }).find("texture 0 is 0x256"), std::string::npos);
  EXPECT_NE(damaged([&](HostArray& m) { texture(m).texels_at = 5; }).find("texels of texture 0"), std::string::npos);
  EXPECT_NE(damaged([&](HostArray& m) { texture(m).levels = 3; }).find("mip levels"), std::string::npos);
  HostArray pixels(Shape::image(Element::u8, 1, 4, 4));
  EXPECT_NE(mesh_refusal(pixels).find("is not a mesh"), std::string::npos);
  EXPECT_NE(mesh_refusal(HostArray(mesh_shape(3))).find("shorter"), std::string::npos);
}

TEST(Mesh, NormalsByFaceSplitTheVerticesOfAnEdge) {
  const HostArray mesh = folded(90.0f).build({.mode = NormalMode::face});
  const MeshView view(mesh.view());
  EXPECT_EQ(view.vertices(), 6u);
  for (int corner = 0; corner < 3; ++corner) {
    EXPECT_EQ(view.normal(view.corner(0, corner)), (Float3{0, 0, 1}));
    EXPECT_NEAR(view.normal(view.corner(1, corner)).x, -1.0f, 1e-6f);
  }
}

TEST(Mesh, NormalsByAngleAreSmoothBelowTheCreaseOnly) {
  HostArray made = folded(50.0f).build({.crease_degrees = 60.0f});
  const MeshView smooth(std::as_const(made).view());
  EXPECT_EQ(smooth.vertices(), 4u);
  // Equal areas, so the normal halves the angle between those of the triangles.
  const Float3 shared = smooth.normal(smooth.corner(0, 0));
  EXPECT_NEAR(shared.x, -std::sin(25.0f * 3.14159265f / 180.0f), 1e-6f);
  EXPECT_NEAR(shared.z, std::cos(25.0f * 3.14159265f / 180.0f), 1e-6f);
  made = folded(70.0f).build({.crease_degrees = 60.0f});
  EXPECT_EQ(MeshView(std::as_const(made).view()).vertices(), 6u);
}

TEST(Mesh, NormalsAreTheSumsOfTheirDefinitionToTheBit) {
  // 40 vertices with whole numbers as coordinates, so that equal normals occur, in 200 triangles of which some have no
  // area.
  Soup soup;
  std::uint32_t state = 7;
  const auto random = [&](std::uint32_t below) { return (state = state * 1664525u + 1013904223u) / 65536u % below; };
  for (int i = 0; i < 40; ++i) {
    const auto coordinate = [&] { return static_cast<float>(random(3)) - 1.0f; };
    soup.vertices.push_back({.position = {coordinate(), coordinate(), coordinate()}});
    if (i % 8 == 0) soup.vertices.back().normal = {0, i % 16 == 0 ? 1.0f : -1.0f, 0};
  }
  for (int i = 0; i < 600; ++i)
    soup.corners.push_back(random(40));
  MeshBuilder builder;
  for (const MeshVertex& vertex : soup.vertices)
    builder.add_vertex(vertex);
  for (std::size_t i = 0; i < soup.corners.size(); i += 3)
    builder.add_triangle(soup.corners[i], soup.corners[i + 1], soup.corners[i + 2]);
  const HostArray made = builder.build();
  const MeshView mesh(made.view());
  // A vertex is numbered where a corner needs it first.
  std::vector<std::pair<std::uint32_t, Float3>> expected;
  for (std::size_t i = 0; i < soup.corners.size(); ++i) {
    const std::uint32_t v = soup.corners[i];
    const Float3 given = soup.vertices[v].normal;
    const std::pair<std::uint32_t, Float3> vertex{v, given == Float3{} ? soup.normal(i) : given};
    const auto found = std::ranges::find(expected, vertex);
    ASSERT_EQ(mesh.corner(static_cast<std::uint32_t>(i / 3), static_cast<int>(i % 3)), found - expected.begin()) << i;
    if (found == expected.end()) expected.push_back(vertex);
  }
  ASSERT_EQ(mesh.vertices(), expected.size());
  for (std::uint32_t v = 0; v < mesh.vertices(); ++v) {
    const Float3 normal = mesh.normal(v);
    EXPECT_EQ(std::memcmp(&normal, &expected[v].second, sizeof normal), 0) << v;
    EXPECT_EQ(mesh.position(v), soup.vertices[expected[v].first].position) << v;
  }
}

TEST(Mesh, NormalsThatDifferByTheSignOfAZeroShareAVertex) {
  MeshBuilder builder;
  for (const Float3& position : {Float3{}, Float3{1, 0, 0}, Float3{0, 1, 0}, Float3{1, -1, 0}})
    builder.add_vertex({.position = position});
  builder.add_triangle(0, 1, 2);
  builder.add_triangle(0, 3, 2);
  // The area vectors are (0, 0, 1) and (-0, 0, 1).
  EXPECT_TRUE(std::signbit(area_normal({}, {1, -1, 0}, {0, 1, 0}).x));
  const HostArray made = builder.build({.mode = NormalMode::face});
  EXPECT_EQ(MeshView(made.view()).vertices(), 4u);
}

TEST(Mesh, AVertexOfVeryManyTrianglesHasOneNormalWithoutCreases) {
  const auto normals_at_apex = [](std::uint32_t sides) {
    const HostArray made = cone(sides, true).build();
    const MeshView mesh(made.view());
    std::uint32_t count = 0;
    for (std::uint32_t v = 0; v < mesh.vertices(); ++v)
      count += mesh.position(v) == Float3{} ? 1u : 0u;
    return count;
  };
  EXPECT_GT(normals_at_apex(max_crease_triangles), 1u);
  EXPECT_EQ(normals_at_apex(max_crease_triangles + 2), 1u);
  const HostArray made = cone(max_crease_triangles + 2, false).build();
  const MeshView mesh(made.view());
  const Float3 apex = mesh.normal(mesh.corner(0, 0));
  EXPECT_NEAR(apex.x, 0.0f, 1e-4f);
  EXPECT_NEAR(apex.y, 0.0f, 1e-4f);
  EXPECT_NEAR(apex.z, 1.0f, 1e-6f);
}

TEST(Mesh, NormalsOfAMillionTrianglesAroundAVertexAreMadeInTime) {
  // Work that grows with the square of the number of triangles would take more time than a test has.
  constexpr std::uint32_t sides = 1'000'000;
  const HostArray smooth = cone(sides, false).build({.crease_degrees = 180.0f});
  EXPECT_EQ(MeshView(smooth.view()).vertices(), sides + 1);
  const HostArray flat = cone(sides, false).build({.mode = NormalMode::face});
  const MeshView mesh(flat.view());
  EXPECT_GT(mesh.vertices(), sides);
  EXPECT_LE(mesh.vertices(), 3 * sides);
}

TEST(Mesh, MakingNormalsEndsOnRequest) {
  std::stop_source source;
  source.request_stop();
  EXPECT_THROW((void)folded(50.0f).build({}, source.get_token()), Cancelled);
}

TEST(Mesh, GivenNormalsAreKept) {
  MeshBuilder mesh = folded(0.0f);
  const std::uint32_t v = mesh.add_vertex({.position = {0, -1, 0}, .normal = {0, 1, 0}});
  mesh.add_triangle(0, 2, v);
  const HostArray made = mesh.build();
  const MeshView view(made.view());
  EXPECT_EQ(view.normal(view.corner(2, 2)), (Float3{0, 1, 0}));
}

TEST(Mesh, TrianglesWithoutAreaAndIndicesOutOfRange) {
  MeshBuilder flat;
  for (int i = 0; i < 3; ++i)
    flat.add_vertex({.position = {static_cast<float>(i), 0, 0}});
  flat.add_triangle(0, 1, 2);
  flat.add_triangle(1, 1, 1);
  EXPECT_EQ(mesh_refusal(flat.build()), "");
  MeshBuilder wrong;
  wrong.add_vertex({});
  wrong.add_triangle(0, 0, 1);
  EXPECT_THROW((void)wrong.build(), UsageError);
  EXPECT_THROW((void)MeshBuilder().build(), UsageError);
}

TEST(Mesh, MipLevelsKeepTheMeanOfAPicture) {
  // The mean of each channel is kept down to the last texel, up to half a level of rounding per mip level.
  for (const auto& [width, height] : {std::pair{8u, 8u}, {5u, 7u}, {1u, 9u}, {16u, 3u}, {13u, 1u}}) {
    std::vector<std::uint32_t> texels(texture_texels(width, height));
    double sum = 0.0;
    for (std::uint32_t i = 0; i < width * height; ++i) {
      const std::uint32_t value = i * 7919u % 256u;
      texels[i] = value | 0xff000000u;
      sum += value;
    }
    make_mip_levels(width, height, texels);
    EXPECT_NEAR(static_cast<double>(texels.back() & 255u), sum / (width * height), 0.5 * texture_levels(width, height))
        << width << "x" << height;
    EXPECT_EQ(texels.back() >> 24, 255u);
  }
  EXPECT_EQ(texture_levels(256, 1), 9u);
  EXPECT_EQ(texture_texels(4, 2), 8u + 2u + 1u);
}

TEST(Mesh, NormalisedHoldsForTinyAndHugeVectors) {
  for (const float scale : {1e-30f, 1.0f, 1e30f}) {
    const Float3 unit = normalised({0, 3 * scale, 4 * scale});
    EXPECT_FLOAT_EQ(unit.y, 0.6f) << scale;
    EXPECT_FLOAT_EQ(unit.z, 0.8f) << scale;
  }
  EXPECT_EQ(normalised({}), Float3{});
  EXPECT_EQ(normalised({std::numeric_limits<float>::infinity(), 0, 0}), Float3{});
}

}  // namespace
}  // namespace threadscape

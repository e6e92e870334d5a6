// Files as other programs write them, in the corners of the formats OBJ, MTL, PLY and STL.

#include <bit>
#include <cmath>
#include <cstring>
#include <numbers>

#include "compute/io/meshes/mesh_file.h"
#include "compute/io/meshes/polygon.h"
#include "compute/io/pictures/image_file.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

class ModelFormats : public TestFolder {
 protected:
  io::Loaded load(const std::string& name, const std::string& text) const {
    write_bytes(path(name), text);
    return io::load_mesh(path(name), {});
  }
  std::string failure(const std::string& name, const std::string& text) const {
    try {
      (void)load(name, text);
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }
  void write_red(const std::string& name) const {
    HostArray pixels(Shape::image(Element::u8, 4, 1, 1));
    pixels.image<Rgba8>()(0, 0) = {255, 0, 0, 255};
    io::save_picture(path(name), std::as_const(pixels).view(), io::FileColour::rgb);
  }
  /// The material of the first triangle of an OBJ file with these materials for the name "m".
  MeshMaterial material(const std::string& mtl) const {
    write_bytes(path("m.mtl"), "newmtl m\n" + mtl);
    const io::Loaded loaded = load("m.obj", "mtllib m.mtl \nv 0 0 0\nv 1 0 0\nv 0 1 0\nusemtl m \nf 1 2 3 \n");
    const MeshView mesh(loaded.pixels.view());
    return mesh.material(mesh.material_index(0));
  }
};

/// The areas of the triangles of a mesh in the plane z = 0, positive if counter-clockwise: their sum and that of their
/// absolute values.
std::pair<double, double> areas_of(const io::Loaded& loaded) {
  const MeshView mesh(loaded.pixels.view());
  double sum = 0.0, covered = 0.0;
  for (std::uint32_t t = 0; t < mesh.triangles(); ++t) {
    const Float3 a = mesh.position(mesh.corner(t, 0)), b = mesh.position(mesh.corner(t, 1));
    const Float3 c = mesh.position(mesh.corner(t, 2));
    const double area = 0.5 * ((double{b.x} - a.x) * (double{c.y} - a.y) - (double{b.y} - a.y) * (double{c.x} - a.x));
    sum += area;
    covered += std::fabs(area);
  }
  return {sum, covered};
}

std::string face_of(const std::vector<std::pair<double, double>>& corners) {
  std::string text, face = "f";
  for (std::size_t i = 0; i < corners.size(); ++i) {
    text += "v " + std::to_string(corners[i].first) + " " + std::to_string(corners[i].second) + " 0\n";
    face += " " + std::to_string(i + 1);
  }
  return text + face + "\n";
}

TEST_F(ModelFormats, FacesKeepTheirArea) {
  using Corners = std::vector<std::pair<double, double>>;
  const Corners ell{{0, 0}, {2, 0}, {2, 1}, {1, 1}, {1, 2}, {0, 2}};
  const Corners on_a_line{{2, 0}, {1, 1}, {0, 2}, {0, 0}, {1, 0}};
  const Corners wall{{0, 0}, {4, 0}, {4, 5}, {5, 5}, {5, 0}, {10, 0}, {10, 5}, {10, 10}, {5, 10}, {0, 10}, {0, 5}};
  Corners star, comb;
  for (int i = 0; i < 40; ++i) {
    const double angle = 2.0 * std::numbers::pi * i / 40.0, radius = i % 2 == 0 ? 10.0 : 3.0;
    star.emplace_back(radius * std::cos(angle), radius * std::sin(angle));
  }
  for (int i = 0; i < 200; ++i)
    comb.emplace_back(i, i % 2 == 0 ? 1.0 : 100.0);
  comb.emplace_back(199.0, 0.0);
  comb.emplace_back(0.0, 0.0);
  std::ranges::reverse(comb);
  for (Corners corners : {ell, on_a_line, wall, star, comb})
    for (std::size_t turn = 0; turn < corners.size(); ++turn) {
      double twice = 0.0;
      for (std::size_t i = 0; i < corners.size(); ++i) {
        const auto [ax, ay] = corners[i];
        const auto [bx, by] = corners[(i + 1) % corners.size()];
        twice += ax * by - ay * bx;
      }
      const auto [sum, covered] = areas_of(load("face.obj", face_of(corners)));
      EXPECT_NEAR(sum, 0.5 * twice, 1e-4 * std::fabs(twice)) << corners.size() << " corners";
      EXPECT_NEAR(covered, std::fabs(0.5 * twice), 1e-4 * std::fabs(twice)) << "nothing is covered twice";
      std::ranges::rotate(corners, corners.begin() + 1);
      if (corners.size() > 50) turn += 40;
    }
}

TEST_F(ModelFormats, FacesThatTakeTooLongAreRefused) {
  std::vector<std::pair<double, double>> spikes;
  for (int i = 0; i < 40'000; ++i)
    spikes.emplace_back(i, i % 2 * 1000 + i);
  std::string text = face_of(spikes);
  const std::string face = text.substr(text.find('f'));
  for (int i = 0; i < 30; ++i)
    text += face;
  EXPECT_NE(failure("spikes.obj", text).find("too long to be cut into triangles"), std::string::npos);
  std::stop_source stop;
  stop.request_stop();
  EXPECT_THROW((void)io::load_mesh(path("spikes.obj"), {.stop = stop.get_token()}), Cancelled);
}

TEST_F(ModelFormats, ObjAsOtherProgramsWriteIt) {
  const auto mesh_of = [&](const std::string& text) { return load("a.obj", text); };
  const io::Loaded dot = mesh_of("v 0 0 0\nv .5 0 0\nv 0 +.5 -0.\nf 1 2 3\n");
  EXPECT_EQ(MeshView(dot.pixels.view()).header().high, (Float3{0.5f, 0.5f, 0}));
  // w has no meaning for polygons, not even 0.
  const io::Loaded w = mesh_of("v 0 0 0 2\nv 1 0 0 0\nv 0 1 0 2\nf 1 2 3\n");
  EXPECT_EQ(MeshView(w.pixels.view()).header().high, (Float3{1, 1, 0}));
  const io::Loaded alpha = mesh_of("v 0 0 0 1 0 0 0.5\nv 1 0 0 0 1 0 1\nv 0 1 0 0 0 1 1\nf 1 2 3\n");
  const MeshView coloured(alpha.pixels.view());
  ASSERT_TRUE(coloured.has_colours());
  EXPECT_EQ(coloured.colour(coloured.corner(0, 0)), 0x800000ffu);
  // A line that goes on, negative indices, a comment behind a face, and ends of lines of another system.
  const io::Loaded odd = mesh_of("v 0 0 0\r\nv 1 0 \\\r\n0\r\nv 0 1 0\r\nf -3 -2 \\\r\n-1 # last\r\n");
  EXPECT_EQ(MeshView(odd.pixels.view()).triangles(), 1u);
  // Faces without a material are not drawn with the first one.
  write_bytes(path("red.mtl"), "newmtl red\nKd 1 0 0\n");
  const io::Loaded mixed = mesh_of("mtllib red.mtl\nv 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\nusemtl red\nf 3 2 1\n");
  const MeshView both(mixed.pixels.view());
  EXPECT_EQ(both.material(both.material_index(0)).diffuse, (Float3{0.8f, 0.8f, 0.8f}));
  EXPECT_EQ(both.material(both.material_index(1)).diffuse, (Float3{1, 0, 0}));
  const io::Loaded notes =
      mesh_of("mtllib none.mtl\nusemtl a\nv 0 0 0\nv 1 0 0\nv 0 1 0\nl 1 2\ncurv 0 1 1 2\nf 1 2 3\n");
  for (const char* said : {"materials 'none.mtl' are not there", "material 'a' is stated nowhere", "lines are left out",
                           "curved surfaces are left out"})
    EXPECT_NE(notes.note.find(said), std::string::npos) << notes.note;
  // Exporters leave out normals and texture coordinates, but not their numbers, and write edges as faces.
  const io::Loaded absent = mesh_of("v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1/1/1 2/2/2 3/3/9\nf 1// 2//\n");
  EXPECT_EQ(MeshView(absent.pixels.view()).triangles(), 1u);
  for (const char* said : {"texture coordinates that its faces name are not there", "normals that its faces name",
                           "faces with fewer than three corners are left out"})
    EXPECT_NE(absent.note.find(said), std::string::npos) << absent.note;
  EXPECT_NE(failure("a.obj", "v 0 0 0\nv 1 0 0\nv 0 1 0\n\nf 1 2 4\n").find("line 5: the face has vertex 4"),
            std::string::npos);
  EXPECT_NE(failure("a.obj", "v 0 x 0\n").find("line 1: 'x' is no number"), std::string::npos);
  EXPECT_NE(failure("a.obj", "v 0 0 0\nf 1 1 0\n").find("'0' is no index"), std::string::npos);
}

TEST_F(ModelFormats, MaterialsAsOtherProgramsWriteThem) {
  write_red("tex.png");
  write_red("two words.png");
  for (const char* map : {"map_Kd tex.png ", "map_Kd -colorspace sRGB tex.png", "map_Kd -s 1 1 1 -o 0 0 tex.png",
                          "map_Kd -blendu on -bm 2 -clamp off tex.png\t", "map_Kd two words.png", "MAP_KD .\\tex.png"})
    EXPECT_NE(material(map).colour_map, no_map) << map;
  const MeshMaterial physical = material("Kd 1 0 0\nPr 0.5\nPm 0\naniso 0.1\nanisor 0\nPc 0\nPcr 0\nPs 0\nNi 1.45\n");
  EXPECT_EQ(physical.diffuse, (Float3{1, 0, 0}));
  EXPECT_NEAR(physical.shininess, 30.0f, 1e-4f);
  EXPECT_EQ(material("Tr 0.25\n").opacity, 0.75f);
  EXPECT_EQ(material("Kd 0.5\n").diffuse, (Float3{0.5f, 0.5f, 0.5f}));
  EXPECT_EQ(material("Kd spectral file.rfl 1\n").diffuse, (Float3{0.8f, 0.8f, 0.8f}));
  write_bytes(path("m.mtl"), "newmtl m\nKd 1 x 0\n");
  EXPECT_NE(failure("m.obj", "mtllib m.mtl\n").find("'m.mtl', line 2: 'x' is no number"), std::string::npos);
}

std::string ply(const std::string& form, const std::string& elements) {
  return "ply\nformat " + form + " 1.0\n" + elements + "end_header\n";
}
constexpr const char* four_points = "element vertex 4\nproperty float x\nproperty float y\nproperty float z\n";

TEST_F(ModelFormats, PlyWithStripsAndOtherElementsFirst) {
  const io::Loaded strip = load("a.ply", ply("ascii",
                                             "element vertex 6\nproperty float x\nproperty float y\n"
                                             "property float z\nelement tristrips 1\n"
                                             "property list int int vertex_indices\n") +
                                             "0 0 0\n1 0 0\n0 1 0\n1 1 0\n0 2 0\n1 2 0\n6 0 1 2 3 4 5\n");
  EXPECT_EQ(MeshView(strip.pixels.view()).triangles(), 4u);
  EXPECT_EQ(areas_of(strip), (std::pair{2.0, 2.0}));
  const std::string two =
      ply("ascii", std::string(four_points) + "element tristrips 1\nproperty list int int vertex_indices\n");
  EXPECT_EQ(MeshView(load("a.ply", two + "0 0 0 1 0 0\n0 1 0\n1 1 0\n7 0 1 2 -1 2 1 3\n").pixels.view()).triangles(),
            2u);
  const io::Loaded camera = load("a.ply", ply("ascii", std::string("element camera 1\nproperty float view\n"
                                                                   "property list uchar int n\n"
                                                                   "element face 1\nproperty uchar flags\n"
                                                                   "property list uchar int vertex_index\n") +
                                                           four_points) +
                                              "7 2 5 6\n1 4 0 1 3 2\n0 0 0\n1 0 0\n0 1 0\n1 1 0\n");
  EXPECT_EQ(areas_of(camera), (std::pair{1.0, 1.0}));
  EXPECT_NE(camera.note.find("elements 'camera' are left out"), std::string::npos) << camera.note;
}

TEST_F(ModelFormats, OnlyTheLastLineOfAHeaderOfPlyMayEndAsAnotherSystemHasIt) {
  std::string header = ply("binary_little_endian",
                           "element vertex 3\nproperty uchar x\nproperty uchar y\nproperty uchar z\n"
                           "element face 1\nproperty list uchar uchar vertex_indices\n");
  header.insert(header.size() - 1, "\r");
  EXPECT_EQ(areas_of(load("a.ply", header + std::string("\0\0\0\2\0\0\0\2\0\3\0\1\2", 13))), (std::pair{2.0, 2.0}));
}

TEST_F(ModelFormats, PlyInBinaryMayBeginWithTheByteOfALineFeed) {
  for (const bool big : {false, true})
    for (const char* end : {"\n", "\r\n", "\r"}) {
      std::string header = ply(big ? "binary_big_endian" : "binary_little_endian",
                               "element face 1\nproperty list uchar uchar vertex_indices\nelement vertex 10\n"
                               "property short x\nproperty double y\nproperty float z\n");
      for (std::size_t at = 0; (at = header.find('\n', at)) != std::string::npos; at += std::strlen(end))
        header.replace(at, 1, end);
      std::string data{'\n'};
      for (char i = 0; i < 10; ++i)
        data += i;
      const auto number = [&](auto value) {
        std::array<char, sizeof(value)> bytes{};
        std::memcpy(bytes.data(), &value, sizeof(value));
        if (big) std::ranges::reverse(bytes);
        data.append(bytes.data(), bytes.size());
      };
      for (int i = 0; i < 10; ++i) {
        number(static_cast<std::int16_t>(i < 5 ? 100 * i : 400));
        number(i < 5 ? 0.0 : 100.0 * (i - 4));
        number(0.0f);
      }
      const io::Loaded loaded = load("a.ply", header + data);
      EXPECT_EQ(MeshView(loaded.pixels.view()).triangles(), 8u);
      EXPECT_EQ(areas_of(loaded), (std::pair{0.5 * 400 * 500, 0.5 * 400 * 500}));
      EXPECT_NE(failure("a.ply", header + data.substr(0, data.size() - 1)).find("the file is cut off"),
                std::string::npos);
    }
}

// VCGLIB writes a list of nine numbers behind faces, for which its header states four numbers.
TEST_F(ModelFormats, PlyWithALineForEachElementMayHaveLongerLines) {
  const io::Loaded loaded =
      load("a.ply", ply("ascii", std::string(four_points) + "element face 2\nproperty list uchar int vertex_indices\n"
                                                            "property list uchar float texcoord\n"
                                                            "property uchar red\nproperty uchar green\n") +
                        "0 0 0\n1 0 0\n0 1 0\n1 1 0\n3 0 1 2 0 4 1 1 1 1\n\n3 2 1 3 0 4 1 1 1 1\n");
  EXPECT_EQ(MeshView(loaded.pixels.view()).triangles(), 2);
  EXPECT_NE(loaded.note.find("2 lines have more numbers than its header says, which are left out"), std::string::npos)
      << loaded.note;
}

TEST_F(ModelFormats, PlyThatIsDamagedIsRefused) {
  const std::string faces = std::string(four_points) + "element face 1\nproperty list uchar int vertex_indices\n";
  const std::string points = "0 0 0\n1 0 0\n0 1 0\n1 1 0\n";
  EXPECT_NE(failure("a.ply", ply("ascii", faces) + points + "3 0 1 4\n").find("a face has vertex 4"),
            std::string::npos);
  EXPECT_NE(failure("a.ply", ply("ascii", faces) + points + "3 0 1 x\n").find("'x' is no number"), std::string::npos);
  EXPECT_NE(failure("a.ply", ply("ascii", faces) + points + "-1\n").find("counts -1 numbers"), std::string::npos);
  EXPECT_NE(failure("a.ply", ply("ascii", faces) + points + "1000000000 0 1\n").find("damaged"), std::string::npos);
  EXPECT_NE(failure("a.ply", ply("text", faces)).find("its format 'text' is unknown"), std::string::npos);
  EXPECT_NE(failure("a.ply", "OFF\n").find("it is no PLY"), std::string::npos);
  EXPECT_NE(
      failure("a.ply", ply("ascii", "element vertex 1\nproperty float x\n") + "0\n").find("lack one of x, y and z"),
      std::string::npos);
}

TEST_F(ModelFormats, StlAsOtherProgramsWriteIt) {
  const std::string triangle =
      "facet normal 0 0 1\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendfacet\n";
  const auto count = [&](const std::string& text) { return MeshView(load("a.stl", text).pixels.view()).triangles(); };
  EXPECT_EQ(count("solid a\n" + triangle + "endsolid a\nsolid vertex b\nendsolid b\n"), 1u);
  std::string capitals = "solid a\n" + triangle + triangle + "endsolid a\n";
  std::ranges::transform(capitals, capitals.begin(),
                         [](unsigned char c) { return static_cast<char>(std::toupper(c)); });
  EXPECT_EQ(count(capitals), 2u);
  EXPECT_NE(failure("a.stl", "solid a\nouter loop\nvertex 0 0 0\nendloop\n").find("line 4: a face of 1 corners"),
            std::string::npos);
  EXPECT_NE(failure("a.stl", "solid a\nouter loop\nvertex 0 0 0\n").find("cut off"), std::string::npos);

  std::string binary = "solid of a program that begins its headers so";
  binary.resize(80, ' ');
  binary += std::string("\1\0\0\0", 4);
  const float values[12]{0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0};
  binary.append(reinterpret_cast<const char*>(values), sizeof values);
  binary += std::string("\x1f\x80", 2);
  const io::Loaded trailing = load("a.stl", binary + std::string(17, 'x'));
  const MeshView mesh(trailing.pixels.view());
  EXPECT_EQ(mesh.triangles(), 1u);
  EXPECT_NE(trailing.note.find("the 17 bytes behind its triangles are left out"), std::string::npos) << trailing.note;
  ASSERT_TRUE(mesh.has_colours());
  EXPECT_EQ(mesh.colour(0), 0xffff0000u) << "the lowest five bits are blue";
  EXPECT_NE(failure("a.stl", binary.substr(0, 100)).find("cut off"), std::string::npos) << failure("a.stl", binary);
}

TEST_F(ModelFormats, SmallAndFarModelsKeepTheirTriangles) {
  for (const auto& [at, step] : {std::pair{0.0, 1e-6}, std::pair{500000.0, 0.01}, std::pair{-4649776.5, 0.001}}) {
    std::string text;
    for (int y = 0; y < 4; ++y)
      for (int x = 0; x < 4; ++x) {
        std::array<char, 64> line{};
        (void)std::snprintf(line.data(), line.size(), "v %.9f %.9f 0\n", at + step * x, at + step * y);
        text += line.data();
      }
    for (int y = 0; y < 3; ++y)
      for (int x = 1; x < 4; ++x) {
        const auto v = [&](int i) { return " " + std::to_string(4 * y + x + i); };
        text += "f" + v(0) + v(1) + v(5) + v(4) + "\n";
      }
    const io::Loaded loaded = load("a.obj", text);
    EXPECT_EQ(MeshView(loaded.pixels.view()).vertices(), 16u);
    EXPECT_NEAR(areas_of(loaded).second / (9.0 * step * step), 1.0, 1e-3);
    EXPECT_EQ(loaded.note.empty(), at == 0.0) << loaded.note;
  }
}

TEST_F(ModelFormats, EqualVerticesBecomeOne) {
  std::string text;
  for (int i = 0; i < 5; ++i)
    text += "v 0 0 0\nv 1 0 0\nv 0 1 -0\nf -3 -2 -1\n";
  EXPECT_EQ(MeshView(load("a.obj", text).pixels.view()).vertices(), 3u);
}

TEST_F(ModelFormats, WhatOfAModelIsLeftOutIsSaid) {
  const std::string vertices = "element vertex 3\nproperty float x\nproperty float y\nproperty float z\n",
                    face = "element face 1\nproperty list uchar int vertex_indices\n";
  const std::string ply = "ply\nformat ascii 1.0\n" + vertices + "property float quality\n" + face +
                          "property uchar red\nend_header\n0 0 0 1\n1 0 0 1\n0 1 0 1\n3 0 1 2 255\n";
  EXPECT_EQ(load("a.ply", ply).note, "'" + path("a.ply").string() +
                                         "': of its elements 'vertex' 'quality' are left out; of its elements 'face' "
                                         "'red' are left out");
  const std::string triangle =
      R"("meshes":[{"primitives":[{"attributes":{"POSITION":0},"targets":[{}]}]}],"nodes":[{"mesh":0}],
    "scenes":[{"nodes":[0]}],"accessors":[{"bufferView":0,"componentType":5121,"count":3,"type":"VEC3"}],
    "bufferViews":[{"buffer":0,"byteLength":9}],
    "buffers":[{"byteLength":9,"uri":"data:application/octet-stream;base64,AAAAAQAAAAEA"}])";
  const std::string gltf =
      R"({"asset":{"version":"2.0"},"extensionsUsed":["EXT_mesh_gpu_instancing","KHR_materials_unlit"],
    "cameras":[],)" +
      triangle + "}";
  EXPECT_EQ(load("a.gltf", gltf).note, "'" + path("a.gltf").string() +
                                           "': its cameras are left out; its extension 'EXT_mesh_gpu_instancing' of "
                                           "glTF is left out; its morph targets are left out");
}

TEST_F(ModelFormats, TheMarkOfUtf8IsNoPartOfAText) {
  const std::string mark = "\xEF\xBB\xBF";
  EXPECT_EQ(MeshView(load("a.obj", mark + "v 0 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n").pixels.view()).triangles(), 1u);
  const std::string stl = "solid a\nouter loop\nvertex 0 0 0\nvertex 1 0 0\nvertex 0 1 0\nendloop\nendsolid a\n";
  EXPECT_EQ(MeshView(load("a.stl", mark + stl).pixels.view()).triangles(), 1u);
}

TEST_F(ModelFormats, OtherFilesAreNamed) {
  EXPECT_NE(failure("a.off", "OFF\n3 1 0\n").find("models are read from .obj, .ply, .stl, .gltf and .glb"),
            std::string::npos);
  EXPECT_NE(failure("a.obj", "<html>\n</html>\n").find("it is no OBJ"), std::string::npos);
  EXPECT_NE(failure("b.obj", "v 0 0 0\nv 1 0 0\nl 1 2\n").find("points, lines and curves alone are not drawn"),
            std::string::npos);
  EXPECT_NE(
      failure("a.glb", "glTF" + std::string("\1\0\0\0\x14\0\0\0\0\0\0\0\0\0\0\0", 16)).find("its version of glTF is 1"),
      std::string::npos);
}

}  // namespace
}  // namespace threadscape::testing

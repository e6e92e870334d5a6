// Tests that models, heightfields and built-in meshes are read as meshes, and that damaged files are refused.

#include "compute/io/mesh_file.h"

#include <bit>
#include <cstring>

#include "compute/core/mesh_shapes.h"
#include "compute/io/data_file.h"
#include "compute/io/heightfield_file.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

class MeshFile : public TestFolder {
 protected:
  std::string failure(const std::string& name, const io::LoadOptions& options = {},
                      const MeshLimits& limits = {}) const {
    try {
      (void)io::load_mesh(path(name), options, limits);
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }
  /// Writes a 2 x 1 texture: red on the left, and green with half of the opacity on the right.
  void write_texture(const std::string& name) const {
    HostArray pixels(Shape::image(Element::u8, 4, 2, 1));
    pixels.image<Rgba8>()(0, 0) = {255, 0, 0, 255};
    pixels.image<Rgba8>()(1, 0) = {0, 255, 0, 128};
    io::save_picture(path(name), std::as_const(pixels).view(), io::FileColour::rgba);
  }
};

/// Tests of files of models, which need the library that reads them.
class Models : public MeshFile {
 protected:
  void SetUp() override {
    MeshFile::SetUp();
    if (!io::reads_models()) GTEST_SKIP() << "this build has no reader of models";
  }
};

/// A unit square in the plane z = 0 of two triangles, with texture coordinates and a material.
constexpr const char* square_obj =
    "mtllib square.mtl\n"
    "v 0 0 0\nv 1 0 0\nv 1 1 0\nv 0 1 0\n"
    "vt 0 0\nvt 1 0\nvt 1 1\nvt 0 1\n"
    "usemtl paint\n"
    "f 1/1 2/2 3/3 4/4\n";
constexpr const char* square_mtl =
    "newmtl paint\nKa 0.1 0.2 0.3\nKd 0.4 0.5 0.6\nKs 0.7 0.8 0.9\nKe 0.05 0 0\nNs 25\nd 0.5\nmap_Kd square.png\n";

std::string tetrahedron_ply() {
  return "ply\nformat ascii 1.0\nelement vertex 4\nproperty float x\nproperty float y\nproperty float z\n"
         "property uchar red\nproperty uchar green\nproperty uchar blue\nelement face 4\n"
         "property list uchar int vertex_indices\nend_header\n"
         "0 0 0 255 0 0\n1 0 0 0 255 0\n0 1 0 0 0 255\n0 0 1 51 102 204\n"
         "3 0 2 1\n3 0 1 3\n3 0 3 2\n3 1 2 3\n";
}

/// A triangle as glTF 2.0 with its buffer in the text, moved by `translation`, "x,y,z".
std::string triangle_gltf(const std::string& translation) {
  // Three positions as floats: (0, 0, 0), (1, 0, 0), (0, 1, 0).
  return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],
  "nodes":[{"mesh":0,"translation":[)" +
         translation + R"(]}],
  "meshes":[{"primitives":[{"attributes":{"POSITION":0},"material":0}]}],
  "materials":[{"pbrMetallicRoughness":{"baseColorFactor":[0.25,0.5,0.75,1.0],"metallicFactor":0.0,
  "roughnessFactor":0.5}}],
  "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]}],
  "bufferViews":[{"buffer":0,"byteLength":36}],
  "buffers":[{"byteLength":36,"uri":"data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA"}]})";
}

TEST_F(MeshFile, BuiltInMeshesHaveNames) {
  const HostArray mesh = io::load_mesh("teapot:4", {});
  EXPECT_EQ(mesh.shape(), builtin_mesh_shape(MeshShape::teapot, 4));
  EXPECT_EQ(io::load_data("cube", {.kind = Kind::mesh}, {}).pixels.shape(), builtin_mesh_shape(MeshShape::cube, 8));
  EXPECT_THROW((void)io::load_mesh("teapot:0", {}), UsageError);
  EXPECT_NE(failure("no_such_mesh").find("No such file"), std::string::npos);
}

TEST_F(MeshFile, HeightfieldsBecomeGrids) {
  HostArray heights({Kind::heightfield, Element::u8, 1, 4, 3, 1});
  std::memset(heights.data(), 7, heights.pitch() * 3);
  heights.image<std::uint8_t>()(3, 2) = 9;
  io::save_heightfield(path("hill.png"), std::as_const(heights).view(), 0);
  const HostArray mesh = io::load_mesh(path("hill.png"), {});
  EXPECT_EQ(MeshView(mesh.view()).triangles(), 12u);
}

TEST_F(Models, ObjWithItsMaterialAndTexture) {
  write_bytes(path("square.obj"), square_obj);
  write_bytes(path("square.mtl"), square_mtl);
  write_texture("square.png");
  const HostArray made = io::load_mesh(path("square.obj"), {});
  const MeshView mesh(made.view());
  ASSERT_EQ(mesh.triangles(), 2u);
  EXPECT_EQ(mesh.vertices(), 4u);
  EXPECT_EQ(mesh.normal(0), (Float3{0, 0, 1}));
  for (std::uint32_t v = 0; v < 4; ++v) {
    EXPECT_EQ(mesh.texcoord(v).x, mesh.position(v).x);
    EXPECT_EQ(mesh.texcoord(v).y, mesh.position(v).y);
  }
  const MeshMaterial& paint = mesh.material(mesh.material_index(0));
  EXPECT_EQ(paint.ambient, (Float3{0.1f, 0.2f, 0.3f}));
  EXPECT_EQ(paint.diffuse, (Float3{0.4f, 0.5f, 0.6f}));
  EXPECT_EQ(paint.specular, (Float3{0.7f, 0.8f, 0.9f}));
  EXPECT_EQ(paint.emission, (Float3{0.05f, 0, 0}));
  EXPECT_EQ(paint.shininess, 25.0f);
  EXPECT_EQ(paint.opacity, 0.5f);
  ASSERT_NE(paint.colour_map, no_map);
  const MeshTexture& texture = mesh.texture(paint.colour_map);
  EXPECT_EQ(texture.width, 2u);
  EXPECT_EQ(texture.height, 1u);
  EXPECT_EQ(mesh.level(texture, 0)[0], 0xff0000ffu);
  EXPECT_EQ(mesh.level(texture, 0)[1], 0x8000ff00u);
  EXPECT_EQ(mesh.level(texture, 1)[0], 0xc0008080u);
}

TEST_F(Models, AMissingTextureIsNamed) {
  write_bytes(path("square.obj"), square_obj);
  write_bytes(path("square.mtl"), square_mtl);
  const std::string text = failure("square.obj");
  EXPECT_NE(text.find("square.obj"), std::string::npos) << text;
  EXPECT_NE(text.find("square.png"), std::string::npos) << text;
  EXPECT_NE(text.find("beside the model"), std::string::npos) << text;
  // A path of another machine is looked for beside the model.
  write_texture("square.png");
  std::string elsewhere = square_mtl;
  elsewhere.replace(elsewhere.find("map_Kd square.png"), 17, "map_Kd C:\\old\\square.png");
  write_bytes(path("square.mtl"), elsewhere);
  EXPECT_EQ(failure("square.obj"), "");
}

TEST_F(Models, PlyWithColours) {
  write_bytes(path("solid.ply"), tetrahedron_ply());
  const HostArray made = io::load_mesh(path("solid.ply"), {});
  const MeshView mesh(made.view());
  EXPECT_EQ(mesh.triangles(), 4u);
  // The faces of a tetrahedron meet at more than 60 degrees, so that their corners have normals of their own.
  EXPECT_EQ(mesh.vertices(), 12u);
  ASSERT_TRUE(mesh.has_colours());
  for (std::uint32_t v = 0; v < mesh.vertices(); ++v)
    if (mesh.position(v) == Float3{0, 0, 1}) {
      EXPECT_EQ(mesh.colour(v), 0xffcc6633u);
    }
  const HostArray smooth = io::load_mesh(path("solid.ply"), {.normals = {.crease_degrees = 180.0f}});
  EXPECT_EQ(MeshView(smooth.view()).vertices(), 4u);
}

TEST_F(Models, StlInBinary) {
  std::string bytes(80, ' ');
  const std::uint32_t count = 1;
  bytes.append(reinterpret_cast<const char*>(&count), 4);
  const float values[12]{0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0};
  bytes.append(reinterpret_cast<const char*>(values), sizeof values);
  bytes.append(2, '\0');
  write_bytes(path("one.stl"), bytes);
  const HostArray made = io::load_mesh(path("one.stl"), {});
  const MeshView mesh(made.view());
  ASSERT_EQ(mesh.triangles(), 1u);
  EXPECT_EQ(mesh.header().high, (Float3{2, 3, 0}));
  EXPECT_EQ(mesh.normal(mesh.corner(0, 0)), (Float3{0, 0, 1}));
}

TEST_F(Models, GltfWithItsNodesInPlace) {
  write_bytes(path("one.gltf"), triangle_gltf("10,20,30"));
  const HostArray made = io::load_mesh(path("one.gltf"), {});
  const MeshView mesh(made.view());
  ASSERT_EQ(mesh.triangles(), 1u);
  EXPECT_EQ(mesh.header().low, (Float3{10, 20, 30}));
  EXPECT_EQ(mesh.header().high, (Float3{11, 21, 30}));
  EXPECT_EQ(mesh.material(mesh.material_index(0)).diffuse, (Float3{0.25f, 0.5f, 0.75f}));
  // Phong's exponent for the roughness 0.5: 2 / 0.5^4 - 2.
  EXPECT_NEAR(mesh.material(mesh.material_index(0)).shininess, 30.0f, 1e-4f);
}

TEST_F(Models, DamagedFilesAreRefused) {
  write_bytes(path("empty.obj"), "");
  EXPECT_NE(failure("empty.obj").find("no model"), std::string::npos);
  write_bytes(path("nothing.obj"), "# only a comment\n");
  EXPECT_NE(failure("nothing.obj"), "");
  write_bytes(path("points.ply"),
              "ply\nformat ascii 1.0\nelement vertex 1\nproperty float x\nproperty float y\n"
              "property float z\nend_header\n0 0 0\n");
  EXPECT_NE(failure("points.ply"), "");
  write_bytes(path("huge.ply"),
              "ply\nformat binary_little_endian 1.0\nelement vertex 4000000000\nproperty float x\n"
              "property float y\nproperty float z\nend_header\nxxxx");
  EXPECT_NE(failure("huge.ply"), "");
  write_bytes(path("nan.obj"), "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_NE(failure("nan.obj").find("nan.obj"), std::string::npos);
  write_bytes(path("text.glb"), "this is no binary glTF");
  EXPECT_NE(failure("text.glb").find("text.glb"), std::string::npos);
  // A file of a format that is not offered, under another name.
  write_bytes(path("other.stl"), "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  EXPECT_NE(failure("other.stl"), "");
}

TEST_F(Models, LimitsAreKept) {
  write_bytes(path("solid.ply"), tetrahedron_ply());
  EXPECT_NE(failure("solid.ply", {}, {.file_bytes = 100}).find("the limit for models is 100"), std::string::npos);
  EXPECT_NE(failure("solid.ply", {}, {.triangles = 3}).find("4 triangles, at most 3"), std::string::npos);
  EXPECT_NE(failure("solid.ply", {}, {.vertices = 3}).find("4 vertices, at most 3"), std::string::npos);
  write_bytes(path("square.obj"), square_obj);
  write_bytes(path("square.mtl"), square_mtl);
  write_texture("square.png");
  const ScopedLimit limit(io::Limit::pixels, 1);
  EXPECT_NE(failure("square.obj").find("--limit pixels"), std::string::npos);
}

TEST_F(MeshFile, WithoutTheLibraryItsPackageIsNamed) {
  if (io::reads_models()) GTEST_SKIP() << "this build reads models";
  write_bytes(path("square.obj"), square_obj);
  EXPECT_NE(failure("square.obj").find("libassimp-dev"), std::string::npos);
}

}  // namespace
}  // namespace threadscape::testing

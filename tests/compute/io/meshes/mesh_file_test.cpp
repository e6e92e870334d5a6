// Tests that models, heightfields and built-in meshes are read as meshes, and that damaged files are refused.

#include "compute/io/meshes/mesh_file.h"

#include <sys/stat.h>

#include <bit>
#include <cstring>

#include "compute/core/machine.h"
#include "compute/core/mesh_shapes.h"
#include "compute/io/data_file.h"
#include "compute/io/pictures/heightfield_file.h"
#include "compute/io/pictures/image_file.h"
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
  /// Writes a picture of width x 1 black texels.
  void write_black(const std::string& name, int width) const {
    HostArray pixels(Shape::image(Element::u8, 1, width, 1));
    std::memset(pixels.data(), 0, pixels.pitch());
    io::save_picture(path(name), std::as_const(pixels).view(), io::FileColour::grey);
  }
  /// The width of the only texture of a model.
  std::uint32_t texture_width(const std::string& name, const io::LoadOptions& options = {}) const {
    const HostArray mesh = io::load_mesh(path(name), options).pixels;
    return MeshView(mesh.view()).texture(0).width;
  }
  /// Writes a 2 x 1 texture: red on the left, and green with half of the opacity on the right.
  void write_texture(const std::string& name) const {
    HostArray pixels(Shape::image(Element::u8, 4, 2, 1));
    pixels.image<Rgba8>()(0, 0) = {255, 0, 0, 255};
    pixels.image<Rgba8>()(1, 0) = {0, 255, 0, 128};
    io::save_picture(path(name), std::as_const(pixels).view(), io::FileColour::rgba);
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

std::string replaced(std::string text, const std::string& from, const std::string& to) {
  return text.replace(text.find(from), from.size(), to);
}

std::string base64(const std::string& bytes) {
  static constexpr char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  std::string text;
  for (std::size_t i = 0; i < bytes.size(); i += 3) {
    std::uint32_t word = 0;
    for (std::size_t k = 0; k < 3; ++k)
      word = word << 8 | (i + k < bytes.size() ? static_cast<unsigned char>(bytes[i + k]) : 0u);
    for (std::size_t k = 0; k < 4; ++k)
      text += i + k > bytes.size() ? '=' : digits[word >> (18 - 6 * k) & 63u];
  }
  return text;
}

constexpr const char* triangle_data =
    "data:application/octet-stream;base64,AAAAAAAAAAAAAAAAAACAPwAAAAAAAAAAAAAAAAAAgD8AAAAA";

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
  "buffers":[{"byteLength":36,"uri":")" +
         triangle_data + R"("}]})";
}

TEST_F(MeshFile, BuiltInMeshesHaveNames) {
  const HostArray mesh = io::load_mesh("teapot:4", {}).pixels;
  EXPECT_EQ(mesh.shape(), builtin_mesh_shape(MeshShape::teapot, 4));
  EXPECT_EQ(io::load_data("cube", {.kind = Kind::mesh}, {}).pixels.shape(), builtin_mesh_shape(MeshShape::cube, 8));
  EXPECT_THROW((void)io::load_mesh("teapot:0", {}), UsageError);
  EXPECT_NE(failure("no_such_mesh").find("No such file"), std::string::npos);
}

TEST_F(MeshFile, ModelsAreNotReadFromStandardInput) {
  for (const char* name : {"-.obj", "-.glb"}) {
    std::string text;
    try {
      (void)io::load_mesh(name, {});
    } catch (const UsageError& error) {
      text = error.what();
    }
    EXPECT_NE(text.find("standard input: models are read from files"), std::string::npos) << text;
    EXPECT_NE(text.find("beside them"), std::string::npos) << text;
  }
}

TEST_F(MeshFile, HeightfieldsBecomeGrids) {
  HostArray heights({Kind::heightfield, Element::u8, 1, 4, 3, 1});
  std::memset(heights.data(), 7, heights.pitch() * 3);
  heights.image<std::uint8_t>()(3, 2) = 9;
  io::save_heightfield(path("hill.png"), std::as_const(heights).view(), 0);
  const HostArray mesh = io::load_mesh(path("hill.png"), {}).pixels;
  EXPECT_EQ(MeshView(mesh.view()).triangles(), 12u);
}

TEST_F(MeshFile, ObjWithItsMaterialAndTexture) {
  write_bytes(path("square.obj"), square_obj);
  write_bytes(path("square.mtl"), square_mtl);
  write_texture("square.png");
  const HostArray made = io::load_mesh(path("square.obj"), {}).pixels;
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

TEST_F(MeshFile, AMissingTextureIsANote) {
  write_bytes(path("square.obj"), square_obj);
  write_bytes(path("square.mtl"), square_mtl);
  const io::Loaded loaded = io::load_mesh(path("square.obj"), {});
  const MeshView mesh(loaded.pixels.view());
  EXPECT_EQ(mesh.triangles(), 2u);
  EXPECT_EQ(mesh.material(mesh.material_index(0)).colour_map, no_map);
  EXPECT_NE(loaded.note.find("square.obj': its texture 'square.png' is not there"), std::string::npos) << loaded.note;
  EXPECT_NE(loaded.note.find("beside the model"), std::string::npos) << loaded.note;
  // A path of another machine is looked for beside the model.
  write_texture("square.png");
  std::string elsewhere = square_mtl;
  elsewhere.replace(elsewhere.find("map_Kd square.png"), 17, "map_Kd C:\\old\\square.png");
  write_bytes(path("square.mtl"), elsewhere);
  EXPECT_EQ(io::load_mesh(path("square.obj"), {}).note, "");
}

TEST_F(MeshFile, MaterialsAndBuffersOutsideOfTheFolderAreReadOnlyIfAllowed) {
  std::filesystem::create_directories(path("inside/deeper"));
  const std::string plain_mtl = "newmtl paint\nKd 0.25 0.5 0.75\n";
  write_bytes(path("paint.mtl"), plain_mtl);
  write_bytes(path("inside/deeper/paint.mtl"), plain_mtl);
  std::filesystem::create_symlink("../paint.mtl", path("inside/link.mtl"));
  const auto diffuse = [&](const std::string& name, const io::LoadOptions& options) {
    const HostArray mesh = io::load_mesh(path(name), options).pixels;
    const MeshView view(mesh.view());
    return view.material(view.material_index(0)).diffuse;
  };
  for (const char* library : {"../paint.mtl", "link.mtl"}) {
    write_bytes(path("inside/a.obj"), replaced(square_obj, "square.mtl", library));
    const std::string text = failure("inside/a.obj");
    EXPECT_NE(text.find("a.obj"), std::string::npos) << text;
    EXPECT_NE(text.find(library), std::string::npos) << text;
    EXPECT_NE(text.find("--allow-outside"), std::string::npos) << text;
    EXPECT_EQ(diffuse("inside/a.obj", {.allow_outside = true}), (Float3{0.25f, 0.5f, 0.75f})) << library;
  }
  write_bytes(path("inside/a.obj"), replaced(square_obj, "square.mtl", "deeper/paint.mtl"));
  EXPECT_EQ(diffuse("inside/a.obj", {}), (Float3{0.25f, 0.5f, 0.75f}));
  // A missing library of materials is no error.
  write_bytes(path("inside/a.obj"), replaced(square_obj, "square.mtl", "../missing.mtl"));
  EXPECT_EQ(failure("inside/a.obj"), "");
  // The model itself may be a link out of its folder, but what it names is looked for beside the link.
  write_bytes(path("a.obj"), replaced(square_obj, "square.mtl", "deeper/paint.mtl"));
  std::filesystem::create_symlink("../a.obj", path("inside/link.obj"));
  EXPECT_EQ(diffuse("inside/link.obj", {}), (Float3{0.25f, 0.5f, 0.75f}));

  write_bytes(path("triangle.bin"), std::string(36, '\0'));
  write_bytes(path("inside/a.gltf"), replaced(triangle_gltf("0,0,0"), triangle_data, "../triangle.bin"));
  const std::string text = failure("inside/a.gltf");
  EXPECT_NE(text.find("triangle.bin"), std::string::npos) << text;
  EXPECT_NE(text.find("--allow-outside"), std::string::npos) << text;
  EXPECT_EQ(failure("inside/a.gltf", {.allow_outside = true}), "");
}

TEST_F(MeshFile, PipesAndFoldersInPlaceOfMaterialsAndBuffersAreRefused) {
  ASSERT_EQ(mkfifo(path("pipe").c_str(), 0600), 0);
  std::filesystem::create_directory(path("folder"));
  for (const char* name : {"pipe", "folder"})
    for (const bool allow_outside : {false, true}) {
      write_bytes(path("a.obj"), replaced(square_obj, "square.mtl", name));
      write_bytes(path("a.gltf"), replaced(triangle_gltf("0,0,0"), triangle_data, name));
      for (const char* model : {"a.obj", "a.gltf"}) {
        const std::string text = failure(model, {.allow_outside = allow_outside});
        EXPECT_NE(text.find(std::string(name) + "', which is no regular file"), std::string::npos) << text;
      }
    }
}

TEST_F(MeshFile, TexturesOutsideOfTheFolderAreReadOnlyIfAllowed) {
  std::filesystem::create_directories(path("inside/deeper"));
  write_bytes(path("inside/square.obj"), square_obj);
  write_black("outside.png", 3);
  write_black("inside/deeper/square.png", 5);
  const auto name_texture = [&](const std::string& name) {
    write_bytes(path("inside/square.mtl"), replaced(square_mtl, "square.png", name));
  };
  for (const std::string& name : {std::string("../outside.png"), std::string("..\\outside.png"),
                                  std::filesystem::absolute(path("outside.png")).string()}) {
    name_texture(name);
    const std::string text = failure("inside/square.obj");
    EXPECT_NE(text.find("outside.png"), std::string::npos) << text;
    EXPECT_NE(text.find("--allow-outside"), std::string::npos) << text;
    EXPECT_EQ(texture_width("inside/square.obj", {.allow_outside = true}), 3u) << name;
  }
  std::filesystem::create_symlink("../outside.png", path("inside/outside.png"));
  EXPECT_NE(failure("inside/square.obj").find("--allow-outside"), std::string::npos);
  std::filesystem::remove(path("inside/outside.png"));
  // Without leave the file of that name beside the model is read.
  write_black("inside/outside.png", 4);
  EXPECT_EQ(texture_width("inside/square.obj"), 4u);
  EXPECT_EQ(texture_width("inside/square.obj", {.allow_outside = true}), 3u);
  name_texture("deeper/square.png");
  EXPECT_EQ(texture_width("inside/square.obj"), 5u);
}

TEST_F(MeshFile, EmbeddedTexturesOf16BitsAreRead) {
  HostArray pixels(Shape::image(Element::u16, 4, 2, 1));
  pixels.image<Rgba16>()(0, 0) = {65535, 0, 0, 65535};
  pixels.image<Rgba16>()(1, 0) = {0, 32896, 0, 65535};  // 128 * 257.
  io::save_picture(path("deep.png"), std::as_const(pixels).view(), io::FileColour::rgba);
  const std::string image = R"("images":[{"mimeType":"image/png","uri":"data:image/png;base64,)" +
                            base64(read_bytes(path("deep.png"))) + R"("}],"textures":[{"source":0}],"materials")";
  write_bytes(path("deep.gltf"), replaced(replaced(triangle_gltf("0,0,0"), "\"materials\"", image),
                                          R"("metallicFactor")", R"("baseColorTexture":{"index":0},"metallicFactor")"));
  const HostArray made = io::load_mesh(path("deep.gltf"), {}).pixels;
  const MeshView mesh(made.view());
  const MeshTexture& texture = mesh.texture(mesh.material(mesh.material_index(0)).colour_map);
  ASSERT_EQ(texture.width, 2u);
  EXPECT_EQ(mesh.level(texture, 0)[0], 0xff0000ffu);
  EXPECT_EQ(mesh.level(texture, 0)[1], 0xff008000u);
}

TEST_F(MeshFile, InstancesThatDoNotFitIntoMemoryAreRefused) {
  constexpr std::uint64_t triangles = 100'000, triangle_bytes = 176, vertex_bytes = 100;
  // Twice the free memory, because other programs may give some back.
  const std::uint64_t nodes = 2 * free_host_bytes() / (triangles * triangle_bytes) + 1;
  if (nodes * triangles > std::uint64_t{1} << 30) GTEST_SKIP() << "a mesh that does not fit would be above the limits";
  std::string bytes(36, '\0');
  for (std::uint64_t t = 0; t < triangles; ++t)
    bytes.append("\0\0\1\0\2\0", 6);
  const float one = 1.0f;
  std::memcpy(&bytes[12], &one, sizeof one);
  std::memcpy(&bytes[28], &one, sizeof one);
  write_bytes(path("many.bin"), bytes);
  std::string list = "0", placed = R"({"mesh":0})";
  for (std::uint64_t node = 1; node < nodes; ++node) {
    list += "," + std::to_string(node);
    placed += R"(,{"mesh":0})";
  }
  const std::string length = std::to_string(bytes.size()), corners = std::to_string(3 * triangles);
  write_bytes(path("many.gltf"), R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[)" + list +
                                     R"(]}],"nodes":[)" + placed +
                                     R"(],"meshes":[{"primitives":[{"attributes":{"POSITION":0},"indices":1}]}],
  "accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],"max":[1,1,0]},
  {"bufferView":1,"componentType":5123,"count":)" +
                                     corners + R"(,"type":"SCALAR"}],
  "bufferViews":[{"buffer":0,"byteLength":36},{"buffer":0,"byteOffset":36,"byteLength":)" +
                                     std::to_string(bytes.size() - 36) + R"(}],"buffers":[{"byteLength":)" + length +
                                     R"(,"uri":"many.bin"}]})");
  const std::string text =
      failure("many.gltf", {}, {.vertices = std::uint64_t{1} << 32, .triangles = std::uint64_t{1} << 32});
  const std::uint64_t need = nodes * (3 * vertex_bytes + triangles * triangle_bytes);
  EXPECT_NE(text.find("need " + std::to_string(need) + " bytes"), std::string::npos) << text;
}

TEST_F(MeshFile, PlyWithColours) {
  write_bytes(path("solid.ply"), tetrahedron_ply());
  const HostArray made = io::load_mesh(path("solid.ply"), {}).pixels;
  const MeshView mesh(made.view());
  EXPECT_EQ(mesh.triangles(), 4u);
  // The faces of a tetrahedron meet at more than 60 degrees, so that their corners have normals of their own.
  EXPECT_EQ(mesh.vertices(), 12u);
  ASSERT_TRUE(mesh.has_colours());
  for (std::uint32_t v = 0; v < mesh.vertices(); ++v)
    if (mesh.position(v) == Float3{0, 0, 1}) {
      EXPECT_EQ(mesh.colour(v), 0xffcc6633u);
    }
  const HostArray smooth = io::load_mesh(path("solid.ply"), {.normals = {.crease_degrees = 180.0f}}).pixels;
  EXPECT_EQ(MeshView(smooth.view()).vertices(), 4u);
}

TEST_F(MeshFile, StlInBinary) {
  std::string bytes(80, ' ');
  const std::uint32_t count = 1;
  bytes.append(reinterpret_cast<const char*>(&count), 4);
  const float values[12]{0, 0, 1, 0, 0, 0, 2, 0, 0, 0, 3, 0};
  bytes.append(reinterpret_cast<const char*>(values), sizeof values);
  bytes.append(2, '\0');
  write_bytes(path("one.stl"), bytes);
  const HostArray made = io::load_mesh(path("one.stl"), {}).pixels;
  const MeshView mesh(made.view());
  ASSERT_EQ(mesh.triangles(), 1u);
  EXPECT_EQ(mesh.header().high, (Float3{2, 3, 0}));
  EXPECT_EQ(mesh.normal(mesh.corner(0, 0)), (Float3{0, 0, 1}));
}

TEST_F(MeshFile, GltfWithItsNodesInPlace) {
  write_bytes(path("one.gltf"), triangle_gltf("10,20,30"));
  const HostArray made = io::load_mesh(path("one.gltf"), {}).pixels;
  const MeshView mesh(made.view());
  ASSERT_EQ(mesh.triangles(), 1u);
  EXPECT_EQ(mesh.header().low, (Float3{10, 20, 30}));
  EXPECT_EQ(mesh.header().high, (Float3{11, 21, 30}));
  EXPECT_EQ(mesh.material(mesh.material_index(0)).diffuse, (Float3{0.25f, 0.5f, 0.75f}));
  // Phong's exponent for the roughness 0.5: 2 / 0.5^4 - 2.
  EXPECT_NEAR(mesh.material(mesh.material_index(0)).shininess, 30.0f, 1e-4f);
}

TEST_F(MeshFile, DamagedFilesAreRefused) {
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
  EXPECT_NE(failure("huge.ply").find("counts 4000000000 elements 'vertex', it has"), std::string::npos)
      << failure("huge.ply");
  write_bytes(path("vast.ply"), "ply\nformat ascii 1.0\nelement face 99999999999999999999999\nend_header\nxxxx");
  EXPECT_NE(failure("vast.ply").find("counts 99999999999999999999999 elements 'face'"), std::string::npos)
      << failure("vast.ply");
  write_bytes(path("cut.ply"), "ply\nformat ascii 1.0\n");
  EXPECT_NE(failure("cut.ply").find("does not end with end_header"), std::string::npos) << failure("cut.ply");
  // The word stands in the header, but no line begins with it.
  for (const char* line : {"xend_header", "comment end_header", "end_headers"}) {
    write_bytes(path("no_end.ply"), replaced(tetrahedron_ply(), "end_header", line));
    EXPECT_NE(failure("no_end.ply").find("does not end with end_header"), std::string::npos) << failure("no_end.ply");
  }
  write_bytes(path("no_faces.ply"),
              "ply\nformat ascii 1.0\nelement vertex 3\nproperty float x\nproperty float y\nproperty float z\n"
              "element face 1\nproperty list uchar int vertex_indices\nend_header\n0 0 0\n1 0 0\n0 1 0\n");
  EXPECT_NE(failure("no_faces.ply").find("no_faces.ply"), std::string::npos) << failure("no_faces.ply");
  write_bytes(path("nan.obj"), "v nan 0 0\nv 1 0 0\nv 0 1 0\nf 1 2 3\n");
  EXPECT_NE(failure("nan.obj").find("nan.obj"), std::string::npos);
  write_bytes(path("text.glb"), "this is no binary glTF");
  EXPECT_NE(failure("text.glb").find("text.glb"), std::string::npos);
  // A file of a format that is not offered, under another name.
  write_bytes(path("other.stl"), "OFF\n3 1 0\n0 0 0\n1 0 0\n0 1 0\n3 0 1 2\n");
  EXPECT_NE(failure("other.stl"), "");
}

TEST_F(MeshFile, LinesOfAPlyHeaderThatAreUnknownAreLeftOut) {
  write_bytes(path("author.ply"), replaced(tetrahedron_ply(), "element vertex", "author somebody\nelement vertex"));
  const HostArray made = io::load_mesh(path("author.ply"), {}).pixels;
  EXPECT_EQ(MeshView(made.view()).triangles(), 4u);
}

TEST_F(MeshFile, LimitsAreKept) {
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

}  // namespace
}  // namespace threadscape::testing

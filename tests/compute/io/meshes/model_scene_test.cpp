// Tests that a scene from the process that reads models is judged before it is used.

#include "compute/io/meshes/model_scene.h"

#include <gtest/gtest.h>

#include <array>
#include <cstring>
#include <limits>
#include <string>
#include <vector>

#include "compute/core/errors.h"

namespace threadscape::testing {
namespace {

/// A scene of one triangle with one material and one texture, in the flat form.
struct FlatScene {
  io::SceneHeader header{.vertices = 3, .triangles = 1, .materials = 1, .textures = 1, .text_bytes = 5};
  std::array<MeshVertex, 3> vertices{
      {{.position = {0, 0, 0}}, {.position = {1, 0, 0}}, {.position = {0, 1, 0}, .normal = {0, 0, 8}}}};
  io::SceneTriangle triangle{{0, 1, 2}, 0};
  io::SceneMaterial material;
  io::SceneTexture texture{.name_bytes = 5};
  std::string text = "a.png", data;

  [[nodiscard]] std::vector<std::byte> bytes() const {
    std::string all;
    const auto append = [&](const auto& item) { all.append(reinterpret_cast<const char*>(&item), sizeof(item)); };
    append(header);
    append(vertices);
    append(triangle);
    append(material);
    append(texture);
    all += text + data;
    const auto* const begin = reinterpret_cast<const std::byte*>(all.data());
    return {begin, begin + all.size()};
  }
  [[nodiscard]] std::string failure(std::size_t cut = 0) const {
    std::vector<std::byte> all = bytes();
    all.resize(all.size() - cut);
    try {
      (void)io::mesh_of_scene(all, "folder/a.obj", {}, {});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
  }
};

TEST(ModelScene, IsReadAsItIs) {
  FlatScene scene;
  EXPECT_EQ(scene.failure(), "");  // No material has the texture, so that it is not looked for.
  scene.material.values.shininess = std::numeric_limits<float>::infinity();
  scene.material.values.diffuse = {-1.0f, 2000.0f, 0.5f};
  const HostArray made = io::mesh_of_scene(scene.bytes(), "a.obj", {}, {}).pixels;
  const MeshView mesh(made.view());
  EXPECT_EQ(mesh.triangles(), 1u);
  EXPECT_EQ(mesh.material(0).diffuse, (Float3{0.0f, 1000.0f, 0.5f}));
  EXPECT_EQ(mesh.material(0).shininess, 0.0f);
  for (std::uint32_t v = 0; v < 3; ++v)
    EXPECT_EQ(mesh.normal(v), (Float3{0, 0, 1}));
}

TEST(ModelScene, AReaderWithoutDefencesIsNoted) {
  FlatScene scene;
  EXPECT_EQ(io::mesh_of_scene(scene.bytes(), "a.obj", {}, {}).note, "");
  scene.header.flags = io::scene_is_unconfined;
  const std::string note = io::mesh_of_scene(scene.bytes(), "a.obj", {}, {}).note;
  EXPECT_NE(note.find("'a.obj' was read without a sandbox"), std::string::npos) << note;
}

TEST(ModelScene, EveryPartIsJudged) {
  const auto refused = [](auto change, const char* why) {
    FlatScene scene;
    change(scene);
    EXPECT_NE(scene.failure().find(why), std::string::npos) << scene.failure() << " instead of " << why;
  };
  refused([](FlatScene& s) { s.header.magic[7] = '0'; }, "does not begin as a scene");
  refused([](FlatScene& s) { s.header.content = static_cast<io::SceneContent>(7); }, "its content is unknown");
  refused([](FlatScene& s) { s.header.triangles = 0; }, "no triangles");
  refused([](FlatScene& s) { s.header.vertices = std::uint64_t{1} << 60; }, "vertices, at most");
  refused([](FlatScene& s) { s.header.materials = std::uint64_t{1} << 63; }, "materials, at most");
  refused([](FlatScene& s) { s.header.textures = ~std::uint64_t{0}; }, "textures, at most");
  refused([](FlatScene& s) { s.header.text_bytes = ~std::uint64_t{0}; }, "its names have");
  refused([](FlatScene& s) { s.header.data_bytes = ~std::uint64_t{0}; }, "the limit for models");
  refused([](FlatScene& s) { s.header.vertices = 4; }, "ends too early");
  refused([](FlatScene& s) { s.header.text_bytes = 6; }, "ends too early");
  refused([](FlatScene& s) { s.data = "x"; }, "bytes follow it");
  refused([](FlatScene& s) { s.texture.name_bytes = 6; }, "ends too early");
  refused([](FlatScene& s) { s.texture.data_bytes = 1; }, "ends too early");
  refused([](FlatScene& s) { s.triangle.corner[2] = 3; }, "triangle 0 has vertex 3");
  refused([](FlatScene& s) { s.triangle.material = 1; }, "triangle 0 has material 1");
  refused([](FlatScene& s) { s.material.values.colour_map = 1; }, "a material has the texture 1");
  refused([](FlatScene& s) { s.material.values.normal_map = 0; }, "its texture 'a.png'");
  refused([](FlatScene& s) { s.vertices[1].position.y = std::numeric_limits<float>::quiet_NaN(); }, "finite");
  refused(
      [](FlatScene& s) {
        s.texture = {.content = io::TextureContent::texels, .width = 2, .height = 2, .name_bytes = 5, .data_bytes = 4};
        s.material.values.colour_map = 0;
        s.header.data_bytes = 4;
        s.data = "rgba";
      },
      "another number of texels");
  refused(
      [](FlatScene& s) {
        s.texture.content = static_cast<io::TextureContent>(9);
        s.material.values.alpha_map = 0;
        s.material.alpha_is_channel = 1;
      },
      "a content that is unknown");
  const std::size_t length = FlatScene().bytes().size();
  for (std::size_t cut = 1; cut <= length; ++cut)
    EXPECT_NE(FlatScene().failure(cut).find("ends too early"), std::string::npos) << cut;
}

TEST(ModelScene, AMessageIsOneLine) {
  FlatScene scene;
  std::string text = "two\nlines\x1b[2J";
  scene.header = {.content = io::SceneContent::message, .text_bytes = text.size()};
  std::vector<std::byte> bytes(sizeof(scene.header) + text.size());
  std::memcpy(bytes.data(), &scene.header, sizeof(scene.header));
  std::memcpy(bytes.data() + sizeof(scene.header), text.data(), text.size());
  std::string message;
  try {
    (void)io::mesh_of_scene(bytes, "a.obj", {}, {});
  } catch (const UsageError& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "two lines [2J");
  scene.header.text_bytes = io::scene_message_bytes + 1;
  EXPECT_THROW((void)io::scene_bytes(scene.header, {}), UsageError);
}

}  // namespace
}  // namespace threadscape::testing

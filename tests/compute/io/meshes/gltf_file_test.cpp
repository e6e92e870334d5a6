// Which glTF files are read, and which are refused.

#include <array>
#include <cmath>
#include <cstring>

#include "compute/io/meshes/mesh_file.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

class GltfFile : public TestFolder {
 protected:
  std::string problem(const std::string& text, const std::string& name = "a.gltf") const {
    write_bytes(path(name), text);
    try {
      (void)io::load_mesh(path(name), {});
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }
  /// A file whose data are in "a.bin", with a node `node`, a primitive `primitive` beside its positions, and accessors.
  io::Loaded load(const std::string& data, const std::string& accessors, const std::string& views,
                  const std::string& primitive = "", const std::string& node = "", const std::string& top = "") const {
    write_bytes(path("a b.bin"), data);
    write_bytes(path("a.gltf"), R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0)" + node +
                                    R"(}],"meshes":[{"primitives":[{"attributes":{"POSITION":0})" + primitive +
                                    R"(}]}],"accessors":[)" + accessors + R"(],"bufferViews":[)" + views +
                                    R"(],"buffers":[{"byteLength":)" + std::to_string(data.size()) +
                                    R"(,"uri":"a%20b.bin"}])" + top + "}");
    return io::load_mesh(path("a.gltf"), {});
  }
  template <class T>
  static std::string bytes_of(const std::vector<T>& values) {
    return {reinterpret_cast<const char*>(values.data()), values.size() * sizeof(T)};
  }
  /// Nodes of which each has the next one at `places` places, `levels` times.
  static std::string chain(int levels, int places) {
    std::string nodes;
    for (int level = 1; level <= levels; ++level) {
      std::string list;
      for (int i = 0; i < places; ++i)
        list += (i > 0 ? "," : "") + std::to_string(level);
      nodes += R"({"children":[)" + list + "]},";
    }
    return R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)" + nodes + "{}]}";
  }
};

constexpr const char* no_triangles = "it has no triangles: points, lines and curves alone are not drawn";

TEST_F(GltfFile, PlacesOfNodesAreCounted) {
  EXPECT_NE(problem(chain(12, 2)).find(no_triangles), std::string::npos) << problem(chain(12, 2));
  EXPECT_NE(problem(chain(40, 2)).find("more than 1000000 nodes"), std::string::npos) << problem(chain(40, 2));
  EXPECT_NE(problem(chain(3, 1000)).find("more than 1000000 nodes"), std::string::npos);
  EXPECT_NE(problem(chain(100'000, 1)).find(no_triangles), std::string::npos) << "deep nodes take no stack";
}

TEST_F(GltfFile, NodesThatContainThemselvesAreRefused) {
  const auto nodes = [](const std::string& list) {
    return R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[)" + list + "]}";
  };
  EXPECT_NE(problem(nodes(R"({"children":[0]})")).find("its node 0 contains itself"), std::string::npos);
  EXPECT_NE(problem(nodes(R"({"children":[1]},{"children":[2]},{"children":[1]})")).find("its node 1 contains itself"),
            std::string::npos);
  EXPECT_NE(problem(nodes(R"({"children":[1,2]},{"children":[2]},{})")).find(no_triangles), std::string::npos)
      << "a node may be at several places";
  EXPECT_NE(problem(nodes(R"({"children":[99]})")).find("it has no node 99"), std::string::npos);
}

TEST_F(GltfFile, ExtensionsThatAreRequiredAreKnown) {
  const auto problem_of = [&](const std::string& name) {
    return problem(R"({"asset":{"version":"2.0"},"extensionsRequired":[")" + name +
                   R"("],"scenes":[{"nodes":[0]}],"nodes":[{}]})");
  };
  for (const char* name : {"KHR_materials_unlit", "KHR_mesh_quantization"})
    EXPECT_NE(problem_of(name).find(no_triangles), std::string::npos) << problem_of(name);
  for (const char* name : {"EXT_meshopt_compression", "ACME_unknown_geometry"})
    EXPECT_NE(problem_of(name).find("it requires the extension '" + std::string(name) + "' of glTF, which is not read"),
              std::string::npos);
}

// Some writers forget the blanks behind the text, or to count them in its length.
TEST_F(GltfFile, TheTextOfABinaryFileNeedNotFillFourBytes) {
  const std::vector<float> positions{0, 0, 0, 1, 0, 0, 0, 1, 0};
  std::string text =
      R"({"asset":{"version":"2.0"},"scenes":[{"nodes":[0]}],"nodes":[{"mesh":0}],"meshes":[{"primitives":[{"attributes":)"
      R"({"POSITION":0}}]}],"accessors":[{"bufferView":0,"componentType":5126,"count":3,"type":"VEC3","min":[0,0,0],)"
      R"("max":[1,1,0]}],"bufferViews":[{"buffer":0,"byteLength":36}],"buffers":[{"byteLength":36}]})";
  while (text.size() % 4 != 2)
    text += ' ';
  const auto word = [](std::size_t number) {
    return std::string{static_cast<char>(number & 0xff), static_cast<char>(number >> 8), 0, 0};
  };
  for (const char* blanks : {"", "  "}) {
    const std::string data = word(36) + std::string("BIN\0", 4) + bytes_of(positions);
    const std::string chunk = word(text.size()) + "JSON" + text + blanks;
    write_bytes(path("a.glb"), "glTF" + word(2) + word(12 + chunk.size() + data.size()) + chunk + data);
    EXPECT_EQ(MeshView(io::load_mesh(path("a.glb"), {}).pixels.view()).triangles(), 1u) << "'" << blanks << "'";
  }
}

TEST_F(GltfFile, DamageIsNamed) {
  const std::string text = R"({"asset":{"version":"2.0"}})";
  std::string file = "glTF" + std::string("\2\0\0\0\0\0\0\0", 8);
  file += static_cast<char>(text.size());
  file += std::string("\0\0\0JSON", 7) + text;
  EXPECT_NE(problem(file, "a.glb").find("no item 0 of 'scenes'"), std::string::npos) << problem(file, "a.glb");
  EXPECT_NE(problem(file.substr(0, 40), "a.glb").find("its text is cut off"), std::string::npos);
  EXPECT_NE(problem(file.substr(0, 13), "a.glb").find("truncated"), std::string::npos);
  EXPECT_NE(problem(text.substr(0, 20)).find("no glTF 2.0, or damaged"), std::string::npos);
  EXPECT_NE(problem("[]").find("no object of JSON"), std::string::npos);
  EXPECT_NE(problem(R"({"asset":{"version":"1.0"}})").find("its version of glTF is '1.0'"), std::string::npos);
  std::string deep(70, '[');
  EXPECT_NE(problem(deep).find("nested more than 64 levels"), std::string::npos);
  EXPECT_NE(problem(R"({"asset":{"version":"2.0"},"scene":-1})").find("-1 for a count"), std::string::npos);
}

TEST_F(GltfFile, QuantisedPositionsAreRead) {
  const std::string views =
      R"({"buffer":0,"byteLength":32,"byteStride":8},{"buffer":0,"byteOffset":32,"byteLength":6})";
  const std::string indices = R"(,{"bufferView":1,"componentType":5123,"count":3,"type":"SCALAR"})";
  const std::string required = R"(,"extensionsRequired":["KHR_mesh_quantization"])";
  for (const bool normalised : {false, true}) {
    const std::uint16_t full = normalised ? 32767 : 1000;
    const std::vector<std::uint16_t> data{0, 0, 0, 0, full, 0, 0, 0, full, full, 0, 0, 0, full, 0, 0, 0, 1, 2};
    const std::string accessor = R"({"bufferView":0,"componentType":)" + std::string(normalised ? "5122" : "5123") +
                                 R"(,"count":4,"type":"VEC3","normalized":)" + (normalised ? "true" : "false") + "}";
    const io::Loaded loaded = load(bytes_of(data), accessor + indices, views, R"(,"indices":1)",
                                   normalised ? "" : R"(,"scale":[0.001,0.001,0.001])", required);
    const MeshView mesh(loaded.pixels.view());
    ASSERT_EQ(mesh.triangles(), 1u);
    EXPECT_EQ(mesh.header().low, (Float3{0, 0, 0}));
    EXPECT_EQ(mesh.header().high, (Float3{1, 1, 0}));
  }
}

TEST_F(GltfFile, StripsFansMirrorsAndSparseAccessors) {
  const std::vector<float> points{0, 0, 0, 1, 0, 0, 0, 1, 0, 7, 7, 0, 1, 1, 0};
  std::string data = bytes_of(points);
  data += std::string("\3\0\0\0", 4);  // The fourth point becomes the fifth one.
  const std::string views =
      R"({"buffer":0,"byteLength":48},{"buffer":0,"byteOffset":60,"byteLength":1},{"buffer":0,"byteOffset":48,"byteLength":12})";
  const std::string accessor = R"({"bufferView":0,"componentType":5126,"count":4,"type":"VEC3","sparse":{"count":1,
  "indices":{"bufferView":1,"componentType":5121},"values":{"bufferView":2}}})";
  for (const char* mode : {R"(,"mode":5)", R"(,"mode":6)"})
    for (const char* node : {"", R"(,"scale":[-1,1,1])"}) {
      const io::Loaded loaded = load(data, accessor, views, mode, node);
      const MeshView mesh(loaded.pixels.view());
      ASSERT_EQ(mesh.triangles(), 2u);
      // The first triangle is counter-clockwise, also in a mirror, and so is the second one of a strip.
      EXPECT_EQ(mesh.normal(mesh.corner(0, 0)).z, 1.0f);
      if (std::strstr(mode, "5") != nullptr) {
        EXPECT_EQ(mesh.normal(mesh.corner(1, 0)).z, 1.0f);
        EXPECT_EQ(mesh.header().high, (Float3{*node == 0 ? 1.0f : 0.0f, 1, 0}));
      }
    }
  EXPECT_NE(
      load(data, accessor, views, R"(,"mode":5)", "", R"(,"animations":[{}])").note.find("animations are left out"),
      std::string::npos);
}

TEST_F(GltfFile, NumbersBeyondTheirBufferAreRefused) {
  const auto refused = [&](const std::string& accessor, const std::string& view) {
    try {
      (void)load(std::string(36, '\0'), accessor, view);
    } catch (const EnvironmentError& error) {
      return std::string(error.what());
    }
    return std::string();
  };
  const std::string view = R"({"buffer":0,"byteLength":36})";
  const auto accessor = [](const std::string& count, const std::string& more = "") {
    return R"({"bufferView":0,"componentType":5126,"type":"VEC3","count":)" + count + more + "}";
  };
  EXPECT_EQ(refused(accessor("3"), view), "");
  EXPECT_NE(refused(accessor("4"), view).find("reads beyond its buffer"), std::string::npos);
  EXPECT_NE(refused(accessor("3", R"(,"byteOffset":4)"), view).find("reads beyond its buffer"), std::string::npos);
  EXPECT_NE(refused(accessor("3"), R"({"buffer":0,"byteLength":37})").find("beyond its end"), std::string::npos);
  EXPECT_NE(refused(accessor("3"), R"({"buffer":0,"byteLength":36,"byteStride":0})").find("reads beyond"),
            std::string::npos);
  EXPECT_NE(refused(accessor("1e300"), view).find("for a count"), std::string::npos);
  EXPECT_NE(refused(accessor("3"), R"({"buffer":1,"byteLength":36})").find("no item 1 of 'buffers'"),
            std::string::npos);
  EXPECT_NE(refused(R"({"componentType":5126,"type":"VEC3","count":300000000})", view), "");
}

}  // namespace
}  // namespace threadscape::testing

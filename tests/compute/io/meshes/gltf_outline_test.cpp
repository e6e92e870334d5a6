// Which glTF files are refused before a library reads them.

#include "compute/io/meshes/gltf_outline.h"

#include "compute/core/errors.h"
#include "tests/support/compute/test_files.h"

namespace threadscape {
namespace {

class GltfOutline : public TestFolder {
 protected:
  std::string problem(const std::string& text, const std::string& name = "a.gltf") const {
    write_bytes(path(name), text);
    try {
      io::check_gltf(path(name), {});
    } catch (const UsageError& error) {
      return error.what();
    }
    return "";
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

TEST_F(GltfOutline, PlacesOfNodesAreCounted) {
  EXPECT_EQ(problem(chain(18, 2)), "");
  EXPECT_NE(problem(chain(40, 2)).find("more than 1000000 nodes"), std::string::npos) << problem(chain(40, 2));
  EXPECT_NE(problem(chain(3, 1000)).find("more than 1000000 nodes"), std::string::npos);
  EXPECT_EQ(problem(chain(400'000, 1)), "") << "deep nodes are counted without a stack";
}

TEST_F(GltfOutline, NodesThatContainThemselvesAreRefused) {
  const auto nodes = [](const std::string& list) { return R"({"scenes":[{"nodes":[0]}],"nodes":[)" + list + "]}"; };
  EXPECT_EQ(problem(nodes(R"({"children":[0]})")), "its node 0 contains itself");
  EXPECT_EQ(problem(nodes(R"({"children":[1]},{"children":[2]},{"children":[1]})")), "its node 1 contains itself");
  EXPECT_EQ(problem(nodes(R"({"children":[1,2]},{"children":[2]},{"children":[99]})")), "")
      << "a node may be at several places, and one that is missing is the reader's business";
}

TEST_F(GltfOutline, ExtensionsThatAreRequiredAreKnown) {
  const auto requires_extension = [](const std::string& name) {
    return R"({"extensionsRequired":[")" + name + R"("],"nodes":[]})";
  };
  EXPECT_EQ(problem(requires_extension("KHR_materials_unlit")), "");
  for (const char* name : {"KHR_mesh_quantization", "EXT_meshopt_compression", "ACME_unknown_geometry"})
    EXPECT_EQ(problem(requires_extension(name)),
              "it requires the extension '" + std::string(name) + "' of glTF, which is not read");
  EXPECT_EQ(problem(R"({"extensionsUsed":["ACME_unknown_geometry"]})"), "");
  EXPECT_EQ(problem(requires_extension("ACME_unknown_geometry"), "a.obj"), "") << "it is no glTF by its name";
}

TEST_F(GltfOutline, BinaryFilesHaveTheirTextInTheFirstChunk) {
  const std::string text = R"({"extensionsRequired":["ACME_a"]})";
  std::string file = "glTF" + std::string("\2\0\0\0\0\0\0\0", 8);
  file += static_cast<char>(text.size());
  file += std::string("\0\0\0JSON", 7) + text + "binary";
  EXPECT_NE(problem(file, "a.glb"), "");
  EXPECT_EQ(problem(file.substr(0, 19), "a.glb"), "") << "damage is the reader's business";
  EXPECT_EQ(problem("", "a.gltf"), "");
  EXPECT_EQ(problem(text.substr(0, 20), "a.gltf"), "");
}

}  // namespace
}  // namespace threadscape

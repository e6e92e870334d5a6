// Tests that a model which makes the process that reads it crash, wait or use up memory costs a message and nothing
// else.

#include <sys/wait.h>

#include <cerrno>
#include <cstdio>
#include <thread>

#include "compute/io/meshes/mesh_file.h"
#include "compute/io/meshes/model_scene.h"
#include "tests/support/compute/test_files.h"

namespace threadscape::testing {
namespace {

class ModelReader : public TestFolder {
 protected:
  void SetUp() override {
    TestFolder::SetUp();
    if (!io::reads_models()) GTEST_SKIP() << "this build has no reader of models";
  }
  std::string failure(const std::string& name) const {
    try {
      (void)io::load_mesh(path(name), {});
    } catch (const EnvironmentError& error) {
      return error.what();
    }
    return "";
  }
  /// Writes polygons whose reading takes minutes: cutting one into triangles takes time with the square of its corners.
  void write_slow(const std::string& name) const {
    constexpr int corners = 30'000, polygons = 100;
    std::string text, face = "f";
    for (int i = 0; i < corners; ++i) {
      text += "v " + std::to_string(i) + " " + std::to_string(i % 2 * 1000 + i) + " 0\n";
      face += " " + std::to_string(i + 1);
    }
    for (int i = 0; i < polygons; ++i)
      text += face + "\n";
    write_bytes(path(name), text);
  }
  /// Returns true if this process has a child, ended or not.
  static bool has_child() { return waitpid(-1, nullptr, WNOHANG) >= 0 || errno != ECHILD; }
};

TEST_F(ModelReader, ACrashGivesAMessage) {
  // Assimp calls itself for each level of the nodes of a glTF file, until its stack is used up.
  constexpr int levels = 400'000;
  std::string nodes;
  for (int i = 1; i < levels; ++i)
    nodes += R"({"children":[)" + std::to_string(i) + "]},";
  write_bytes(path("deep.gltf"),
              R"({"asset":{"version":"2.0"},"scene":0,"scenes":[{"nodes":[0]}],"nodes":[)" + nodes + "{}]}");
  const std::string text = failure("deep.gltf");
  EXPECT_NE(text.find("deep.gltf"), std::string::npos) << text;
  EXPECT_NE(text.find("crashed on it (Segmentation fault)"), std::string::npos) << text;
  EXPECT_NE(text.find("the model is damaged"), std::string::npos) << text;
  EXPECT_EQ(text.find('\n'), std::string::npos) << text;
  EXPECT_FALSE(has_child());
}

TEST_F(ModelReader, TooMuchTimeGivesAMessage) {
  write_slow("polygon.obj");
  const ScopedLimit limit(io::Limit::model_seconds, 1);
  const std::string text = failure("polygon.obj");
  EXPECT_NE(text.find("polygon.obj"), std::string::npos) << text;
  EXPECT_NE(text.find("--limit model-seconds=N raises it"), std::string::npos) << text;
  EXPECT_FALSE(has_child());
}

TEST_F(ModelReader, ARequestToStopEndsTheProcess) {
  write_slow("polygon.obj");
  std::stop_source stop;
  std::jthread asker([&] {
    std::this_thread::sleep_for(std::chrono::milliseconds(200));
    stop.request_stop();
  });
  EXPECT_THROW((void)io::load_mesh(path("polygon.obj"), {.stop = stop.get_token()}), Cancelled);
  EXPECT_FALSE(has_child());
}

TEST_F(ModelReader, TooMuchMemoryGivesAMessage) {
  std::string text;
  for (int i = 0; i < 300'000; ++i)
    text += "v 0 0 0\nv 1 0 0\nv 0 1 0\nf -3 -2 -1\n";
  write_bytes(path("large.obj"), text);
  // The program is started as load_model() does, but with a limit of 80 MB of addresses.
  const std::string program =
      (std::filesystem::read_symlink("/proc/self/exe").parent_path() / "threadscape-model-reader");
  const std::string command = "'" + program + "' '" + path("large.obj").string() + "' 80000000 60 inside 2> /dev/null";
  FILE* const output = popen(command.c_str(), "r");
  ASSERT_NE(output, nullptr);
  std::vector<std::byte> bytes(1 << 16);
  bytes.resize(std::fread(bytes.data(), 1, bytes.size(), output));
  EXPECT_EQ(pclose(output), 0);
  std::string message;
  try {
    (void)io::mesh_of_scene(bytes, path("large.obj"), {}, {});
  } catch (const UsageError& error) {
    message = error.what();
  }
  EXPECT_EQ(message, "reading it needs more memory than the 80000000 bytes that are free");
}

}  // namespace
}  // namespace threadscape::testing

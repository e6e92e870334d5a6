// Tests of session files: what is written is read again, paths follow the file, and what does not fit is refused with
// the place and the cause.

#include "app/session/session_file.h"

#include <gtest/gtest.h>

#include <fstream>
#include <iterator>

#include "app/session/sketch_file.h"
#include "app/session/user_folders.h"
#include "compute/core/path_text.h"
#include "compute/io/file_writer.h"
#include "compute/io/pictures/image_file.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

class SessionFileTest : public ::testing::Test {
 protected:
  [[nodiscard]] fs::path path(const std::string& name) const { return folder_.path() / name; }
  fs::path write(const std::string& name, const std::string& text) {
    fs::create_directories(path(name).parent_path());
    std::ofstream(path(name)) << text;
    return path(name);
  }
  static std::string read(const fs::path& file) {
    std::ifstream in(file);
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
  }
  static std::string value(const ParamBox& params, std::string_view name) {
    for (const FieldRef& field : params.fields())
      if (field.name == name) return to_text(field);
    return "";
  }
  [[nodiscard]] static bool is_logged(const Workspace& workspace, const std::string& text) {
    for (const LogBook::Entry& entry : workspace.log.entries())
      if (entry.text.find(text) != std::string::npos) return true;
    return false;
  }
  /// The message with which a session with this text is refused; "" if it is accepted.
  std::string refusal(const std::string& text) {
    try {
      (void)load_session(write("refused.threadscape.json", text));
      return "";
    } catch (const UsageError& error) {
      return error.what();
    }
  }

  threadscape::testing::TemporaryFolder folder_;
};

TEST_F(SessionFileTest, NamesOfSessions) {
  EXPECT_TRUE(is_session_path("/a/evening.threadscape.json"));
  EXPECT_TRUE(is_session_path("Evening.Threadscape.JSON"));
  EXPECT_FALSE(is_session_path("evening.json"));
  EXPECT_FALSE(is_session_path(".threadscape.json"));
  EXPECT_FALSE(is_session_path("threadscape.json"));
}

TEST_F(SessionFileTest, AWorkspaceComesBack) {
  io::save_picture(path("photo.png"), threadscape::testing::test_photo().pixels.view(), io::FileColour::rgb);
  Workspace workspace;
  workspace.choose_algorithm(find_algorithm("sobel"));
  workspace.set_parameter("norm", "l2");
  workspace.choose_algorithm(find_algorithm("morphology"));
  workspace.set_parameter("operation", "open");
  workspace.set_parameter("element", "3x3:010/111/010");
  workspace.set_parameter("shape", "file");
  workspace.choose_backend(Backend::serial);
  workspace.choose_threads(2);
  workspace.choose_seed((std::uint64_t{1} << 63) + 1);
  workspace.load(path("photo.png"));
  workspace.show_intermediate(0);
  const SessionView view{.scene = "image", .show = "split", .panel = "log", .settings = {{"image", "{\"gamma\": 2}"}}};
  const fs::path file = path("evening.threadscape.json");
  save_session(file, session_of(workspace, view));
  EXPECT_NE(read(file).find("\"photo.png\""), std::string::npos) << read(file);  // Relative to the session.

  fs::rename(folder_.path(), folder_.path().string() + "-moved");
  fs::create_directories(folder_.path());
  const Session session = load_session(folder_.path().string() + "-moved/evening.threadscape.json");
  EXPECT_EQ(session.inputs.at(Kind::image), folder_.path().string() + "-moved/photo.png");
  EXPECT_EQ(session.view.scene, "image");
  EXPECT_EQ(session.view.show, "split");
  EXPECT_EQ(session.view.panel, "log");
  EXPECT_EQ(session.view.settings.at("image"), "{\"gamma\":2}");
  Workspace again;
  apply_session(again, session);
  EXPECT_EQ(again.work().params, workspace.work().params);
  EXPECT_EQ(again.work().algorithm, workspace.work().algorithm);
  EXPECT_EQ(again.work().backend, Backend::serial);
  EXPECT_EQ(again.work().threads, 2);
  EXPECT_EQ(again.work().seed, workspace.work().seed);
  EXPECT_EQ(again.shown_intermediate(), 0);
  EXPECT_EQ(value(again.params_of(find_algorithm("sobel")), "norm"), "l2");
  EXPECT_EQ(existing_inputs(session, again.log).size(), 1u);
  EXPECT_TRUE(again.log.entries().empty());
  fs::remove_all(folder_.path().string() + "-moved");
}

TEST_F(SessionFileTest, HowVolumesAreReadIsKept) {
  Workspace workspace;
  EXPECT_EQ(session_text(session_of(workspace, {}), {}).find("volume\": {"), std::string::npos);
  workspace.volume_reading = {.axis = io::VolumeAxis::of_patient, .water = 0.0171};
  const fs::path file = path("scan.threadscape.json");
  save_session(file, session_of(workspace, {}));
  Workspace again;
  apply_session(again, load_session(file));
  EXPECT_EQ(again.volume_reading, workspace.volume_reading);
  const auto with = [](const std::string& volume) {
    return R"({"threadscape": 1, "algorithm": "sobel", "volume": )" + volume + "}";
  };
  EXPECT_NE(refusal(with(R"({"axis": "4"})")).find("axis: is none of auto, 1, 2 and 3"), std::string::npos);
  EXPECT_NE(refusal(with(R"({"water": 0})")).find("water: is not a number above 0"), std::string::npos);
}

TEST_F(SessionFileTest, ASketchIsKeptAsText) {
  io::save_bytes(path("my.cu"), std::string_view("// sketch: kept\n// reads: picture gray u8    makes: picture gray "
                                                 "u8\n// param: radius = 2 (1..9)\n// check: mean size=(2 * radius + "
                                                 "1)\n"));
  Workspace workspace;
  workspace.choose_algorithm(open_sketch(path("my.cu")));
  workspace.set_parameter("radius", "3");
  workspace.choose_backend(Backend::serial);
  Session session = session_of(workspace, {});
  EXPECT_EQ(session.algorithm->name, "mean") << "the sketch is not there when the session is opened";
  EXPECT_EQ(value(session.params, "size"), "7");
  EXPECT_TRUE(session.others.empty());
  workspace.choose_algorithm(find_algorithm("sobel"));
  EXPECT_TRUE(session_of(workspace, {}).others.empty());
  session.sketch =
      KeptSketch{.file = path("my.cu").string(), .text = "text", .changed = true, .params = {}, .tries = {}};
  session.sketch->tries.push_back({.text = "first", .params = {}, .instructions = 2.5, .sectors = {}, .check = "ok"});
  const fs::path file = path("evening.threadscape.json");
  save_session(file, session);
  EXPECT_NE(read(file).find("\"my.cu\""), std::string::npos) << read(file);  // Relative to the session.
  EXPECT_EQ(load_session(file).sketch, session.sketch);
  for (const char* wrong : {R"({"file": 3})", R"({"text": "a"})", R"({"file": "a.cu", "tries": [3]})",
                            R"({"file": "a.cu", "shown": 0})", R"({"file": "a.cu", "params": 3})", "3"})
    EXPECT_NE(
        refusal(R"({"threadscape": 1, "algorithm": "sobel", "sketch": )" + std::string(wrong) + "}").find("sketch"),
        std::string::npos)
        << wrong;
}

TEST_F(SessionFileTest, OldTriesOfASketchAreLeftOut) {
  KeptSketch sketch{.file = "a.cu", .text = "b", .changed = false, .params = {}, .tries = {}, .shown = 4};
  for (int i = 0; i < 5; ++i)
    sketch.tries.push_back({.text = std::string(max_kept_bytes / 3, 'a'), .params = {}, .check = std::to_string(i)});
  const KeptSketch kept = parse_kept_sketch(to_json(sketch));
  ASSERT_EQ(kept.tries.size(), 3u);
  EXPECT_EQ(kept.tries[0].check, "2");
  EXPECT_EQ(kept.shown, 2);
}

TEST_F(SessionFileTest, WhatIsMissingIsNamedAndLeftOut) {
  const fs::path file = write("lost.threadscape.json", R"({"threadscape": 1, "algorithm": "seam_carving",
    "params": {"width": 50, "protect": "faces.png"}, "inputs": {"image": "gone.png"}})");
  const Session session = load_session(file);
  Workspace workspace;
  apply_session(workspace, session);
  EXPECT_EQ(value(workspace.work().params, "width"), "50");
  EXPECT_EQ(value(workspace.work().params, "protect"), "");
  EXPECT_TRUE(is_logged(workspace, "faces.png"));
  EXPECT_TRUE(existing_inputs(session, workspace.log).empty());
  EXPECT_TRUE(is_logged(workspace, path("gone.png").string()));
}

TEST_F(SessionFileTest, FilesBesideTheSessionAreNamedByItsParameters) {
  const fs::path mask = write("masks/faces.png", "picture");
  Workspace workspace;
  workspace.choose_algorithm(find_algorithm("seam_carving"));
  workspace.set_parameter("protect", mask.string());
  workspace.set_parameter("remove", "/elsewhere.png");
  const fs::path file = path("s.threadscape.json");
  save_session(file, session_of(workspace, {}));
  EXPECT_NE(read(file).find("\"masks/faces.png\""), std::string::npos) << read(file);
  const Session session = load_session(file);
  EXPECT_EQ(value(session.params, "protect"), mask.string());
  EXPECT_EQ(value(session.params, "remove"), "/elsewhere.png");
}

TEST_F(SessionFileTest, NamesThatAreNoUtf8ComeBack) {
  for (const std::string name : {"caf\xe9.png", "100%\xff.png", "file:photo.png", "50%25.png"}) {
    const fs::path mask = write(name, "picture"), elsewhere = fs::path("/elsewhere") / name;
    Workspace workspace;
    workspace.choose_algorithm(find_algorithm("seam_carving"));
    workspace.set_parameter("protect", mask.string());
    workspace.set_parameter("remove", elsewhere.string());
    workspace.set_source(mask, threadscape::testing::test_photo());
    const fs::path file = path("s.threadscape.json");
    save_session(file, session_of(workspace, {}));
    EXPECT_TRUE(is_utf8(read(file))) << read(file);
    const Session session = load_session(file);
    EXPECT_EQ(value(session.params, "protect"), mask.string());
    EXPECT_EQ(value(session.params, "remove"), elsewhere.string());
    EXPECT_EQ(session.inputs.at(Kind::image), mask);
  }
}

TEST_F(SessionFileTest, PaintedMasksAreCopiedOutOfTheCache) {
  setenv("XDG_CACHE_HOME", path("cache").c_str(), 1);
  const fs::path mask = write("cache/threadscape/masks/remove-1.pgm", "mask");
  Workspace workspace;
  workspace.choose_algorithm(find_algorithm("seam_carving"));
  workspace.set_parameter("remove", mask.string());
  save_session(path("s.threadscape.json"), session_of(workspace, {}));
  EXPECT_EQ(value(workspace.work().params, "remove"), mask.string());
  fs::remove(mask);
  const Session session = load_session(path("s.threadscape.json"));
  EXPECT_EQ(value(session.params, "remove"), path("s.masks/remove-1.pgm").string());
  EXPECT_EQ(read(path("s.masks/remove-1.pgm")), "mask");
  unsetenv("XDG_CACHE_HOME");
}

TEST_F(SessionFileTest, OtherFilesAreClosed) {
  Workspace workspace;
  workspace.choose_algorithm(find_algorithm("median"));
  workspace.set_source("photo.png", threadscape::testing::test_photo());
  Session session = session_of(workspace, {});
  session.inputs.clear();
  apply_session(workspace, session);
  EXPECT_EQ(workspace.picture(), nullptr);
}

TEST_F(SessionFileTest, WhatIsNoSessionIsRefusedWithItsPlace) {
  const auto expect_refusal = [this](const std::string& text, const std::string& cause) {
    const std::string message = refusal(text);
    EXPECT_NE(message.find("refused.threadscape.json"), std::string::npos) << message;
    EXPECT_NE(message.find(cause), std::string::npos) << message << " for " << text;
  };
  expect_refusal("{", "no JSON");
  expect_refusal("[]", "\"threadscape\": 1 is missing");
  expect_refusal("{}", "\"threadscape\": 1 is missing");
  expect_refusal(R"({"threadscape": "1"})", "whole number");
  expect_refusal(R"({"threadscape": 2, "algorithm": "median"})", "version 2");
  expect_refusal(R"({"threadscape": 1})", "\"algorithm\" is missing");
  expect_refusal(R"({"threadscape": 1, "algorithm": "medan"})", "median");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "colour": 1})", "unknown field 'colour'");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "params": {"size": 4}})", "params: ");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "params": {"sise": 5}})", "sise");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "params": 5})", "params: is not an object");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "backend": "gpu"})", "serial, openmp and cuda");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "variant": "none of them"})", "variant");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "threads": -1})", "threads: ");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "threads": 1.5})", "threads: ");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "seed": -1})", "seed: ");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "step": 0})", "step: ");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "inputs": {"picture": "a.png"}})", "image");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "inputs": {"none": "a.png"}})", "no kind of data");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "inputs": {"image": 5}})", "is not a text");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "view": {"camera": 1}})", "unknown field 'camera'");
  expect_refusal(R"({"threadscape": 1, "algorithm": "median", "others": {"medan": {}}})", "medan");
  EXPECT_EQ(refusal(R"({"threadscape": 1, "algorithm": "median" /* a comment */})"), "");
  EXPECT_THROW((void)load_session(path("none.threadscape.json")), EnvironmentError);
  EXPECT_NE(refusal(std::string(5000, '[')), "");
}

}  // namespace
}  // namespace threadscape::app

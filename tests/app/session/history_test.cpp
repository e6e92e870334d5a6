// Tests of undo and redo of the workspace, as the window uses them: one look per frame, and nothing at the places that
// change the workspace.

#include "app/session/history.h"

#include <gtest/gtest.h>

#include <fstream>

#include "app/session/user_folders.h"
#include "app/session/workspace.h"
#include "compute/registry/registry.h"
#include "tests/support/app/app_testing.h"

namespace threadscape::app {
namespace {

namespace fs = std::filesystem;

class HistoryTest : public ::testing::Test {
 protected:
  void SetUp() override {
    workspace_.choose_algorithm(find_algorithm("median"));
    workspace_.choose_backend(Backend::openmp);
    frame();
  }
  void frame(bool gesture = false) { workspace_.record_changes(gesture); }
  void set(const char* name, const char* value, bool gesture = false) {
    workspace_.set_parameter(name, value);
    frame(gesture);
  }
  [[nodiscard]] std::string get(std::string_view name) {
    for (const FieldRef& field : workspace_.work().params.fields())
      if (field.name == name) return to_text(field);
    return "";
  }
  /// Opens a grey picture of `side` x `side` bytes.
  void open(const char* path, int side) {
    workspace_.set_source(path, {HostArray(Shape::image(Element::u8, 1, side, side)), io::FileColour::grey});
    frame();
  }
  [[nodiscard]] fs::path opened() const {
    const auto picture = workspace_.picture();
    return picture ? picture->path : fs::path("none");
  }

  Workspace workspace_;
};

TEST_F(HistoryTest, ParametersAreTakenBackAndMadeAgain) {
  EXPECT_FALSE(workspace_.history.can_undo());
  set("size", "5");
  set("size", "7");
  EXPECT_EQ(workspace_.history.undo_name(), "size: 5 to 7");
  workspace_.undo();
  EXPECT_EQ(get("size"), "5");
  EXPECT_EQ(workspace_.history.redo_name(), "size: 5 to 7");
  frame();  // What was applied is no change of the user.
  workspace_.undo();
  EXPECT_EQ(get("size"), "3");
  EXPECT_FALSE(workspace_.history.can_undo());
  EXPECT_TRUE(workspace_.undo().empty());
  workspace_.redo();
  workspace_.redo();
  EXPECT_EQ(get("size"), "7");
  EXPECT_FALSE(workspace_.history.can_redo());
}

TEST_F(HistoryTest, ADragIsOneEntry) {
  for (const char* size : {"5", "7", "9", "11"})
    set("size", size, true);
  EXPECT_FALSE(workspace_.history.can_undo());
  frame();
  EXPECT_EQ(workspace_.history.undo_name(), "size: 3 to 11");
  workspace_.undo();
  EXPECT_EQ(get("size"), "3");
  EXPECT_FALSE(workspace_.history.can_undo());
}

TEST_F(HistoryTest, UndoDuringADragTakesTheDragBack) {
  set("size", "5");
  set("size", "9", true);
  workspace_.undo();
  EXPECT_EQ(get("size"), "5");
  workspace_.redo();
  EXPECT_EQ(get("size"), "9");
}

TEST_F(HistoryTest, ADragThatReturnsIsNoEntry) {
  set("size", "9", true);
  set("size", "3", false);
  EXPECT_FALSE(workspace_.history.can_undo());
}

TEST_F(HistoryTest, ANewChangeEndsWhatCanBeMadeAgain) {
  set("size", "5");
  workspace_.undo();
  set("size", "9");
  EXPECT_FALSE(workspace_.history.can_redo());
  workspace_.undo();
  EXPECT_EQ(get("size"), "3");
}

TEST_F(HistoryTest, AlgorithmBackendAndThreadsAreTakenBack) {
  set("size", "5");
  workspace_.choose_algorithm(find_algorithm("sobel"));
  frame();
  workspace_.choose_backend(Backend::serial);
  frame();
  workspace_.choose_threads(1);
  frame();
  EXPECT_TRUE(workspace_.history.undo_name().starts_with("threads: ")) << workspace_.history.undo_name();
  workspace_.undo();
  EXPECT_EQ(workspace_.history.undo_name(), "backend serial");
  workspace_.undo();
  EXPECT_EQ(workspace_.work().backend, Backend::openmp);
  EXPECT_TRUE(workspace_.history.undo_name().starts_with("algorithm Sobel")) << workspace_.history.undo_name();
  workspace_.undo();
  EXPECT_EQ(workspace_.algorithm().name, "median");
  EXPECT_EQ(get("size"), "5");
  workspace_.redo();
  workspace_.redo();
  EXPECT_EQ(workspace_.algorithm().name, "sobel");
  EXPECT_EQ(workspace_.work().backend, Backend::serial);
}

TEST_F(HistoryTest, StepsOfAChainAreTakenBack) {
  workspace_.choose_algorithm(find_algorithm("chain"));
  frame();
  const std::string before = get("steps");
  set("steps", "median size=5 | sobel");
  EXPECT_EQ(workspace_.history.undo_name(), "steps");
  workspace_.undo();
  EXPECT_EQ(get("steps"), before);
  workspace_.redo();
  EXPECT_EQ(get("steps"), "median size=5 | sobel");
}

TEST_F(HistoryTest, TheShownStepComesBackButIsNoChange) {
  workspace_.choose_algorithm(find_algorithm("morphology"));
  workspace_.set_parameter("operation", "open");
  frame();
  workspace_.show_intermediate(0);
  frame();
  EXPECT_EQ(workspace_.history.undo_name(), "algorithm " + std::string(workspace_.algorithm().title));
  set("size", "7");
  workspace_.show_intermediate(1);
  frame();
  workspace_.undo();
  EXPECT_EQ(workspace_.shown_intermediate(), 0);
  workspace_.redo();
  EXPECT_EQ(workspace_.shown_intermediate(), 1);
}

TEST_F(HistoryTest, DrawnElementsArePainting) {
  workspace_.choose_algorithm(find_algorithm("morphology"));
  frame();
  workspace_.set_parameter("shape", "file");
  workspace_.set_parameter("element", "3x3:010/111/010");
  frame();
  EXPECT_EQ(workspace_.history.undo_name(), "painting of element");
  set("element", "3x3:110/111/010");
  EXPECT_EQ(workspace_.history.undo_name(), "painting of element");
  workspace_.undo();
  EXPECT_EQ(get("element"), "3x3:010/111/010");
}

TEST_F(HistoryTest, OpenedPicturesComeBackWithoutBeingRead) {
  open("a.png", 16);
  const auto first = workspace_.picture();
  open("b.png", 16);
  EXPECT_EQ(workspace_.history.undo_name(), "opening of b.png");
  EXPECT_TRUE(workspace_.undo().empty());
  EXPECT_EQ(workspace_.picture(), first);
  workspace_.undo();
  EXPECT_EQ(workspace_.picture(), nullptr);
  workspace_.redo();
  workspace_.redo();
  EXPECT_EQ(opened(), "b.png");
}

TEST_F(HistoryTest, NumbersOfAnotherTypeAreAChangeOfTheInput) {
  open("a.png", 16);
  workspace_.set_source("a.png", {HostArray(Shape::image(Element::f32, 1, 16, 16)), io::FileColour::grey});
  frame();
  EXPECT_EQ(workspace_.history.undo_name(), "numbers of a.png");
  workspace_.undo();
  EXPECT_EQ(workspace_.picture()->picture.pixels.shape().element, Element::u8);
}

TEST_F(HistoryTest, DataBeyondTheLimitAreReadFromTheFileAgain) {
  workspace_.history = History(100, 300);  // Bytes of one picture of 16 x 16.
  frame();
  open("a.png", 16);
  open("b.png", 16);
  set("size", "5");
  open("c.png", 16);
  EXPECT_EQ(workspace_.history.data_bytes(), 256u);
  EXPECT_TRUE(workspace_.undo().empty());
  EXPECT_EQ(opened(), "b.png");
  workspace_.undo();
  EXPECT_EQ(get("size"), "3");
  const std::vector<SettingInput> missing = workspace_.undo();
  ASSERT_EQ(missing.size(), 1u);
  EXPECT_EQ(missing.front().path, "a.png");
  frame();
  EXPECT_EQ(opened(), "b.png");  // Until the file is read, the picture that is there stays.
  open("a.png", 16);
  EXPECT_TRUE(workspace_.history.can_redo());
  workspace_.redo();
  EXPECT_EQ(opened(), "b.png");
  workspace_.undo();
  EXPECT_EQ(opened(), "a.png");
}

TEST_F(HistoryTest, TheNumberOfEntriesIsLimited) {
  workspace_.history = History(3);
  frame();
  for (const char* size : {"5", "7", "9", "11", "13"})
    set("size", size);
  int count = 0;
  for (; workspace_.history.can_undo(); ++count)
    workspace_.undo();
  EXPECT_EQ(count, 3);
  EXPECT_EQ(get("size"), "7");
}

TEST_F(HistoryTest, SettingsWithLostMasksAreForgotten) {
  const threadscape::testing::TemporaryFolder folder;
  setenv("XDG_CACHE_HOME", folder.path().c_str(), 1);
  fs::create_directories(cache_folder() / "masks");
  const auto paint = [&](const char* name) {
    const fs::path mask = cache_folder() / "masks" / name;
    std::ofstream(mask) << "mask";
    set("remove", mask.c_str());
    return mask;
  };
  workspace_.choose_algorithm(find_algorithm("seam_carving"));
  frame();
  const fs::path first = paint("1.pgm"), second = paint("2.pgm");
  paint("3.pgm");
  EXPECT_EQ(workspace_.history.undo_name(), "painting of remove");
  fs::remove(first);
  workspace_.undo();
  EXPECT_EQ(get("remove"), second.string());
  workspace_.undo();
  EXPECT_EQ(get("remove"), second.string());
  EXPECT_FALSE(workspace_.history.can_undo());
  unsetenv("XDG_CACHE_HOME");
}

}  // namespace
}  // namespace threadscape::app

// Tests of Undo and Redo in the window: keys, the menu, painting, and that a gesture of the mouse is one entry.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <filesystem>

#include "app/session/user_folders.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

class UndoTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (tested_) tested_->settle();
  }
  void undo() {
    tested_->press(ImGuiKey_Z, ImGuiMod_Ctrl);
    tested_->settle();
  }
  void redo() {
    tested_->press(ImGuiKey_Y, ImGuiMod_Ctrl);
    tested_->settle();
  }
  [[nodiscard]] const History& history() const { return tested_->workspace.history; }
};

TEST_P(UndoTest, AParameterIsTakenBackAndMadeAgain) {
  tested_->activate("size");
  tested_->press(ImGuiKey_RightArrow);
  tested_->press(ImGuiKey_RightArrow);
  tested_->press(ImGuiKey_Escape);
  EXPECT_EQ(tested_->parameter("size"), "7");
  undo();
  EXPECT_EQ(tested_->parameter("size"), "3");  // The widget was active all the time, so this is one change.
  redo();
  EXPECT_EQ(tested_->parameter("size"), "7");
  undo();
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Shift, true);
  tested_->press(ImGuiKey_Z, ImGuiMod_Ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, false);
  tested_->settle();
  EXPECT_EQ(tested_->parameter("size"), "7");
}

TEST_P(UndoTest, AStrokeOnAnElementIsOneChange) {
  tested_->choose("morphology", {{"operation", "erode"}, {"shape", "rect"}, {"width", "5"}, {"height", "4"}});
  tested_->drag(1, {0, 0}, {4, 0});
  EXPECT_EQ(tested_->parameter("element"), "5x4:00000/11111/11111/11111");
  tested_->drag(1, {0, 3}, {2, 3});
  EXPECT_EQ(tested_->parameter("element"), "5x4:00000/11111/11111/00011");
  EXPECT_EQ(history().undo_name(), "painting of element");
  undo();
  EXPECT_EQ(tested_->parameter("element"), "5x4:00000/11111/11111/11111");
  undo();
  EXPECT_EQ(tested_->parameter("shape"), "rect");
  redo();
  redo();
  EXPECT_EQ(tested_->parameter("element"), "5x4:00000/11111/11111/00011");
}

TEST_P(UndoTest, AnOpenedFileIsTakenBack) {
  const auto first = tested_->workspace.picture();
  ASSERT_NE(first, nullptr);
  std::filesystem::copy(folder_.path() / "photo.png", folder_.path() / "second.png");
  tested_->frame({folder_.path() / "second.png"});
  tested_->settle();
  EXPECT_EQ(tested_->workspace.picture()->path.filename(), "second.png");
  undo();
  EXPECT_EQ(tested_->workspace.picture(), first);
  redo();
  EXPECT_EQ(tested_->workspace.picture()->path.filename(), "second.png");
}

TEST_P(UndoTest, TheMenuSaysWhatIsTakenBack) {
  tested_->choose("median", {{"size", "7"}});
  EXPECT_TRUE(history().undo_name().starts_with("algorithm Median")) << history().undo_name();
  tested_->window_.undo();
  tested_->settle();
  EXPECT_EQ(tested_->workspace.algorithm().name, "convolution");
  EXPECT_TRUE(history().redo_name().starts_with("algorithm Median")) << history().redo_name();
  tested_->window_.redo();
  tested_->settle();
  EXPECT_EQ(tested_->workspace.algorithm().name, "median");
  EXPECT_EQ(tested_->parameter("size"), "7");
}

TEST_P(UndoTest, StrokesOnAMaskAreTakenBack) {
  setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  tested_->choose("seam_carving", {{"width", "80"}});
  tested_->press(ImGuiKey_B);
  ImGuiWindow* view = ImGui::FindWindowByName("View###view");
  ASSERT_NE(view, nullptr);
  const ImVec2 middle = view->Rect().GetCenter();
  const auto stroke = [&](float dx) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(middle.x + dx, middle.y);
    tested_->frame();
    io.AddMouseButtonEvent(0, true);
    tested_->frame();
    io.AddMousePosEvent(middle.x + dx, middle.y + 20);
    tested_->frame();
    io.AddMouseButtonEvent(0, false);
    tested_->frame();
    tested_->settle();
    tested_->frames_until([this] { return !tested_->window_.scene().edit_pending(); });
    tested_->settle();
  };
  stroke(-60);
  const std::string first = tested_->parameter("remove");
  EXPECT_NE(first, "");
  stroke(60);
  const std::string second = tested_->parameter("remove");
  EXPECT_NE(second, first);
  EXPECT_EQ(history().undo_name(), "painting of remove");
  undo();
  EXPECT_EQ(tested_->parameter("remove"), first);
  EXPECT_FALSE(tested_->window_.scene().edit_pending());
  undo();
  EXPECT_EQ(tested_->parameter("remove"), "");
  redo();
  redo();
  EXPECT_EQ(tested_->parameter("remove"), second);
  tested_->window_.scenes().finish_edits(tested_->workspace);
  EXPECT_FALSE(std::filesystem::exists(first));
  EXPECT_TRUE(std::filesystem::exists(second));
  unsetenv("XDG_CACHE_HOME");
}

INSTANTIATE_TEST_SUITE_P(Undo, UndoTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app

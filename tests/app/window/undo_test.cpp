// Tests of Undo and Redo in the window: keys, the menu, painting, and that a gesture of the mouse is one entry.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <filesystem>

#include "app/session/user_folders.h"
#include "tests/support/app/desk.h"

namespace threadscape::app {
namespace {

class UndoTest : public DeskTest {
 protected:
  void SetUp() override {
    DeskTest::SetUp();
    if (desk_) desk_->settle();
  }
  void undo() {
    desk_->press(ImGuiKey_Z, ImGuiMod_Ctrl);
    desk_->settle();
  }
  void redo() {
    desk_->press(ImGuiKey_Y, ImGuiMod_Ctrl);
    desk_->settle();
  }
  [[nodiscard]] const History& history() const { return desk_->workspace.history; }
};

TEST_P(UndoTest, AParameterIsTakenBackAndMadeAgain) {
  desk_->activate("size");
  desk_->press(ImGuiKey_RightArrow);
  desk_->press(ImGuiKey_RightArrow);
  desk_->press(ImGuiKey_Escape);
  EXPECT_EQ(desk_->parameter("size"), "7");
  undo();
  EXPECT_EQ(desk_->parameter("size"), "3");  // The widget was active all the time, so this is one change.
  redo();
  EXPECT_EQ(desk_->parameter("size"), "7");
  undo();
  ImGuiIO& io = ImGui::GetIO();
  io.AddKeyEvent(ImGuiMod_Shift, true);
  desk_->press(ImGuiKey_Z, ImGuiMod_Ctrl);
  io.AddKeyEvent(ImGuiMod_Shift, false);
  desk_->settle();
  EXPECT_EQ(desk_->parameter("size"), "7");
}

TEST_P(UndoTest, AStrokeOnAnElementIsOneChange) {
  desk_->choose("morphology", {{"operation", "erode"}, {"shape", "rect"}, {"width", "5"}, {"height", "4"}});
  desk_->drag(1, {0, 0}, {4, 0});
  EXPECT_EQ(desk_->parameter("element"), "5x4:00000/11111/11111/11111");
  desk_->drag(1, {0, 3}, {2, 3});
  EXPECT_EQ(desk_->parameter("element"), "5x4:00000/11111/11111/00011");
  EXPECT_EQ(history().undo_name(), "painting of element");
  undo();
  EXPECT_EQ(desk_->parameter("element"), "5x4:00000/11111/11111/11111");
  undo();
  EXPECT_EQ(desk_->parameter("shape"), "rect");
  redo();
  redo();
  EXPECT_EQ(desk_->parameter("element"), "5x4:00000/11111/11111/00011");
}

TEST_P(UndoTest, AnOpenedFileIsTakenBack) {
  const auto first = desk_->workspace.picture();
  ASSERT_NE(first, nullptr);
  std::filesystem::copy(folder_.path() / "photo.png", folder_.path() / "second.png");
  desk_->frame({folder_.path() / "second.png"});
  desk_->settle();
  EXPECT_EQ(desk_->workspace.picture()->path.filename(), "second.png");
  undo();
  EXPECT_EQ(desk_->workspace.picture(), first);
  redo();
  EXPECT_EQ(desk_->workspace.picture()->path.filename(), "second.png");
}

TEST_P(UndoTest, TheMenuSaysWhatIsTakenBack) {
  desk_->choose("median", {{"size", "7"}});
  EXPECT_TRUE(history().undo_name().starts_with("algorithm Median")) << history().undo_name();
  desk_->window_.undo();
  desk_->settle();
  EXPECT_EQ(desk_->workspace.algorithm().name, "convolution");
  EXPECT_TRUE(history().redo_name().starts_with("algorithm Median")) << history().redo_name();
  desk_->window_.redo();
  desk_->settle();
  EXPECT_EQ(desk_->workspace.algorithm().name, "median");
  EXPECT_EQ(desk_->parameter("size"), "7");
}

TEST_P(UndoTest, StrokesOnAMaskAreTakenBack) {
  setenv("XDG_CACHE_HOME", folder_.path().c_str(), 1);
  desk_->choose("seam_carving", {{"width", "80"}});
  desk_->press(ImGuiKey_B);
  ImGuiWindow* view = ImGui::FindWindowByName("View###view");
  ASSERT_NE(view, nullptr);
  const ImVec2 middle = view->Rect().GetCenter();
  const auto stroke = [&](float dx) {
    ImGuiIO& io = ImGui::GetIO();
    io.AddMousePosEvent(middle.x + dx, middle.y);
    desk_->frame();
    io.AddMouseButtonEvent(0, true);
    desk_->frame();
    io.AddMousePosEvent(middle.x + dx, middle.y + 20);
    desk_->frame();
    io.AddMouseButtonEvent(0, false);
    desk_->frame();
    desk_->settle();
    desk_->frames_until([this] { return !desk_->window_.scene().edit_pending(); });
    desk_->settle();
  };
  stroke(-60);
  const std::string first = desk_->parameter("remove");
  EXPECT_NE(first, "");
  stroke(60);
  const std::string second = desk_->parameter("remove");
  EXPECT_NE(second, first);
  EXPECT_EQ(history().undo_name(), "painting of remove");
  undo();
  EXPECT_EQ(desk_->parameter("remove"), first);
  EXPECT_FALSE(desk_->window_.scene().edit_pending());
  undo();
  EXPECT_EQ(desk_->parameter("remove"), "");
  redo();
  redo();
  EXPECT_EQ(desk_->parameter("remove"), second);
  desk_->window_.scenes().finish_edits(desk_->workspace);
  EXPECT_FALSE(std::filesystem::exists(first));
  EXPECT_TRUE(std::filesystem::exists(second));
  unsetenv("XDG_CACHE_HOME");
}

INSTANTIATE_TEST_SUITE_P(Undo, UndoTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app

// Tests of the list of steps in the window: steps are added, shown, moved and removed with keys and buttons.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/support/app/desk.h"

namespace threadscape::app {
namespace {

class StepListWindowTest : public DeskTest {
 protected:
  /// Presses Shift+U and clicks an algorithm in the list.
  void add(const char* title) {
    desk_->press(ImGuiKey_U, ImGuiMod_Shift);
    desk_->frame();
    const auto& stack = ImGui::GetCurrentContext()->OpenPopupStack;
    ASSERT_FALSE(stack.empty());
    ImGui::ActivateItemByID(stack.back().Window->GetID(title));
    desk_->frame();
    desk_->frame();
    desk_->settle();
  }
  /// Presses a button of the line of steps.
  void press_in_list(const char* button) {
    ImGuiWindow* view = ImGui::FindWindowByName("View###view");
    ASSERT_NE(view, nullptr);
    ImGui::FocusWindow(view);
    desk_->frame();
    ImGui::ActivateItemByID(ImHashStr(button, 0, view->GetID("step list")));
    desk_->frame();
    desk_->frame();
    desk_->settle();
  }
  [[nodiscard]] std::string algorithm() const { return std::string(desk_->workspace.algorithm().name); }
};

TEST_P(StepListWindowTest, ATerrainIsErodedAndItsSlopeShown) {
  desk_->choose("diamond_square", {{"n", "5"}});
  add("Thermal erosion");
  EXPECT_EQ(algorithm(), "thermal_erosion");
  EXPECT_EQ(desk_->live_.source()->picture.pixels.shape().width, 33) << "not a terrain of its own";
  add("Slope and normals");
  EXPECT_EQ(algorithm(), "slope");
  ASSERT_EQ(desk_->workspace.problem(), "");
  EXPECT_EQ(desk_->live_.shown()->algorithm->name, "slope");
  const HostArray shown = desk_->result(), expected = desk_->expected(Backend::serial);
  ASSERT_EQ(shown.shape(), expected.shape());
  for (int y = 0; y < 33; ++y)
    for (int x = 0; x < 33; ++x)
      ASSERT_EQ(shown.image<std::uint8_t>()(x, y), expected.image<std::uint8_t>()(x, y)) << x << ", " << y;

  // A change of an earlier step reaches the later ones.
  const std::uint64_t before = desk_->workspace.source()->id;
  desk_->workspace.choose_step(0);
  desk_->settle();
  EXPECT_EQ(desk_->live_.shown()->algorithm->name, "diamond_square");
  desk_->workspace.work().seed += 1;
  desk_->settle();
  desk_->workspace.choose_step(2);
  desk_->settle();
  EXPECT_NE(desk_->workspace.source()->id, before);
  EXPECT_EQ(desk_->live_.shown()->algorithm->name, "slope");
}

TEST_P(StepListWindowTest, StepsAreMovedAndRemovedByTheirButtons) {
  desk_->choose("median", {});
  add("Sobel edges");
  add("Mean");
  const auto names = [this] {
    std::string text;
    for (const Step& step : desk_->workspace.steps().steps())
      text += (text.empty() ? "" : " ") + std::string(step.algorithm->name);
    return text;
  };
  EXPECT_EQ(names(), "median sobel mean");
  press_in_list("earlier");
  EXPECT_EQ(names(), "median mean sobel");
  EXPECT_EQ(algorithm(), "mean");
  press_in_list("later");
  EXPECT_EQ(names(), "median sobel mean");
  press_in_list("x");
  EXPECT_EQ(names(), "median sobel");
  EXPECT_EQ(algorithm(), "sobel");
  press_in_list("x");
  EXPECT_TRUE(desk_->workspace.steps().empty());
  EXPECT_EQ(algorithm(), "median");
  EXPECT_EQ(desk_->workspace.source()->title(), "photo.png");
}

INSTANTIATE_TEST_SUITE_P(Places, StepListWindowTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app

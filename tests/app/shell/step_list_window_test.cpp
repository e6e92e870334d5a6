// Tests of the list of steps in the window: steps are added, shown, moved and removed with keys and buttons.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

class StepListWindowTest : public TestedWindowTest {
 protected:
  /// Presses Shift+U and clicks an algorithm in the list.
  void add(const char* title) {
    tested_->press(ImGuiKey_U, ImGuiMod_Shift);
    tested_->frame();
    const auto& stack = ImGui::GetCurrentContext()->OpenPopupStack;
    ASSERT_FALSE(stack.empty());
    ImGui::ActivateItemByID(stack.back().Window->GetID(title));
    tested_->frame();
    tested_->frame();
    tested_->settle();
  }
  /// Presses a button of the line of steps.
  void press_in_list(const char* button) {
    ImGuiWindow* view = ImGui::FindWindowByName("View###view");
    ASSERT_NE(view, nullptr);
    ImGui::FocusWindow(view);
    tested_->frame();
    ImGui::ActivateItemByID(ImHashStr(button, 0, view->GetID("step list")));
    tested_->frame();
    tested_->frame();
    tested_->settle();
  }
  [[nodiscard]] std::string algorithm() const { return std::string(tested_->workspace.algorithm().name); }
};

TEST_P(StepListWindowTest, ATerrainIsErodedAndItsSlopeShown) {
  tested_->choose("diamond_square", {{"n", "5"}});
  add("Thermal erosion");
  EXPECT_EQ(algorithm(), "thermal_erosion");
  EXPECT_EQ(tested_->live_.source()->picture.pixels.shape().width, 33) << "not a terrain of its own";
  add("Slope and normals");
  EXPECT_EQ(algorithm(), "slope");
  ASSERT_EQ(tested_->workspace.problem(), "");
  EXPECT_EQ(tested_->live_.shown()->algorithm->name, "slope");
  const HostArray shown = tested_->result(), expected = tested_->expected(Backend::serial);
  ASSERT_EQ(shown.shape(), expected.shape());
  for (int y = 0; y < 33; ++y)
    for (int x = 0; x < 33; ++x)
      ASSERT_EQ(shown.image<std::uint8_t>()(x, y), expected.image<std::uint8_t>()(x, y)) << x << ", " << y;

  // A change of an earlier step reaches the later ones.
  const std::uint64_t before = tested_->workspace.source()->id;
  tested_->workspace.choose_step(0);
  tested_->settle();
  EXPECT_EQ(tested_->live_.shown()->algorithm->name, "diamond_square");
  tested_->workspace.choose_seed(tested_->workspace.work().seed + 1);
  tested_->settle();
  tested_->workspace.choose_step(2);
  tested_->settle();
  EXPECT_NE(tested_->workspace.source()->id, before);
  EXPECT_EQ(tested_->live_.shown()->algorithm->name, "slope");
}

TEST_P(StepListWindowTest, TheNextStepIsFoundByItsNameAndEnter) {
  tested_->press(ImGuiKey_U, ImGuiMod_Shift);
  tested_->frame();
  tested_->frame();
  ASSERT_TRUE(ImGui::GetIO().WantTextInput) << "who types searches";
  ImGui::GetIO().AddInputCharactersUTF8("rotate");
  tested_->frame();
  tested_->press(ImGuiKey_Enter);
  tested_->settle();
  EXPECT_EQ(algorithm(), "rotate");
  EXPECT_EQ(tested_->workspace.steps().steps().size(), 2u);
  EXPECT_TRUE(ImGui::GetCurrentContext()->OpenPopupStack.empty());
  // What takes no picture is not chosen, and the popup stays.
  tested_->press(ImGuiKey_U, ImGuiMod_Shift);
  tested_->frame();
  ImGui::GetIO().AddInputCharactersUTF8("sorting");
  tested_->frame();
  tested_->press(ImGuiKey_Enter);
  EXPECT_EQ(algorithm(), "rotate");
  EXPECT_FALSE(ImGui::GetCurrentContext()->OpenPopupStack.empty());
}

TEST_P(StepListWindowTest, StepsAreMovedAndRemovedByTheirButtons) {
  tested_->choose("median", {});
  add("Sobel edges");
  add("Mean");
  const auto names = [this] {
    std::string text;
    for (const Step& step : tested_->workspace.steps().steps())
      text += (text.empty() ? "" : " ") + std::string(step.algorithm->name);
    return text;
  };
  EXPECT_EQ(names(), "median sobel mean");
  press_in_list("earlier");
  EXPECT_EQ(names(), "median mean sobel");
  EXPECT_EQ(algorithm(), "mean");
  press_in_list("later");
  EXPECT_EQ(names(), "median sobel mean");
  press_in_list("##remove");
  EXPECT_EQ(names(), "median sobel");
  EXPECT_EQ(algorithm(), "sobel");
  press_in_list("##remove");
  EXPECT_TRUE(tested_->workspace.steps().empty());
  EXPECT_EQ(algorithm(), "median");
  EXPECT_EQ(tested_->workspace.source()->title(), "photo.png");
}

INSTANTIATE_TEST_SUITE_P(Places, StepListWindowTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app

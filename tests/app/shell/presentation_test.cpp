// Tests of the presenter's mode.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>
#include <array>

#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

constexpr std::array panels{"Algorithms###algorithms", "Parameters###parameters", "Pixel###pixel", "View###view"};

class PresentationTest : public TestedWindowTest {
 protected:
  static bool is_shown(const char* title) {
    const ImGuiWindow* window = ImGui::FindWindowByName(title);
    return window != nullptr && window->WasActive;
  }
  /// Position and size of a panel and the node in which it is docked.
  static std::array<float, 5> place_of(const char* title) {
    const ImGuiWindow* window = ImGui::FindWindowByName(title);
    return {window->Pos.x, window->Pos.y, window->Size.x, window->Size.y, static_cast<float>(window->DockId != 0)};
  }
};

TEST_P(PresentationTest, ThePictureCoversEverythingUntilEscape) {
  tested_->settle();
  std::vector<std::array<float, 5>> places;
  for (const char* panel : panels)
    places.push_back(place_of(panel));
  const float type = ImGui::GetStyle().FontScaleDpi;
  const WindowState before = tested_->platform_->window_state();

  tested_->press(ImGuiKey_F11);
  tested_->settle();
  ASSERT_TRUE(tested_->window_.presenting());
  for (const char* panel : panels)
    EXPECT_FALSE(is_shown(panel)) << panel;
  const ImGuiWindow* presented = ImGui::FindWindowByName("Presentation###presentation");
  ASSERT_NE(presented, nullptr);
  EXPECT_EQ(presented->Size.x, ImGui::GetMainViewport()->Size.x);
  EXPECT_EQ(presented->Size.y, ImGui::GetMainViewport()->Size.y);
  // Type is large by the height of the window, and at least by half as much again.
  EXPECT_FLOAT_EQ(ImGui::GetStyle().FontScaleDpi, 1.5f * std::max(type, ImGui::GetMainViewport()->Size.y / 720.0f));
  // The size that the settings keep is that without the full screen.
  EXPECT_EQ(tested_->platform_->window_state().width, before.width);

  tested_->press(ImGuiKey_Escape);
  tested_->settle();
  EXPECT_FALSE(tested_->window_.presenting());
  EXPECT_FALSE(is_shown("Presentation###presentation"));
  EXPECT_EQ(ImGui::GetStyle().FontScaleDpi, type);
  for (std::size_t i = 0; i < panels.size(); ++i) {
    EXPECT_TRUE(is_shown(panels[i])) << panels[i];
    EXPECT_EQ(place_of(panels[i]), places[i]) << panels[i];
  }
}

TEST_P(PresentationTest, KeysOfTheSceneAndOfStepsWork) {
  tested_->choose("morphology", {{"operation", "open"}, {"size", "5"}});
  tested_->press(ImGuiKey_F11);
  tested_->press(ImGuiKey_Comma);
  tested_->settle();
  EXPECT_EQ(tested_->workspace.shown_intermediate(), 0);
  tested_->press(ImGuiKey_D);
  tested_->settle();
  EXPECT_TRUE(tested_->window_.scene().wants_reference());
  tested_->press(ImGuiKey_F11);
  EXPECT_FALSE(tested_->window_.presenting());
}

TEST_P(PresentationTest, AScreenThatIsPresentedAtOnceGetsItsPanelsLater) {
  // The fixture has drawn one frame, in which the panels got their places.
  tested_->press(ImGuiKey_F11);
  tested_->press(ImGuiKey_F11);
  tested_->settle();
  for (const char* panel : panels)
    EXPECT_TRUE(is_shown(panel)) << panel;
}

INSTANTIATE_TEST_SUITE_P(Platforms, PresentationTest, ::testing::Values(Where::window, Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app

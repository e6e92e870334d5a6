// The panel with the source of a diagram: when it is there.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/panels/source/source_panel.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

class SourcePanelTest : public TestedWindowTest {
 protected:
  [[nodiscard]] bool is_seen() {
    tested_->settle();
    const ImGuiWindow* const panel = ImGui::FindWindowByName("Source###source");
    return panel != nullptr && panel->WasActive && !panel->Hidden;
  }
};

TEST_P(SourcePanelTest, StandsBesideDiagramsWhileItIsOpen) {
  Window& window = tested_->window_;
  window.show_panel(SourcePanel::name);
  EXPECT_FALSE(is_seen()) << "a picture is no diagram";
  window.scenes().choose(find_scene("tile", tested_->workspace.algorithm()));
  EXPECT_TRUE(is_seen());
  window.shows_code() = false;
  EXPECT_FALSE(is_seen());
}

TEST_P(SourcePanelTest, ShowsWhatTheSceneDraws) {
  Window& window = tested_->window_;
  window.scenes().choose(find_scene("tile", tested_->workspace.algorithm()));
  tested_->settle();
  const auto drawn = window.scene().drawn_code(tested_->workspace.wanted());
  ASSERT_TRUE(drawn);
  EXPECT_EQ(drawn->backend, Backend::cuda);
  const auto place = code_place(tested_->workspace.algorithm(), *drawn);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->function, "convolve_shared") << "the kernel with a tile, while another backend runs";
}

TEST_P(SourcePanelTest, ANetworkThatDoesNotRunIsThatOfAKernel) {
  tested_->choose("sorting", {{"count", "16"}});
  tested_->window_.scene().show(
      static_cast<int>(find_show(find_scene("bars", tested_->workspace.algorithm()), "diagram")));
  tested_->settle();
  const auto drawn = tested_->window_.scene().drawn_code(tested_->workspace.wanted());
  ASSERT_TRUE(drawn);
  const auto place = code_place(tested_->workspace.algorithm(), *drawn);
  ASSERT_TRUE(place);
  EXPECT_EQ(place->line, "compare_exchange(");
}

INSTANTIATE_TEST_SUITE_P(Platforms, SourcePanelTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app

// The panel with the source of a diagram: when it is there.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include "app/panels/source/source_panel.h"
#include "app/scenes/bars/bars_scene.h"
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

TEST_P(SourcePanelTest, TheKernelOfANetworkIsChosenFromAList) {
  tested_->choose("sorting", {{"count", "16"}});
  Scene& scene = tested_->window_.scene();
  scene.show(static_cast<int>(find_show(find_scene("bars", tested_->workspace.algorithm()), "diagram")));
  const AlgorithmInfo& sorting = tested_->workspace.algorithm();
  const auto drawn = [&](std::string_view kernel) {
    const int number = kernel.empty() ? 0 : sorting.variant_index(Backend::cuda, kernel) + 1;
    scene.settings()->assign("kernel", std::to_string(number));
    tested_->settle();
    return scene.drawn_code(tested_->workspace.wanted());
  };
  const auto example = drawn(""), chosen = drawn("bitonic_elements"), other = drawn("radix");
  ASSERT_TRUE(example && chosen && other);
  EXPECT_EQ(chosen->backend, Backend::cuda);
  EXPECT_EQ(chosen->variant, sorting.variant_index(Backend::cuda, "bitonic_elements"));
  EXPECT_NE(example->variant, chosen->variant);
  EXPECT_EQ(other->variant, example->variant) << "a kernel without this network is not of the list";
  // The list is opened and its second kernel of the network chosen, as by the keyboard.
  (void)drawn("");
  ImGuiWindow* const view = ImGui::FindWindowByName("View###view");
  ImGui::FocusWindow(view);
  tested_->frame();
  ImGui::ActivateItemByID(view->GetID("##kernel"));
  tested_->frame();
  tested_->frame();
  tested_->press(ImGuiKey_DownArrow);
  tested_->press(ImGuiKey_DownArrow);
  tested_->press(ImGuiKey_Enter);
  tested_->settle();
  const int number = scene.settings()->as<BarsView>().kernel;
  ASSERT_GT(number, 1);
  EXPECT_TRUE(sorting.variants_of(Backend::cuda)[static_cast<std::size_t>(number - 1)].name.starts_with("bitonic"));
}

INSTANTIATE_TEST_SUITE_P(Platforms, SourcePanelTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app

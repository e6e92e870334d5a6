// Tests of "Use result as input" in the window: the key, the button, the list of algorithms that take another kind of
// data, and the way back.

#include <gtest/gtest.h>
#include <imgui_internal.h>

#include <algorithm>

#include "app/shell/result_menu.h"
#include "tests/support/app/tested_window.h"
#include "tests/support/compute/host_arrays.h"

namespace threadscape::app {
namespace {

class ResultInputWindowTest : public TestedWindowTest {
 protected:
  /// Draws frames until the input has this title, and its result is there.
  void wait_for_input(const std::string& title) {
    tested_->frames_until([&] { return tested_->workspace.source() && tested_->workspace.source()->title() == title; });
    tested_->settle();
  }
  [[nodiscard]] bool told(const std::string& text) const {
    return std::ranges::any_of(tested_->window_.notices().texts(),
                               [&](const std::string& shown) { return shown.find(text) != std::string::npos; });
  }
  static ImGuiWindow* open_popup() {
    const auto& stack = ImGui::GetCurrentContext()->OpenPopupStack;
    return stack.empty() ? nullptr : stack.back().Window;
  }
  /// Clicks an algorithm in the list of those that take the result.
  void pick(const char* title) {
    tested_->frame();
    ImGuiWindow* popup = open_popup();
    ASSERT_NE(popup, nullptr);
    ImGui::ActivateItemByID(popup->GetID(title));
    tested_->frame();
    tested_->frame();
  }
};

TEST_P(ResultInputWindowTest, TheKeyMakesTheResultTheInput) {
  tested_->choose("median", {});
  const HostArray first = tested_->result();
  tested_->press(ImGuiKey_U);
  wait_for_input("result of median");
  EXPECT_TRUE(testing::same_pixels(tested_->workspace.source()->picture.pixels, first));
  EXPECT_TRUE(testing::same_pixels(tested_->result(), tested_->expected(Backend::serial)));
  EXPECT_FALSE(testing::same_pixels(tested_->result(), first));
  EXPECT_TRUE(told("Input: result of median, " + to_string(first.shape())));
  EXPECT_EQ(open_popup(), nullptr);
  // The button of the notice opens the photo again.
  const auto messages = tested_->workspace.log.entries();
  ASSERT_EQ(messages.back().offers.size(), 1u);
  EXPECT_EQ(messages.back().offers[0].label, "Back to photo.png");
  tested_->window_.accept(messages.back().offers[0]);
  wait_for_input("photo.png");
  EXPECT_TRUE(testing::same_pixels(tested_->result(), first));
}

TEST_P(ResultInputWindowTest, AnotherKindOffersTheAlgorithmsThatTakeIt) {
  tested_->choose("diamond_square", {{"n", "5"}});
  const HostArray terrain = tested_->result();
  tested_->press(ImGuiKey_U);
  pick("Thermal erosion");
  tested_->frames_until([&] { return tested_->workspace.algorithm().name == "thermal_erosion"; });
  wait_for_input("result of diamond_square");
  EXPECT_TRUE(testing::same_pixels(tested_->workspace.source()->picture.pixels, terrain));
  EXPECT_TRUE(testing::same_pixels(tested_->result(), tested_->expected(Backend::serial)));
  // The result is a heightfield again, so the next one follows at once.
  tested_->press(ImGuiKey_U);
  wait_for_input("result of thermal_erosion");
  EXPECT_EQ(tested_->workspace.algorithm().name, "thermal_erosion");
}

TEST_P(ResultInputWindowTest, HeightsAreAPictureForFilters) {
  tested_->choose("diamond_square", {{"n", "5"}});
  tested_->window_.use_result(find_algorithm("median"));
  tested_->frames_until([&] { return tested_->workspace.algorithm().name == "median"; });
  tested_->settle();
  EXPECT_EQ(tested_->workspace.source()->picture.pixels.shape(), Shape::image(Element::f32, 1, 33, 33));
  EXPECT_TRUE(testing::same_pixels(tested_->result(), tested_->expected(Backend::serial)));
}

TEST_P(ResultInputWindowTest, SequencesAndVolumesAreInputsToo) {
  tested_->choose("sorting", {{"count", "48"}});
  const HostArray sorted = tested_->result();
  tested_->press(ImGuiKey_U);
  wait_for_input("result of sorting");
  EXPECT_TRUE(testing::same_pixels(tested_->workspace.source()->picture.pixels, sorted));
  EXPECT_TRUE(testing::same_pixels(tested_->result(), sorted)) << "sorting what is sorted";

  tested_->choose("projection", {{"pixels", "20"}, {"arc", "360"}, {"step", "20"}});
  const HostArray views = tested_->result();
  tested_->window_.use_result(find_algorithm("reconstruction"));
  tested_->frames_until([&] { return tested_->workspace.algorithm().name == "reconstruction"; });
  tested_->settle();
  EXPECT_EQ(tested_->workspace.problem(), "");
  EXPECT_EQ(tested_->workspace.source()->picture.pixels.shape(), views.shape());
  EXPECT_EQ(tested_->result().shape(), (Shape{Kind::volume, Element::f32, 1, 8, 8, 8}));
}

TEST_P(ResultInputWindowTest, WithoutAResultTheReasonIsSaid) {
  tested_->choose("reduction", {{"count", "48"}});
  tested_->press(ImGuiKey_U);
  EXPECT_TRUE(told("no algorithm takes a scalar"));
  tested_->workspace.choose_algorithm(find_algorithm("slope"));
  tested_->window_.use_result();
  tested_->frame();
  EXPECT_TRUE(told("there is no result yet"));
}

INSTANTIATE_TEST_SUITE_P(Places, ResultInputWindowTest, ::testing::Values(Where::window, Where::headless),
                         name_of_place);

}  // namespace
}  // namespace threadscape::app

// Cropping with the mouse: the drawn rectangle becomes the parameters.

#include "app/scenes/image/crop_tool.h"

#include <gtest/gtest.h>

#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

TEST(CropTool, FitsAlgorithmsWithARectangle) {
  EXPECT_TRUE(CropTool::fits(find_algorithm("crop").defaults()));
  EXPECT_FALSE(CropTool::fits(find_algorithm("seam_carving").defaults())) << "it has a width, but no left";
}

class CropToolTest : public TestedWindowTest {
 protected:
  /// Drags with Shift held from one place of the view to another one; places are shares of its size.
  void drag(ImVec2 from, ImVec2 to) {
    const auto [low, high] = tested_->window_.picture();
    const auto at = [&](ImVec2 share) {
      return ImVec2{low.x + share.x * (high.x - low.x), low.y + share.y * (high.y - low.y)};
    };
    ImGuiIO& io = ImGui::GetIO();
    io.AddKeyEvent(ImGuiMod_Shift, true);
    io.AddMousePosEvent(at(from).x, at(from).y);
    tested_->frame();
    io.AddMouseButtonEvent(0, true);
    tested_->frame();
    io.AddMousePosEvent(at(to).x, at(to).y);
    tested_->frame();
    io.AddMouseButtonEvent(0, false);
    tested_->frame();
    io.AddKeyEvent(ImGuiMod_Shift, false);
    tested_->settle();
  }
  [[nodiscard]] int number(const char* name) { return std::stoi(tested_->parameter(name)); }
};

TEST_P(CropToolTest, AShiftedDragSetsTheRectangle) {
  tested_->choose("crop", {});
  const Shape whole = tested_->live_.output()->shape();
  drag({0.4f, 0.4f}, {0.6f, 0.6f});
  const int width = number("width"), height = number("height");
  EXPECT_GT(number("left"), 0);
  EXPECT_GT(number("top"), 0);
  EXPECT_GT(width, 4);
  EXPECT_LT(width, whole.width);
  EXPECT_EQ(tested_->live_.output()->shape().width, width);
  EXPECT_EQ(tested_->live_.output()->shape().height, height);

  // A second rectangle lies in the first one, and one undo takes it back.
  const int left = number("left");
  drag({0.45f, 0.45f}, {0.55f, 0.55f});
  EXPECT_GT(number("left"), left);
  EXPECT_LT(number("width"), width);
  tested_->window_.undo();
  tested_->settle();
  EXPECT_EQ(number("left"), left);
  EXPECT_EQ(number("width"), width);
}

TEST_P(CropToolTest, AClickAndOtherAlgorithmsChangeNothing) {
  tested_->choose("crop", {});
  drag({0.5f, 0.5f}, {0.5f, 0.5f});
  EXPECT_EQ(number("width"), 0);
  tested_->choose("median", {});
  const std::string size = tested_->parameter("size");
  drag({0.4f, 0.4f}, {0.6f, 0.6f});
  EXPECT_EQ(tested_->parameter("size"), size);
}

INSTANTIATE_TEST_SUITE_P(Platforms, CropToolTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app

// Titles in the narrow list of algorithms.

#include <gtest/gtest.h>

#include "app/panels/algorithms/algorithms_panel.h"
#include "app/ui/widgets.h"
#include "tests/support/app/tested_window.h"

namespace threadscape::app {
namespace {

class AlgorithmsListTest : public TestedWindowTest {
 protected:
  void SetUp() override {
    TestedWindowTest::SetUp();
    if (!tested_) return;
    tested_->settle();
    ImGui::NewFrame();  // Text has a font, and so a width, within a frame.
  }
  void TearDown() override {
    if (tested_) ImGui::EndFrame();
  }
  static float width_of(const char* text) { return ImGui::CalcTextSize(text).x; }
};

using Lines = std::array<std::string, 2>;

TEST_P(AlgorithmsListTest, LongTitlesHaveTwoLines) {
  const std::string title = "Laplacian of Gaussian";
  EXPECT_EQ(title_lines(title, width_of(title.c_str())), (Lines{title, ""}));
  EXPECT_EQ(title_lines(title, width_of(title.c_str()) - 1), (Lines{"Laplacian of", "Gaussian"}));
  EXPECT_EQ(title_lines(title, width_of("Laplacian of") - 1),
            (Lines{"Laplacian", shortened("of Gaussian", width_of("Laplacian of") - 1)}));
  EXPECT_EQ(title_lines("Reconstruction", width_of("Rec..")),
            (Lines{shortened("Reconstruction", width_of("Rec..")), ""}));
}

TEST_P(AlgorithmsListTest, AllTitlesAreWholeBesideTheirPictures) {
  const ImGuiWindow* list = nullptr;
  for (const ImGuiWindow* window : ImGui::GetCurrentContext()->Windows)
    if (std::string_view(window->Name).find("###algorithms/list_") != std::string_view::npos) list = window;
  ASSERT_NE(list, nullptr);
  const float room = list->WorkRect.GetWidth() - std::round(em(2.1f)) - std::round(em(0.4f));
  ASSERT_LT(room, width_of("Laplacian of Gaussian")) << "the list is not narrow";
  if (room < width_of("Reconstruction")) GTEST_SKIP() << "the font is too wide for the longest word";
  for (const AlgorithmInfo& algorithm : algorithms()) {
    const Lines lines = title_lines(algorithm.title, room);
    EXPECT_EQ(lines[0] + (lines[1].empty() ? "" : " ") + lines[1], algorithm.title);
  }
}

INSTANTIATE_TEST_SUITE_P(Platforms, AlgorithmsListTest, ::testing::Values(Where::headless), name_of_place);

}  // namespace
}  // namespace threadscape::app

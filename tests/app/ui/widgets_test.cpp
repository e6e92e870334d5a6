// Tests of the small pieces of the interface: texts of numbers, ticks of axes, and colours that have to differ.

#include "app/ui/widgets.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "app/ui/axis_ticks.h"
#include "app/ui/theme.h"
#include "tests/support/app/plot_contexts.h"

namespace threadscape::app {
namespace {

TEST(TextTest, PercentagesHaveNoExponent) {
  EXPECT_EQ(format_percent(18.7), "1870%");
  EXPECT_EQ(format_percent(0.667), "66.7%");
  EXPECT_EQ(format_percent(1.0), "100%");
}

TEST(AxisTest, ARangeWithinADecadeHasTicks) {
  for (const auto& [low, high] : {std::pair{2.1, 4.9}, std::pair{0.0031, 0.0048}, std::pair{6.1, 9.4}}) {
    const std::vector<double> ticks = log_ticks(low, high, 5);
    EXPECT_GE(ticks.size(), 2u) << low << " to " << high;
    EXPECT_GE(ticks.front(), low);
    EXPECT_LE(ticks.back(), high);
    EXPECT_TRUE(std::ranges::is_sorted(ticks));
  }
}

TEST(AxisTest, TicksAreFarEnoughApartForTheirLabels) {
  // Ranges within a decade, of a chart of medians with one bar, and of one whose bars differ by three decades.
  for (const auto& [low, high] :
       {std::pair{2.1, 9.9}, std::pair{0.3, 0.98}, std::pair{0.012, 12.06}, std::pair{5.12, 51.5}})
    for (const int room : {2, 3, 4, 5}) {
      const std::vector<double> ticks = log_ticks(low, high, room);
      ASSERT_GE(ticks.size(), 2u);
      EXPECT_LE(static_cast<int>(ticks.size()), room);
      // The share of the axis that is between two ticks; 1e-9 is for rounding.
      for (std::size_t i = 1; i < ticks.size(); ++i)
        EXPECT_GE(std::log(ticks[i] / ticks[i - 1]) / std::log(high / low), 0.6 / room - 1e-9)
            << ticks[i - 1] << " and " << ticks[i] << " of " << low << " to " << high;
    }
}

TEST(AxisTest, ThereAreAsManyTicksAsThereIsRoomFor) {
  EXPECT_EQ(log_ticks(1.0, 100.0, 10), (std::vector<double>{1, 2, 5, 10, 20, 50, 100}));
  EXPECT_EQ(log_ticks(1.0, 100.0, 5), (std::vector<double>{1, 10, 100}));
  EXPECT_LE(log_ticks(1e-3, 1e9, 4).size(), 4u);
  EXPECT_GE(log_ticks(1e-3, 1e9, 4).size(), 2u);
  EXPECT_TRUE(log_ticks(0.0, 1.0, 4).empty());
}

/// The relative luminance of sRGB by WCAG 2.1.
double luminance(const ImVec4& colour) {
  const auto linear = [](float c) { return c <= 0.04045f ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4); };
  return 0.2126 * linear(colour.x) + 0.7152 * linear(colour.y) + 0.0722 * linear(colour.z);
}
double contrast(const ImVec4& a, const ImVec4& b) {
  const double high = std::max(luminance(a), luminance(b)), low = std::min(luminance(a), luminance(b));
  return (high + 0.05) / (low + 0.05);
}

TEST(ThemeTest, FieldsStandOutFromPanelsAndPopups) {
  for (const Theme theme : {Theme::dark, Theme::light})
    for (const ImGuiCol behind : {ImGuiCol_WindowBg, ImGuiCol_PopupBg})
      for (const ImGuiCol field : {ImGuiCol_FrameBg, ImGuiCol_Button})
        EXPECT_GE(contrast(theme_colour(theme, field), theme_colour(theme, behind)), 1.4)
            << static_cast<int>(theme) << ", colour " << behind;
}

TEST(ThemeTest, TextIsLegibleOnWhatIsBehindIt) {
  for (const Theme theme : {Theme::dark, Theme::light}) {
    SCOPED_TRACE(static_cast<int>(theme));
    const auto behind = [theme](ImGuiCol colour) { return theme_colour(theme, colour); };
    const std::array plain{canvas_colour(theme), behind(ImGuiCol_WindowBg), behind(ImGuiCol_PopupBg),
                           behind(ImGuiCol_MenuBarBg)};
    for (const ImVec4& back : plain) {
      for (const ImGuiCol text : {ImGuiCol_Text, ImGuiCol_TextDisabled, ImGuiCol_CheckMark})
        EXPECT_GE(contrast(behind(text), back), 4.5) << text;
      // Diagrams on the canvas, sentences and names of backends have these colours.
      EXPECT_GE(contrast(warning_colour(theme), back), 4.5);
      for (const Backend backend : backends)
        EXPECT_GE(contrast(backend_colour(theme, backend), back), 4.5) << static_cast<int>(backend);
    }
    for (const ImGuiCol text : {ImGuiCol_Text, ImGuiCol_TextDisabled})
      EXPECT_GE(contrast(behind(text), behind(ImGuiCol_FrameBg)), 4.5) << text;
    for (const ImGuiCol back : {ImGuiCol_FrameBgHovered, ImGuiCol_FrameBgActive})
      EXPECT_GE(contrast(behind(ImGuiCol_Text), behind(back)), 4.5) << back;
    EXPECT_GE(contrast(warning_colour(theme), behind(ImGuiCol_FrameBg)), 4.5);
    // The text of a bar of progress stands partly on what is done, which is drawn over the frame.
    const ImVec4 frame = behind(ImGuiCol_FrameBg), done = behind(ImGuiCol_PlotHistogram);
    const auto over = [&done](float below, float above) { return below + (above - below) * done.w; };
    const ImVec4 bar{over(frame.x, done.x), over(frame.y, done.y), over(frame.z, done.z), 1.0f};
    EXPECT_GE(contrast(behind(ImGuiCol_Text), bar), 4.5);
    // Cells of diagrams that are filled with a colour of a backend have numbers in the colour of the canvas.
    for (const Backend backend : backends)
      EXPECT_GE(contrast(canvas_colour(theme), backend_colour(theme, backend)), 4.5) << static_cast<int>(backend);
  }
}

TEST(ThemeTest, TheLightCanvasIsWhite) {
  const ImVec4 canvas = canvas_colour(Theme::light);
  EXPECT_EQ(std::min({canvas.x, canvas.y, canvas.z}), 1.0f);
}

class SegmentedTest : public PlotContextsTest {
 protected:
  SegmentedTest() : PlotContextsTest({400, 200}) {}
};

TEST_F(SegmentedTest, AClickIsMarkedInItsFrame) {
  const std::array segments{Segment{"one"}, Segment{"two"}, Segment{"three"}};
  int chosen = 0;
  float marked = 0.0f;  // The left edge of what has the colour of the choice.
  const auto draw = [&](bool pressed) {
    ImGui::GetIO().AddMousePosEvent(150, 8);
    ImGui::GetIO().AddMouseButtonEvent(0, pressed);
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({300, 100});
    ImGui::Begin("window", nullptr, ImGuiWindowFlags_NoDecoration);
    ImGui::SetCursorScreenPos({0, 0});
    const int clicked = segmented("choice", segments, chosen, 300);
    ImGui::End();
    ImGui::Render();
    const ImU32 accent = ImGui::GetColorU32(ImGui::GetStyle().Colors[ImGuiCol_CheckMark]);
    marked = 1e9f;
    for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
      for (const ImDrawVert& vertex : list->VtxBuffer)
        if (vertex.col == accent) marked = std::min(marked, vertex.pos.x);
    return clicked;
  };
  for (int frame = 0; frame < 3; ++frame)
    (void)draw(false);
  EXPECT_LT(marked, 20.0f);
  EXPECT_EQ(draw(true), -1);
  EXPECT_EQ(draw(false), 1);
  EXPECT_GT(marked, 80.0f);
  EXPECT_LT(marked, 200.0f);
}

}  // namespace
}  // namespace threadscape::app

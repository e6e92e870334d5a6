// Names at the ends of the lines of a plot: where they stand, what a click does, and when a legend is clearer.

#include "app/measure/plot/end_names.h"

#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <implot.h>
#include <implot_internal.h>

#include "app/measure/plot/chart_plot.h"
#include "tests/support/app/plot_contexts.h"
#include "tests/support/app/text_rectangles.h"

namespace threadscape::app {
namespace {

class EndNamesTest : public PlotContextsTest {
 protected:
  EndNamesTest() : PlotContextsTest({1000, 700}) {}
  /// Draws the chart some times and notes what its legend has switched off and where its texts are.
  void draw(const Chart& chart) {
    for (int frame = 0; frame < 3; ++frame) {
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({900, 600});
      ImGui::Begin("window");
      names_ = {};
      for (const ChartLine& line : chart.lines)
        names_.push_back(line.label);
      focus_ = draw_chart(chart, {800, 500}, fitted_);
      plot_ = ImPlot::GetPlot(("##" + chart.title).c_str());
      ends_ = EndNames::of(chart, names_, {800, 500});
      ImGui::End();
      ImGui::Render();
      overlapping_ = overlapping_text(*ImGui::GetDrawData());
    }
  }
  [[nodiscard]] bool has_legend() const { return (plot_->Flags & ImPlotFlags_NoLegend) == 0; }

  FittedAxes fitted_;
  ChartFocus focus_;
  std::vector<std::string> names_;
  std::optional<EndNames> ends_;
  std::string overlapping_;
  ImPlotPlot* plot_ = nullptr;
};

Chart three_lines() {
  Chart chart{.title = "Time", .x_label = "threads", .y_label = "ms"};
  chart.lines = {{.label = "serial", .x = {1, 2, 4}, .y = {8, 8, 8}},
                 {.label = "openmp", .x = {1, 2, 4}, .y = {8, 4, 2.1}},
                 {.label = "cuda", .x = {1, 2, 4}, .y = {3, 2.5, 2}}};
  return chart;
}

TEST_F(EndNamesTest, NamesTakeThePlaceOfTheLegendAndCoverNothing) {
  draw(three_lines());
  EXPECT_TRUE(ends_);
  EXPECT_FALSE(has_legend());
  EXPECT_EQ(overlapping_, "");
}

TEST_F(EndNamesTest, AClickOnANameSwitchesItsLineOffAndOn) {
  draw(three_lines());
  // The first line ends highest, at 8, and its name stands there.
  const auto click = [&](float share) {
    ImGuiIO& io = ImGui::GetIO();
    const ImRect& area = plot_->PlotRect;
    io.AddMousePosEvent(area.Max.x + 40, area.Max.y - share * area.GetHeight());
    draw(three_lines());
    io.AddMouseButtonEvent(0, true);
    draw(three_lines());
    io.AddMouseButtonEvent(0, false);
    draw(three_lines());
  };
  const ImPlotRange range = plot_->YAxis(0).Range;
  const auto share = static_cast<float>((8.0 - range.Min) / range.Size());
  click(share);
  EXPECT_EQ(focus_.hidden, (std::vector<bool>{true, false, false}));
  click(share);
  EXPECT_EQ(focus_.hidden, (std::vector<bool>{false, false, false}));
}

TEST_F(EndNamesTest, ALegendIsClearerWhereLinesEndEarlyOrAreMany) {
  Chart early = three_lines();
  early.lines[1].x = {1, 1.5, 2};
  draw(early);
  EXPECT_FALSE(ends_);
  EXPECT_TRUE(has_legend());
  Chart many = three_lines();
  for (int i = 0; i < 8; ++i)
    many.lines.push_back({.label = "line " + std::to_string(i), .x = {1, 4}, .y = {1, 5}});
  draw(many);
  EXPECT_FALSE(ends_);
  Chart crowded = three_lines();
  for (int i = 0; i < 6; ++i)
    crowded.lines.push_back({.label = "line " + std::to_string(i), .x = {1, 4}, .y = {1, 5}});
  draw(crowded);
  EXPECT_FALSE(ends_) << "the names of lines that end in one place would stand far from it";
}

}  // namespace
}  // namespace threadscape::app

// The legend of stacked bars, which reach to every edge of their plot.

#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <implot.h>
#include <implot_internal.h>

#include <set>

#include "app/measure/plot/chart_plot.h"
#include "tests/support/app/plot_contexts.h"
#include "tests/support/app/text_rectangles.h"

namespace threadscape::app {
namespace {

class StacksLegendTest : public PlotContextsTest {
 protected:
  StacksLegendTest() : PlotContextsTest({1000, 700}) {}
  /// Draws the chart in a frame, and notes how many texts are above its bars and how many lines of text beside them.
  void draw(const Chart& chart) {
    ImGui::NewFrame();
    ImGui::SetNextWindowPos({0, 0});
    ImGui::SetNextWindowSize({900, 600});
    ImGui::Begin("window");
    (void)draw_chart(chart, {800, 500}, fitted_);
    const ImRect bars = ImPlot::GetPlot("##Stages")->PlotRect;
    ImGui::End();
    ImGui::Render();
    above_ = 0;
    std::set<float> rows;
    for (const TextRun& run : text_runs(*ImGui::GetDrawData())) {
      if (bars.Overlaps({run.low, run.high})) ++above_;
      if (run.low.x > bars.Max.x && run.low.y > bars.Min.y && run.high.y < bars.Max.y) rows.insert(run.low.y);
    }
    beside_ = rows.size();
  }

  FittedAxes fitted_;
  std::size_t above_ = 0, beside_ = 0;
};

Chart stacks(std::vector<std::string> parts) {
  Chart chart{.title = "Stages", .y_label = "ms", .style = ChartStyle::stacked, .categories = {"a", "b", "c"}};
  for (std::string& part : parts)
    chart.lines.push_back({.label = std::move(part), .x = {0, 1, 2}, .y = {1, 2, 3}});
  chart.lines.push_back({.label = "takes no time", .x = {0, 1, 2}, .y = {0, 0, 0}});
  return chart;
}

TEST_F(StacksLegendTest, ItNeverCoversABar) {
  for (const Chart& chart : {stacks({"compute"}), stacks({"upload", "compute", "a much longer download"})}) {
    for (int frame = 0; frame < 3; ++frame) {
      draw(chart);
      EXPECT_EQ(above_, 0u) << "frame " << frame;
    }
    EXPECT_GE(beside_, chart.lines.size() - 1) << "each part that takes time has an entry";
  }
}

}  // namespace
}  // namespace threadscape::app

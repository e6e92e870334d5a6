// The intervals of the points of a line in a plot.

#include <gtest/gtest.h>
#include <imgui_internal.h>
#include <implot.h>
#include <implot_internal.h>

#include <algorithm>
#include <cmath>

#include "app/measure/plot/chart_plot.h"
#include "tests/support/app/plot_contexts.h"

namespace threadscape::app {
namespace {

class IntervalEndsTest : public PlotContextsTest {
 protected:
  IntervalEndsTest() : PlotContextsTest({1000, 700}) {}
  /// Draws a line through three points and returns the width of all that is drawn near the one in the middle.
  float width_at_the_middle(const Chart& chart) {
    float left = 1e9f, right = 0.0f;
    for (int frame = 0; frame < 3; ++frame) {
      ImGui::NewFrame();
      ImGui::SetNextWindowPos({0, 0});
      ImGui::SetNextWindowSize({900, 600});
      ImGui::Begin("window");
      (void)draw_chart(chart, {800, 500}, fitted_);
      const ImPlotPlot& plot = *ImPlot::GetPlot("##Time");
      const ImVec2 at{plot.Axes[ImAxis_X1].PlotToPixels(2.0), plot.Axes[ImAxis_Y1].PlotToPixels(4.0)};
      ImGui::End();
      ImGui::Render();
      left = 1e9f, right = 0.0f;
      for (const ImDrawList* list : ImGui::GetDrawData()->CmdLists)
        for (const ImDrawVert& vertex : list->VtxBuffer)
          if (std::hypot(vertex.pos.x - at.x, vertex.pos.y - at.y) < 20.0f) {
            left = std::min(left, vertex.pos.x);
            right = std::max(right, vertex.pos.x);
          }
    }
    return right - left;
  }

  FittedAxes fitted_;
};

TEST_F(IntervalEndsTest, ThoseOfAShortIntervalAreSeenBesideItsMarker) {
  Chart chart{.title = "Time", .x_label = "threads", .y_label = "ms", .joined = false};
  chart.lines = {{.label = "serial", .x = {1, 2, 3}, .y = {8, 4, 2}}};
  const float marker = width_at_the_middle(chart);
  EXPECT_GT(marker, 5.0f);
  chart.lines.front().low = {7.9, 3.99, 1.9};
  chart.lines.front().high = {8.1, 4.01, 2.1};
  EXPECT_GE(width_at_the_middle(chart), marker + 3.0f);
}

}  // namespace
}  // namespace threadscape::app

#pragma once
// Draws charts with ImPlot, in the window and for pictures.

#include <imgui.h>

#include <vector>

#include "app/measure/chart.h"

namespace threadscape::app {

/// Which data the axes were fitted to last, so that they follow new points, but not while the user zooms.
struct FittedAxes {
  std::string title;
  std::size_t points = 0;
};

/// What the user looks at in a chart.
struct ChartFocus {
  std::vector<bool> hidden = {};       ///< For each line, if true, the legend has switched it off.
  const Measurement* under = nullptr;  ///< The row of the point or bar under the mouse; null if there is none.
  bool operator==(const ChartFocus&) const = default;
};

/// Draws a chart into a rectangle of this size. Lines differ in colour and marker; hover shows exact values, the
/// legend, or the names at the ends of lines, hides lines, and the wheel zooms. Where there is nothing to draw, the
/// first note says why. If `still`, the chart is part of a picture, and its ticks are where its points are.
ChartFocus draw_chart(const Chart& chart, ImVec2 size, FittedAxes& fitted, bool still = false);
/// Fills a rectangle of this size with a muted sentence in its middle.
void sentence_in_the_middle(const char* text, ImVec2 size);

}  // namespace threadscape::app

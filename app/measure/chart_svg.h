#pragma once
// Draws charts as SVG, without OpenGL.

#include <string>

#include "app/measure/chart.h"

namespace threadscape::app {

/// A drawing with axes, lines or bars, markers, intervals, guides, legend and notes, in the colours of the light theme.
/// It has 960 x 540 units, or more where long labels, a long legend or notes need them.
[[nodiscard]] std::string chart_svg(const Chart& chart);
/// A heading and below it a grid of charts.
[[nodiscard]] std::string page_svg(const ChartPage& page);

}  // namespace threadscape::app

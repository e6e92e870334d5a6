#pragma once
// Ranges and tick marks of a chart's axes.

#include <string>
#include <vector>

#include "app/bench/bench_chart.h"

namespace threadscape::app {

struct AxisRange {
  double low = 0, high = 1;
  std::vector<double> ticks;  ///< empty: let ImPlot choose
  std::vector<std::string> labels;
  bool named = false;  ///< categories
};

/// A tick at every x that was measured; `room` is the width of the axis in digits: labels that would touch are left
/// out.
[[nodiscard]] AxisRange x_range(const Chart& chart, double room);
/// From zero, or on a logarithmic axis from below the least value, with room for a label above the largest.
[[nodiscard]] AxisRange y_range(const Chart& chart);

}  // namespace threadscape::app

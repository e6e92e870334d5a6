#pragma once
// Ranges and tick marks of the axes of a chart.

#include <string>
#include <vector>

#include "app/bench/bench_chart.h"

namespace threadscape::app {

struct AxisRange {
  double low = 0, high = 1;
  std::vector<double> ticks;        ///< Positions of the tick marks on the axis; empty = chosen by ImPlot.
  std::vector<std::string> labels;  ///< A label for each tick; "" = a tick without a label.
  /// If true, the ticks of the axis are labelled with names of categories; otherwise with numbers.
  bool named = false;
};

/// The x axis, with a tick at every x that was measured. `digits` is the width of the axis in digits: labels that would
/// touch the previous one are left out.
[[nodiscard]] AxisRange x_range(const Chart& chart, double digits);
/// The y axis. It starts at zero, or if it is logarithmic below the minimum, and leaves room for a label above the
/// maximum.
[[nodiscard]] AxisRange y_range(const Chart& chart);

}  // namespace threadscape::app

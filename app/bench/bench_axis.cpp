#include "app/bench/bench_axis.h"

#include <algorithm>
#include <cmath>
#include <set>

#include "app/window/widgets/axis_ticks.h"

namespace threadscape::app {

namespace {

/// Adds the ticks of a logarithmic axis.
void add_log_ticks(AxisRange& range) {
  constexpr int max_ticks = 10;
  range.ticks = log_ticks(range.low, range.high, max_ticks);
  for (const double tick : range.ticks)
    range.labels.push_back(axis_text(tick));
}

}  // namespace

AxisRange x_range(const Chart& chart, double digits) {
  AxisRange range;
  if (!chart.categories.empty()) {
    range.named = true;
    range.low = -0.5;
    range.high = static_cast<double>(chart.categories.size()) - 0.5;
    for (std::size_t i = 0; i < chart.categories.size(); ++i)
      range.ticks.push_back(static_cast<double>(i));
    range.labels = chart.categories;
    return range;
  }
  std::set<double> places;
  for (const ChartLine& line : chart.lines)
    places.insert(line.x.begin(), line.x.end());
  const double min = *places.begin(), max = *places.rbegin();
  if (chart.log_x) {
    const double margin = std::max(std::pow(max / min, 0.04), 1.1);
    range.low = min / margin;
    range.high = max * margin;
  } else {
    const double margin = std::max((max - min) * 0.04, 0.1);
    range.low = min - margin;
    range.high = max + margin;
  }
  const auto share = [&](double x) {
    return chart.log_x ? std::log(x / range.low) / std::log(range.high / range.low)
                       : (x - range.low) / (range.high - range.low);
  };
  double last_end = -1.0;
  for (const double x : places) {
    range.ticks.push_back(x);
    const std::string text = axis_text(x);
    const double half = (static_cast<double>(text.size()) + 1.0) / 2.0 / digits;
    const bool fits = share(x) - half > last_end;
    range.labels.push_back(fits ? text : "");
    if (fits) last_end = share(x) + half;
  }
  return range;
}

AxisRange y_range(const Chart& chart) {
  double min = 1e300, max = 0.0;
  for (const ChartLine& line : chart.lines)
    for (const double y : line.y) {
      min = std::min(min, y);
      max = std::max(max, y);
    }
  AxisRange range;
  if (!chart.log_y) {
    // The range includes the ideal: a speed-up by the number of threads, or an efficiency of 1.
    if (chart.by_threads && chart.quantity == PlotY::efficiency) max = std::max(max, 1.0);
    if (chart.by_threads && chart.quantity == PlotY::speedup)
      for (const ChartLine& line : chart.lines)
        for (const double threads : line.x)
          max = std::max(max, threads);
    range.high = max * 1.12;
    return range;
  }
  // Bars on a logarithmic axis begin at 1, or lower if a value is less than 1.
  if (chart.bars) min = std::min(min, 1.0);
  const double margin = std::pow(std::max(max / min, 10.0), 0.08);
  range.low = min / margin;
  range.high = max * margin * margin;
  add_log_ticks(range);
  return range;
}

}  // namespace threadscape::app

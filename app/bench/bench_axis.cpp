#include "app/bench/bench_axis.h"

#include <algorithm>
#include <cmath>
#include <set>

namespace threadscape::app {

namespace {

/// 1, 10, 100, ... between `low` and `high`, with 2 and 5 of each decade where there are few of them.
void add_decades(AxisRange& range) {
  const bool few = std::log10(range.high / range.low) < 3.0;
  for (int exponent = static_cast<int>(std::floor(std::log10(range.low))); std::pow(10.0, exponent) <= range.high;
       ++exponent)
    for (const double digit : {1.0, 2.0, 5.0}) {
      const double tick = digit * std::pow(10.0, exponent);
      if ((digit > 1.0 && !few) || tick < range.low || tick > range.high) continue;
      range.ticks.push_back(tick);
      range.labels.push_back(axis_text(tick));
    }
}

}  // namespace

AxisRange x_range(const Chart& chart, double room) {
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
  const double least = *places.begin(), most = *places.rbegin();
  if (chart.log_x) {
    const double margin = std::max(std::pow(most / least, 0.04), 1.1);
    range.low = least / margin;
    range.high = most * margin;
  } else {
    const double margin = std::max((most - least) * 0.04, 0.1);
    range.low = least - margin;
    range.high = most + margin;
  }
  const auto share = [&](double x) {
    return chart.log_x ? std::log(x / range.low) / std::log(range.high / range.low)
                       : (x - range.low) / (range.high - range.low);
  };
  double last_end = -1.0;
  for (const double x : places) {
    range.ticks.push_back(x);
    const std::string text = axis_text(x);
    const double half = (static_cast<double>(text.size()) + 1.0) / 2.0 / room;
    const bool fits = share(x) - half > last_end;
    range.labels.push_back(fits ? text : "");
    if (fits) last_end = share(x) + half;
  }
  return range;
}

AxisRange y_range(const Chart& chart) {
  double least = 1e300, most = 0.0;
  for (const ChartLine& line : chart.lines)
    for (const double y : line.y) {
      least = std::min(least, y);
      most = std::max(most, y);
    }
  AxisRange range;
  if (!chart.log_y) {
    // The ideal is in the picture: as many times as there are threads, or an efficiency of one.
    if (chart.by_threads && chart.quantity == PlotY::efficiency) most = std::max(most, 1.0);
    if (chart.by_threads && chart.quantity == PlotY::speedup)
      for (const ChartLine& line : chart.lines)
        for (const double threads : line.x)
          most = std::max(most, threads);
    range.high = most * 1.12;
    return range;
  }
  if (chart.bars) least = std::min(least, 1.0);  // bars of a logarithmic axis stand on 1 or below
  const double margin = std::pow(std::max(most / least, 10.0), 0.08);
  range.low = least / margin;
  range.high = most * margin * margin;
  add_decades(range);
  return range;
}

}  // namespace threadscape::app

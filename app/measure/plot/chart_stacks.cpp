#include "app/measure/plot/chart_stacks.h"

#include <implot.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <string>
#include <string_view>
#include <vector>

#include "app/measure/chart_layout.h"
#include "app/report/text.h"
#include "app/ui/theme.h"
#include "app/ui/widgets.h"

namespace threadscape::app {

namespace {

/// The colour of a part of stacked bars. The parts that every run has keep their colours, however many stages a run
/// has.
ImVec4 part_colour(const Chart& chart, std::size_t part) {
  constexpr std::array<std::string_view, 3> fixed{"upload", "compute", "download"};
  int others = 0;
  for (std::size_t i = 0; i <= part; ++i) {
    const auto at = std::ranges::find(fixed, chart.lines[i].label);
    if (i == part && at != fixed.end()) return stage_colour(static_cast<int>(at - fixed.begin()));
    if (i < part && at == fixed.end()) ++others;
  }
  return stage_colour(static_cast<int>(fixed.size()) + others);
}

/// Draws the intervals of a part of the stacks, where they are known, at the ends of its bars, which are at `reach`.
void draw_stack_intervals(const Chart& chart, std::size_t part, const double* reach) {
  const ChartLine& line = chart.lines[part];
  std::vector<double> ends, places, below, above;
  for (std::size_t i = 0; i < line.low.size(); ++i) {
    if (line.high[i] <= 0.0) continue;  // Both ends of an interval that is not known are zero.
    ends.push_back(reach[i]);
    places.push_back(static_cast<double>(i));
    below.push_back((line.y[i] - line.low[i]) * stack_scale(chart, i));
    above.push_back((line.high[i] - line.y[i]) * stack_scale(chart, i));
  }
  if (ends.empty()) return;
  ImPlotSpec whisker;
  whisker.LineColor = ImGui::GetStyle().Colors[ImGuiCol_Text];
  whisker.LineWeight = em(0.08f);
  whisker.Size = em(0.3f);
  whisker.Flags = ImPlotErrorBarsFlags_Horizontal;
  ImPlot::PlotErrorBars(line.label.c_str(), ends.data(), places.data(), below.data(), above.data(),
                        static_cast<int>(ends.size()), whisker);
}

}  // namespace

bool takes_time(const ChartLine& part) {
  return std::ranges::any_of(part.y, [](double ms) { return ms > 0.0; });
}

void draw_stacks(const Chart& chart) {
  const std::size_t count = chart.categories.size();
  std::vector<double> reach(count * chart.lines.size()), places(count);
  for (std::size_t i = 0; i < count; ++i) {
    double sum = 0.0;
    places[i] = static_cast<double>(i);
    for (std::size_t s = 0; s < chart.lines.size(); ++s)
      reach[s * count + i] = (sum += chart.lines[s].y[i]) * stack_scale(chart, i);
  }
  // Every bar begins at the left edge, and the shorter ones are drawn over the longer ones.
  for (std::size_t s = chart.lines.size(); s-- > 0;) {
    if (!takes_time(chart.lines[s])) continue;
    ImPlotSpec spec;
    spec.FillColor = spec.LineColor = part_colour(chart, s);
    spec.Flags = ImPlotBarsFlags_Horizontal;
    ImPlot::PlotBars(chart.lines[s].label.c_str(), &reach[s * count], places.data(), static_cast<int>(count), 0.62,
                     spec);
  }
  for (std::size_t s = 0; s < chart.lines.size(); ++s)
    draw_stack_intervals(chart, s, &reach[s * count]);
}

const Measurement* hover_stacks(const Chart& chart) {
  if (!ImPlot::IsPlotHovered() || chart.categories.empty()) return nullptr;
  const double place = std::round(ImPlot::GetPlotMousePos().y);
  if (place < 0.0 || place >= static_cast<double>(chart.categories.size())) return nullptr;
  const auto i = static_cast<std::size_t>(place);
  const double total = total_of(chart, i);
  std::string text = chart.categories[i];
  for (const ChartLine& line : chart.lines) {
    if (line.y[i] <= 0.0) continue;
    text += "\n" + line.label + ": " + format_ms(line.y[i]) + ", " + format_percent(line.y[i] / std::max(total, 1e-12));
    if (i < line.low.size()) text += ", 95 %: " + format_ms(line.low[i]) + " .. " + format_ms(line.high[i]);
    if (i < line.count.size()) text += ", " + std::to_string(line.count[i]) + " samples";
  }
  tooltip(text + "\ntotal: " + format_ms(total));
  const std::vector<const Measurement*>& rows = chart.lines.front().rows;
  return i < rows.size() ? rows[i] : nullptr;
}

}  // namespace threadscape::app

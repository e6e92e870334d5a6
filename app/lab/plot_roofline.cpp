#include <algorithm>
#include <cmath>

#include "app/analysis/samples.h"
#include "app/lab/plot_data.h"
#include "app/lab/plot_lines.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

constexpr const char* of_one_thread = " of one thread";

/// Adds the lines of the ceilings, with `whose` behind their names.
void add_ceilings(PlotData& plot, const Roofline& ceilings, const std::string& whose) {
  constexpr double low = 1.0 / 64.0, high = 256.0;
  for (const Ceiling& memory : ceilings.memories) {
    const double ridge = std::clamp(Roofline::ridge(memory, ceilings.arithmetics.back()), low, high);
    plot.guides.push_back({.label = memory.name + whose,
                           .x = {low, ridge},
                           .y = {low * memory.per_second / 1e9, ridge * memory.per_second / 1e9}});
  }
  for (const Ceiling& arithmetic : ceilings.arithmetics) {
    const double ridge = Roofline::ridge(ceilings.memories.back(), arithmetic);
    plot.guides.push_back({.label = arithmetic.name + whose,
                           .x = {std::clamp(ridge, low, high), high},
                           .y = {arithmetic.per_second / 1e9, arithmetic.per_second / 1e9}});
  }
}

/// Notes how many rows a plot leaves out, with the reason for one row and that for several.
void note_left_out(PlotData& plot, std::size_t count, const std::string& why_one, const std::string& why_several) {
  if (count == 1) plot.notes.push_back("1 row is left out, because " + why_one + ".");
  if (count > 1) plot.notes.push_back(std::to_string(count) + " rows are left out, because " + why_several + ".");
}

}  // namespace

PlotData roofline(const LabReports& reports, const HostRooflines& ceilings) {
  PlotData plot{.title = "Roofline",
                .x_label = "operations per byte",
                .y_label = "10^9 operations per second",
                .log_x = true,
                .log_y = true};
  const Lines lines = lines_of(reports, false, {});
  const auto labels = labels_of(lines, reports);
  std::size_t unstated = 0, on_gpu = 0, opened = 0;
  bool one_thread = false, several = false;
  for (const auto& [key, rows] : lines)
    for (const ReportRow* row : rows) {
      if (key.report > 0 || row->backend == Backend::cuda || row->operations <= 0.0 || row->gb_s <= 0.0) {
        ++(key.report > 0 ? opened : row->backend == Backend::cuda ? on_gpu : unstated);
        continue;
      }
      const bool alone = row->threads == 1;
      (alone ? one_thread : several) = true;
      PlotLine line{.label = labels.at(key) + " " + row->size_text(), .backend = key.backend, .x = {}, .y = {}};
      const MedianInterval median = median_interval(row->samples);
      const double bytes = row->gb_s * 1e6 * median.median, billions = row->operations / 1e6;
      line.x = {row->operations / bytes};
      line.y = {billions / median.median};
      line.low = {billions / median.interval.high};
      line.high = {billions / median.interval.low};
      line.count = {row->samples.size()};
      const RooflineBound bound =
          bound_of(alone ? ceilings.one_thread : ceilings.all_threads, {line.label, line.x[0], line.y[0] * 1e9});
      const std::string ceiling = bound.ceiling.name + (alone ? of_one_thread : "");
      if (bound.share > 1.0)
        plot.notes.push_back(line.label + ": above " + ceiling +
                             ", because the code needs fewer operations, or smaller numbers, than the count assumes.");
      else
        plot.notes.push_back(line.label + ": at " + format_number(bound.share * 100.0, 2) + " % of " + ceiling + ".");
      plot.lines.push_back(std::move(line));
    }
  note_left_out(plot, unstated, "the number of operations of its algorithm is not known",
                "the numbers of operations of their algorithms are not known");
  note_left_out(plot, on_gpu, "it ran on the GPU, and the limits are those of the CPU",
                "they ran on the GPU, and the limits are those of the CPU");
  note_left_out(plot, opened, "it comes from a file, and the limits are those of this machine",
                "they come from files, and the limits are those of this machine");
  if (several || !one_thread) add_ceilings(plot, ceilings.all_threads, "");
  if (one_thread) add_ceilings(plot, ceilings.one_thread, of_one_thread);
  return plot;
}

}  // namespace threadscape::app

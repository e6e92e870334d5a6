#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <utility>

#include "app/analysis/samples.h"
#include "app/measure/plot_data.h"
#include "app/measure/plot_lines.h"
#include "app/report/text.h"

namespace threadscape::app {

namespace {

constexpr const char* of_one_thread = " of one thread";

/// Adds the lines of the ceilings, with `whose` behind their names.
void add_ceilings(Chart& plot, const Roofline& ceilings, const std::string& whose) {
  if (ceilings.memories.empty() || ceilings.arithmetics.empty()) return;
  constexpr double low = 1.0 / 64.0;
  double high = 256.0;
  for (const ChartLine& line : plot.lines)
    high = std::max(high, 2.0 * line.x.front());
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
void note_left_out(Chart& plot, std::size_t count, const std::string& why_one, const std::string& why_several) {
  if (count == 1) plot.notes.push_back("1 row is left out, because " + why_one + ".");
  if (count > 1) plot.notes.push_back(std::to_string(count) + " rows are left out, because " + why_several + ".");
}

/// The point of a row: operations per second by operations per byte.
ChartLine point_of(const Measurement& row, const std::string& label) {
  ChartLine line{.label = label};
  const MedianInterval median = median_interval(row.samples.compute);
  const double bytes = row.counts.bytes, billions = row.counts.operations / 1e6;
  line.x = {row.counts.operations / bytes};
  line.y = {billions / median.median};
  line.low = {billions / median.interval.high};
  line.high = {billions / median.interval.low};
  line.count = {row.samples.compute.size()};
  line.rows = {&row};
  return line;
}

/// Which of the ceilings bounds the point, and how near it is; `whose` stands behind the name of the ceiling.
std::string ceiling_note(const ChartLine& line, const Roofline& ceilings, const std::string& whose) {
  const RooflineBound bound = bound_of(ceilings, {line.label, line.x[0], line.y[0] * 1e9});
  const std::string ceiling = bound.ceiling.name + whose;
  if (bound.share > 1.0)
    return line.label + ": above " + ceiling +
           ", because the code needs fewer operations, or smaller numbers, than the count assumes.";
  return line.label + ": at " + format_number(bound.share * 100.0, 2) + " % of " + ceiling + ".";
}

/// The bandwidth of a plain copy that a report states, and the most operations per byte of the points below its line.
struct Copy {
  double per_second = 0.0, intensity = 0.0;
};
/// Copies by report and name.
using Copies = std::map<std::pair<std::size_t, std::string>, Copy>;

/// " of the GPU, nvidia-h200-kernels": whose ceilings a report states.
std::string of_gpu(const LabReports& reports, std::size_t report) {
  return report == 0 ? " of the GPU" : " of the GPU, " + reports[report].name;
}

/// "copy on the GPU, nvidia-h200-kernels": where the copy ran that a row is compared with.
std::string copy_name(const Measurement& row, const std::string& report) {
  std::string name = "copy on ";
  if (row.where.backend == Backend::cuda)
    name += "the GPU";
  else
    name += row.where.threads == 1 ? "one thread" : std::to_string(row.where.threads) + " threads";
  return report.empty() ? name : name + ", " + report;
}

/// Adds the line that no point rises above whose data come from memory. How fast that machine computes is not known, so
/// that the line ends behind the last point.
void add_copy(Chart& plot, const std::string& name, const Copy& copy) {
  constexpr double low = 1.0 / 64.0;
  const double high = std::max(copy.intensity, low) * 4.0;
  plot.guides.push_back(
      {.label = name, .x = {low, high}, .y = {low * copy.per_second / 1e9, high * copy.per_second / 1e9}});
}

}  // namespace

Chart roofline(const LabReports& reports, const HostRooflines& ceilings) {
  Chart plot{.title = "Roofline",
             .x_label = "operations per byte",
             .y_label = "10^9 operations per second",
             .log_x = true,
             .log_y = true};
  const Lines lines = lines_of(reports, false, {});
  const auto labels = labels_of(lines, reports);
  std::size_t unstated = 0, no_limit = 0;
  bool one_thread = false, several = false;
  Copies copies;
  std::set<std::size_t> with_gpu;
  for (const auto& [key, rows] : lines)
    for (const Measurement* row : rows) {
      if (row->counts.operations <= 0.0 || row->counts.bytes <= 0.0) {
        ++unstated;
        continue;
      }
      const bool here = key.report == 0 && row->where.backend != Backend::cuda;
      const Roofline device = roofline_of(reports[key.report].limits.device_ceilings);
      const bool on_gpu =
          row->where.backend == Backend::cuda && !device.memories.empty() && !device.arithmetics.empty();
      if (!here && !on_gpu && row->limits.copy <= 0.0) {
        ++no_limit;
        continue;
      }
      const bool alone = row->where.threads == 1;
      ChartLine line = point_of(*row, labels.at(key) + " " + row->what.size_text());
      line.backend = key.backend;
      if (here) {
        (alone ? one_thread : several) = true;
        plot.notes.push_back(alone ? ceiling_note(line, ceilings.one_thread, of_one_thread)
                                   : ceiling_note(line, ceilings.all_threads, ""));
      } else if (on_gpu) {
        with_gpu.insert(key.report);
        plot.notes.push_back(ceiling_note(line, device, of_gpu(reports, key.report)));
      } else {
        Copy& copy = copies[{key.report, copy_name(*row, key.report > 0 ? reports[key.report].name : "")}];
        copy.per_second = std::max(copy.per_second, row->limits.copy);
        copy.intensity = std::max(copy.intensity, line.x[0]);
        plot.notes.push_back(line.label + ": at " + format_number(row->of_copy() * 100.0, 2) + " % of a plain copy.");
      }
      plot.lines.push_back(std::move(line));
    }
  constexpr std::size_t max_notes = 12;  // More sentences than this are not read; the tooltips have the figures.
  if (plot.notes.size() > max_notes)
    plot.notes = {std::to_string(plot.lines.size()) + " points; the mouse over a point shows its figures."};
  note_left_out(plot, unstated, "the number of operations of its algorithm is not known",
                "the numbers of operations of their algorithms are not known");
  note_left_out(plot, no_limit, "its report does not state how fast a copy is",
                "their reports do not state how fast a copy is");
  if (!plot.lines.empty() && (several || (!one_thread && copies.empty() && with_gpu.empty())))
    add_ceilings(plot, ceilings.all_threads, "");
  if (one_thread) add_ceilings(plot, ceilings.one_thread, of_one_thread);
  for (const std::size_t report : with_gpu)
    add_ceilings(plot, roofline_of(reports[report].limits.device_ceilings), of_gpu(reports, report));
  for (const auto& [place, copy] : copies)
    add_copy(plot, place.second, copy);
  return plot;
}

}  // namespace threadscape::app

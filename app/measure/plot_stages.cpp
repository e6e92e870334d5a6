#include <algorithm>
#include <string>
#include <vector>

#include "app/analysis/samples.h"
#include "app/measure/plot_data.h"

namespace threadscape::app {

namespace {

constexpr const char *upload_stage = "upload", *compute_stage = "compute", *rest_stage = "rest",
                     *download_stage = "download";

/// The stages of all rows, in the order of the work.
std::vector<std::string> stage_names(const std::vector<const Measurement*>& rows) {
  std::vector<std::string> names{upload_stage};
  const auto add = [&names](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const Measurement* row : rows)
    for (const auto& [name, ms] : row->counts.stages)
      if (name != rest_stage) add(name);
  if (std::ranges::any_of(rows, [](const Measurement* row) { return !row->counts.stages.empty(); })) add(rest_stage);
  if (std::ranges::any_of(rows, [](const Measurement* row) { return row->counts.stages.empty(); })) add(compute_stage);
  names.emplace_back(download_stage);
  return names;
}

/// How long a stage of a row lasts in milliseconds, and the ends of its 95 % interval; without an interval they are 0.
struct StagePart {
  double ms = 0.0, low = 0.0, high = 0.0;
};

StagePart stage_part(const Measurement& row, const std::string& name, bool transfers) {
  if (name == upload_stage) return {transfers ? median_of(row.samples.upload) : 0.0};
  if (name == download_stage) return {transfers ? median_of(row.samples.download) : 0.0};
  const MedianInterval median = median_interval(row.samples.compute);
  if (row.counts.stages.empty())
    return name == compute_stage ? StagePart{median.median, median.interval.low, median.interval.high} : StagePart{};
  double sum = 0.0, own = 0.0;
  for (const auto& [stage, ms] : row.counts.stages) {
    sum += ms;
    if (stage == name) own = ms;
  }
  return {sum > 0.0 ? median.median * own / sum : 0.0};
}

}  // namespace

Chart stages(const LabReports& reports, const StageView& view) {
  Chart plot{.title = "Stages", .y_label = "ms", .style = ChartStyle::stacked};
  plot.shares = view.shares;
  std::vector<const Measurement*> rows;
  for (const Report& report : reports)
    for (const Measurement& row : report.rows)
      rows.push_back(&row);
  constexpr std::size_t max_rows = 24;  // More bars than this cannot be told apart.
  if (rows.size() > max_rows) {
    plot.notes.push_back("The last " + std::to_string(max_rows) + " of " + std::to_string(rows.size()) + " rows.");
    rows.erase(rows.begin(), rows.end() - max_rows);
  }
  plot.categories = row_labels(rows);
  for (const std::string& name : stage_names(rows))
    plot.lines.push_back({.label = name, .rows = rows});
  for (std::size_t i = 0; i < rows.size(); ++i)
    for (ChartLine& line : plot.lines) {
      const StagePart part = stage_part(*rows[i], line.label, view.transfers);
      line.x.push_back(static_cast<double>(i));
      line.y.push_back(part.ms);
      if (line.label != compute_stage) continue;  // Only this time has samples of its own.
      line.low.push_back(part.low);
      line.high.push_back(part.high);
      line.count.push_back(rows[i]->samples.compute.size());
    }
  if (std::ranges::any_of(rows, [](const Measurement* row) { return !row->counts.stages.empty(); }))
    plot.notes.push_back(
        "Stages between upload and download come from a run with clocks, scaled to the median of the runs without.");
  return plot;
}

}  // namespace threadscape::app

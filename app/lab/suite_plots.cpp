#include "app/lab/suite_plots.h"

#include <algorithm>
#include <iterator>

namespace threadscape::app {

namespace {

/// A suite with the reports that were measured for it.
struct Drawn {
  Suite suite;
  std::vector<Report> reports;
};

}  // namespace

PlotData plot_of(const Chart& chart) {
  PlotData plot{.title = chart.title, .x_label = chart.x_label, .y_label = chart.y_label};
  plot.log_x = chart.log_x && chart.categories.empty();
  plot.log_y = chart.log_y;
  plot.categories = chart.categories;
  plot.joined = !chart.bars;
  double most = 1.0;
  for (const ChartLine& line : chart.lines) {
    if (line.x.empty()) {
      if (!line.absent.empty()) plot.notes.push_back(line.label + ": " + line.absent + ".");
      continue;
    }
    plot.lines.push_back({.label = line.label,
                          .backend = line.backend.value_or(Backend::serial),
                          .x = line.x,
                          .y = line.y,
                          .low = line.low,
                          .high = line.high,
                          .count = line.count});
    most = std::max(most, line.x.back());
  }
  if (chart.by_threads && !plot.lines.empty()) {
    const bool efficiency = chart.quantity == PlotY::efficiency;
    plot.guides.push_back({.label = "ideal", .x = {1.0, (1.0 + most) / 2, most}, .y = {1.0, 1.0, 1.0}});
    if (!efficiency) plot.guides.back().y = plot.guides.back().x;
  }
  plot.notes.insert(plot.notes.end(), chart.notes.begin(), chart.notes.end());
  return plot;
}

void SuitePlots::open(const std::vector<Report>& file) {
  const std::size_t before = opened_.size();
  std::ranges::copy_if(file, std::back_inserter(opened_),
                       [](const Report& report) { return report.suite_definition != nullptr; });
  try {
    make();
  } catch (const std::exception&) {
    opened_.resize(before);
    make();
    throw;
  }
}

void SuitePlots::close() {
  opened_.clear();
  make();
}

void SuitePlots::measured(const Report& report) {
  session_ = report;
  make();
}

void SuitePlots::make() {
  std::vector<Drawn> all;
  const auto add = [&all](const Report& report) {
    auto same = std::ranges::find(all, report.suite, [](const Drawn& drawn) { return drawn.suite.name; });
    if (same == all.end()) {
      all.push_back({make_reported_suite(*report.suite_definition, report.suite, "suite '" + report.suite + "'"), {}});
      same = all.end() - 1;
    }
    same->reports.push_back(report);
  };
  if (session_.suite_definition) add(session_);
  for (const Report& report : opened_)
    add(report);
  titles_.clear();
  plots_.clear();
  for (const Drawn& drawn : all)
    for (const Chart& chart : make_charts(drawn.suite, drawn.reports).charts) {
      titles_.push_back((all.size() > 1 ? drawn.suite.name + ": " : "") + chart.title);
      plots_.push_back(plot_of(chart));
    }
}

PlotData SuitePlots::plot(std::size_t place) const {
  if (plots_.empty())
    return {
        .title = "Suite",
        .x_label = {},
        .y_label = {},
        .notes = {"Let a suite vary and press Run, or open a report of `threadscape bench --suite NAME --json FILE`."}};
  return plots_[place < plots_.size() ? place : 0];
}

}  // namespace threadscape::app

#include "app/lab/suite_plots.h"

#include <algorithm>

namespace threadscape::app {

namespace {

bool is_of_suite(const Json& report) {
  return report.is_object() && report.contains("suite") && report.contains("results");
}

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

void SuitePlots::open(const Json& file) {
  const std::size_t before = opened_.size();
  if (file.is_object() && file.contains("suites") && file.at("suites").is_array()) {
    for (const Json& report : file.at("suites"))
      if (is_of_suite(report)) opened_.push_back(report);
  } else if (is_of_suite(file)) {
    opened_.push_back(file);
  }
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

void SuitePlots::measured(const Json& report) {
  session_ = is_of_suite(report) ? report : Json();
  make();
}

void SuitePlots::make() {
  std::vector<Drawn> all;
  const auto add = [&all](const Json& report) {
    const auto name = report.at("suite").at("name").get<std::string>();
    auto same = std::ranges::find(all, name, [](const Drawn& drawn) { return drawn.suite.name; });
    if (same == all.end()) {
      all.push_back({make_suite(report.at("suite").at("definition"), name, "suite '" + name + "'"), {}});
      same = all.end() - 1;
    }
    same->reports.push_back(report);
  };
  try {
    if (!session_.is_null()) add(session_);
    for (const Json& report : opened_)
      add(report);
  } catch (const Json::exception& error) {
    throw UsageError(std::string("a report does not state its suite: ") + error.what());
  }
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

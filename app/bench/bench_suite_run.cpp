// `threadscape bench` with --suite, --list-suites or --from.

#include <nlohmann/json.hpp>

#include <algorithm>
#include <cstdio>
#include <iterator>

#include "app/bench/bench_suite.h"
#include "app/bench/suite_charts.h"
#include "app/bench/time_budget.h"
#include "app/measure/chart_svg.h"
#include "app/measure/chart_text.h"
#include "app/measure/plot/chart_picture.h"
#include "app/measure/report_table.h"
#include "app/measure/row_charts.h"
#include "app/report/long_task.h"
#include "compute/core/errors.h"
#include "compute/core/printable.h"
#include "compute/io/file_writer.h"
#include "compute/io/standard_stream.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

void list_suites() {
  for (const std::string& name : suite_names()) {
    const Suite suite = load_suite(name);
    print(stdout, name + ": " + suite.title + "\n  " + suite.source + "\n");
    if (!suite.note.empty()) print(stdout, "  " + suite.note + "\n");
  }
}

/// Reads the reports of --from, by suite. The suites are as the reports state them, or as this version has them if
/// --suite names one or all of them. A file with one suite is drawn as the suite that --suite names, whatever it was
/// measured for. Throws UsageError if the files were measured for different suites and --suite does not say which to
/// draw.
std::vector<SuiteReports> read_suites(const BenchOptions& options) {
  const bool chosen = !options.suite.empty() && options.suite != all_suites;
  bool several = options.suite == all_suites;
  std::vector<Report> reports;
  for (const fs::path& path : options.from) {
    std::vector<Report> file = load_reports(path);
    if (std::ranges::any_of(file, [](const Report& report) { return report.suite_definition == nullptr; }))
      throw UsageError(path.string() +
                       ": it was measured without a suite, and cannot be drawn together with others that have one");
    several = several || file.size() > 1;
    if (chosen && file.size() > 1)
      std::erase_if(file, [&](const Report& report) { return report.suite != options.suite; });
    std::ranges::move(file, std::back_inserter(reports));
  }
  if (reports.empty()) throw UsageError("--suite " + options.suite + ": no report of --from was measured for it");
  std::vector<SuiteReports> suites;
  if (chosen)
    suites.push_back({.suite = load_suite(options.suite), .reports = std::move(reports)});
  else
    suites = by_suite(std::move(reports), options.suite.empty());
  if (!several && suites.size() > 1)
    throw UsageError(suites[1].reports.front().name + ": measured for suite '" + suites[1].suite.name +
                     "', the others for '" + suites[0].suite.name + "'; --suite says which to draw");
  return suites;
}

/// The file for the plots of a suite: that of --plot, or one beside it with the name of the suite if several are drawn.
fs::path plot_file(const BenchOptions& options, const std::string& suite, bool several) {
  if (!several || options.plot.empty()) return options.plot;
  fs::path path = options.plot;
  path.replace_filename(options.plot.stem().string() + "-" + suite + options.plot.extension().string());
  return path;
}

/// Prints the charts of a suite as tables and draws them into a file, as far as the options ask for it.
void show(const BenchOptions& options, const SuiteReports& drawn, bool several) {
  show_charts(options, make_charts(drawn), plot_file(options, drawn.suite.name, several), true);
}

/// The reports of --from, if no file was measured for a suite, and none is asked for.
std::optional<std::vector<Report>> read_plain(const BenchOptions& options) {
  if (!options.suite.empty()) return std::nullopt;
  std::vector<Report> reports;
  for (const fs::path& path : options.from)
    for (Report& report : load_reports(path)) {
      if (report.suite_definition) return std::nullopt;
      report.name = path.stem().string();
      reports.push_back(std::move(report));
    }
  return reports;
}

/// Prints the table of what was measured. Skipped points are not in it, because the tables of the plots list them.
void print_measured(const BenchOptions& options, Report report) {
  if (options.quiet) return;
  std::erase_if(report.rows, [](const Measurement& row) { return !row.skipped.empty() && row.predicted.ms == 0.0; });
  if (!report.rows.empty()) print(text_stream(options), report_table(report));
}

/// The seconds of a benchmark with a budget, and the points that it left out for lack of time.
BudgetUse use_of(const TimeBudget& budget, const Report& report) {
  const auto slow = [&](const Measurement& row) { return row.skipped.ends_with(budget.text()); };
  return {.seconds = budget.seconds(),
          .used = budget.elapsed(),
          .left_out = static_cast<std::size_t>(std::ranges::count_if(report.rows, slow))};
}

/// How many points of the plan take time: those that can be measured on this machine, and all that are predicted.
std::size_t timed(const std::vector<PlannedPoint>& points, const BenchOptions& options) {
  if (options.predict) return points.size();
  return static_cast<std::size_t>(std::ranges::count_if(points, [](const auto& p) { return p.left_out.empty(); }));
}

int measure_one(const BenchOptions& options) {
  Suite suite = load_suite(options.suite);
  restrict_suite(suite, options);
  const std::vector<PlannedPoint> points = plan(suite, options);
  if (points.empty()) throw UsageError("nothing of suite '" + suite.name + "' is left to measure");
  Report report;
  if (options.budget) {
    LongTask task("bench", options.quiet);
    TimeBudget budget(*options.budget, timed(points, options));
    report = measure_within(budget, points, options, {}, task);
    report.budget = use_of(budget, report);
  } else {
    report = measure_all(points, options, Missing::any);
  }
  report.suite = suite.name;
  report.suite_definition = suite.definition;
  // The reports are written first, because drawing may fail after hours of measuring.
  write_reports(options, report, report_json(report));
  print_measured(options, report);
  const ExitCode code = outcome(report);
  show(options, {.suite = std::move(suite), .reports = {std::move(report)}}, false);
  return static_cast<int>(code);
}

/// Every suite that comes with the program, as far as the options leave something of it, with its points.
std::vector<std::pair<Suite, std::vector<PlannedPoint>>> plan_all(const BenchOptions& options) {
  std::vector<std::pair<Suite, std::vector<PlannedPoint>>> planned;
  for (const std::string& name : suite_names()) {
    Suite suite = load_suite(name);
    for (SuiteGroup& group : suite.groups)
      if (!options.backends.empty())
        std::erase_if(group.backends, [&](Backend backend) {
          return std::ranges::find(options.backends, backend) == options.backends.end();
        });
    restrict_suite(suite, {});
    std::vector<PlannedPoint> points = plan(suite, options);
    if (!points.empty()) planned.emplace_back(std::move(suite), std::move(points));
  }
  return planned;
}

/// Measures all suites within the budget. The file of --json is written again after each suite, so that an interrupted
/// run leaves those that are complete.
int measure_every_suite(const BenchOptions& options) {
  if (!options.sizes.empty() || !options.threads.empty())
    throw UsageError("--sizes and --threads do not go with --suite all: each suite has sizes of its own");
  const auto planned = plan_all(options);
  std::vector<std::size_t> points;
  for (const auto& planned_suite : planned)
    points.push_back(timed(planned_suite.second, options));
  LongTask task("bench", options.quiet);
  TimeBudget budget(options.budget.value_or(all_suites_seconds), points);
  Report all;
  BudgetUse used;
  std::vector<Report> reports;
  for (const auto& [suite, of_suite] : planned) {
    budget.begin_suite();
    Report report = measure_within(budget, of_suite, options, all.limits, task);
    report.suite = suite.name;
    report.suite_definition = suite.definition;
    all.limits = report.limits;
    all.rows.insert(all.rows.end(), report.rows.begin(), report.rows.end());
    reports.push_back(std::move(report));
    used = use_of(budget, all);
    if (!io::is_standard_stream(options.json) || &suite == &planned.back().first)
      write_reports(options, all, suites_json(reports, used));
  }
  print_measured(options, all);
  for (std::size_t i = 0; i < planned.size(); ++i)
    show(options, {.suite = planned[i].first, .reports = {std::move(reports[i])}}, true);
  if (!options.quiet)
    std::fprintf(text_stream(options),
                 "\n%zu suites in %.0f s of %s; %zu points were left out because they take too long.\n", planned.size(),
                 budget.elapsed(), budget.text().c_str(), used.left_out);
  return static_cast<int>(outcome(all));
}

}  // namespace

bool uses_suites(const BenchOptions& options) {
  return options.list_suites || !options.suite.empty() || !options.from.empty();
}

void check_plot(const BenchOptions& options) {
  const fs::path& path = options.plot;
  if (path.empty()) return;
  if (path.extension() != ".png" && path.extension() != ".svg")
    throw UsageError("--plot '" + path.string() + "': a .png or .svg file is wanted");
  io::require_writable(path);
  if (path.extension() == ".png") require_pictures();
}

void show_charts(const BenchOptions& options, const ChartPage& page, const fs::path& plot, bool tables) {
  if (tables && !options.quiet) print(text_stream(options), chart_tables(page));
  if (plot.extension() == ".svg")
    io::save_bytes(plot, page_svg(page));
  else if (!plot.empty())
    save_page(page, plot, options.plot_width, options.plot_height);
}

int bench_suite(const BenchOptions& options) {
  if (options.list_suites) {
    list_suites();
    return static_cast<int>(ExitCode::done);
  }
  check_plot(options);
  if (options.from.empty()) return options.suite == all_suites ? measure_every_suite(options) : measure_one(options);
  if (const auto plain = read_plain(options)) {
    show_charts(options, chart_page_of_rows(*plain), options.plot, true);
    return static_cast<int>(ExitCode::done);
  }
  const std::vector<SuiteReports> suites = read_suites(options);
  for (const SuiteReports& drawn : suites)
    show(options, drawn, suites.size() > 1);
  return static_cast<int>(ExitCode::done);
}

}  // namespace threadscape::app

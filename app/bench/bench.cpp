#include "app/bench/bench.h"

#include <nlohmann/json.hpp>

#include <cstdio>
#include <set>
#include <string>
#include <string_view>
#include <tuple>
#include <vector>

#include "app/bench/bench_against.h"
#include "app/bench/bench_compare.h"
#include "app/bench/bench_plan.h"
#include "app/bench/bench_suite.h"
#include "app/measure/report_table.h"
#include "app/measure/row_charts.h"
#include "app/report/text.h"
#include "compute/core/printable.h"
#include "compute/io/file_writer.h"
#include "compute/io/standard_stream.h"
#include "compute/registry/loops.h"

namespace threadscape::app {

namespace {

void check_options(const BenchOptions& options) {
  for (const int threads : options.threads)
    if (threads < 0 || threads > max_threads())
      throw UsageError("--threads " + std::to_string(threads) + ": 1.." + std::to_string(max_threads()) +
                       ", or 0 for all");
  if (io::is_standard_stream(options.json) && io::is_standard_stream(options.csv))
    throw UsageError("--json and --csv cannot both be standard output");
  if (!options.json.empty()) io::require_writable(options.json);
  if (!options.csv.empty()) io::require_writable(options.csv);
}

/// What each measured route is for, and the times that decided when its engine was written.
std::string route_notes(const std::vector<PlannedPoint>& points) {
  std::string text;
  std::set<std::tuple<std::string_view, Backend, std::string_view>> told;
  for (const auto& [point, rule, left_out] : points) {
    const AlgorithmInfo& algorithm = *point.request.algorithm;
    for (const Route& route : algorithm.routes_of(point.request.backend))
      if (route.name == point.request.route && told.emplace(algorithm.name, point.request.backend, route.name).second) {
        text += "\n" + std::string(algorithm.name) + " on " + std::string(name_of(point.request.backend)) + ", " +
                std::string(route.name) + ": " + std::string(route.method) + "; for " + std::string(route.taken_for);
        if (!route.times.empty()) text += "; ms at 4096x4096 on an H200: " + std::string(route.times);
      }
  }
  return text.empty() ? text : text + "\n";
}

/// What several devices gain over one, and which share of their number that is.
std::string devices_text(const Report& report) {
  std::string text;
  double one = 0.0;
  for (const Measurement* const row : report.measured()) {
    const std::size_t slash = row->where.variant.rfind('/');
    const std::string where = slash == std::string::npos ? "" : row->where.variant.substr(slash + 1);
    if (where == "1 device") one = row->samples.median();
    if (!where.ends_with(" devices") || one <= 0.0) continue;
    const double gain = one / row->samples.median(), count = std::stod(where);
    text += row->what.algorithm + " " + row->what.size_text() + ": " + where + " are " + format_number(gain) +
            " times as fast as one, which is " + format_number(100.0 * gain / count) + " % of their number.\n";
  }
  return text.empty() ? text : "\nWhole runs, from host memory to host memory:\n" + text;
}

/// The options with what --split measures.
BenchOptions split_options(BenchOptions options) {
  options.backends = {Backend::serial, Backend::openmp};
  options.variants = {"default", std::string(loops_variant.name)};
  options.threads = {1, 0};
  return options;
}

}  // namespace

int bench(const BenchOptions& options) {
  check_options(options);
  if (!options.compare.empty()) return bench_compare(options);
  if (!options.against.empty()) return bench_against(options);
  if (uses_suites(options)) return bench_suite(options);
  check_plot(options);
  const std::vector<PlannedPoint> points = plan(options.split ? split_options(options) : options);
  Report report = measure_all(points, options, Missing::backend);
  write_reports(options, report, report_json(report));
  if (!options.quiet) print(text_stream(options), report_table(report) + devices_text(report) + route_notes(points));
  const ExitCode code = outcome(report);
  if (!options.plot.empty() && code == ExitCode::done) {
    report.name = "threadscape bench";
    show_charts(options, chart_page_of_rows({std::move(report)}), options.plot, false);
  }
  return static_cast<int>(code);
}

}  // namespace threadscape::app

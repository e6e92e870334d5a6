#include "app/bench/bench.h"

#include <nlohmann/json.hpp>

#include <cstdio>

#include "app/bench/bench_against.h"
#include "app/bench/bench_compare.h"
#include "app/bench/bench_plan.h"
#include "app/bench/bench_suite.h"
#include "app/measure/report_table.h"
#include "compute/core/printable.h"
#include "compute/io/file_writer.h"
#include "compute/io/standard_stream.h"

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

}  // namespace

int bench(const BenchOptions& options) {
  check_options(options);
  if (!options.compare.empty()) return bench_compare(options);
  if (!options.against.empty()) return bench_against(options);
  if (uses_suites(options)) return bench_suite(options);
  const Report report = measure_all(plan(options), options, Missing::backend);
  write_reports(options, report, report_json(report));
  if (!options.quiet) print(text_stream(options), report_table(report));
  return static_cast<int>(outcome(report));
}

}  // namespace threadscape::app

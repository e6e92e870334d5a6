#pragma once
// The charts of a suite, made from the reports of `bench --suite NAME`, of one machine or of several.

#include <vector>

#include "app/bench/bench_suite.h"
#include "app/measure/chart.h"

namespace threadscape::app {

/// A suite with the reports that its charts are made from.
struct SuiteReports {
  Suite suite;
  std::vector<Report> reports;
};

/// Reports that have suites, by suite. The suites are as the reports state them, or as this version has them. Throws
/// UsageError for definitions that this version cannot read.
[[nodiscard]] std::vector<SuiteReports> by_suite(std::vector<Report> reports, bool as_reported);
/// Makes the charts of a suite. A speed-up refers to the point of the line SuitePlot::over with the same algorithm,
/// parameters and input on one thread, from the same report if it is in there.
[[nodiscard]] ChartPage make_charts(const SuiteReports& drawn);

}  // namespace threadscape::app

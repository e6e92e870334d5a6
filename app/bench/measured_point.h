#pragma once
// The results of reports of `bench --suite NAME --json FILE`, as the charts of a suite use them.

#include <string>
#include <vector>

#include "app/bench/bench_suite.h"

namespace threadscape::app {

/// A result of a report, with the texts by which results are compared and placed in a chart.
struct MeasuredPoint {
  std::vector<SeriesTag> tags;
  std::size_t report = 0;  ///< Index of the report.
  std::string machine;
  std::string work;  ///< Algorithm, parameters and input as text: results with equal texts did the same work.
  PointFacts facts;
  double milliseconds = 0, gigabytes = 0;
  std::string skipped;  ///< The reason why the point was not measured; "" if it was.
};

/// The results of all reports in their order. Throws UsageError for reports that bench_json() has not written.
[[nodiscard]] std::vector<MeasuredPoint> read_reports(const std::vector<Json>& reports);

}  // namespace threadscape::app

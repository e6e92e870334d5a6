#pragma once
// The results of reports of `bench --suite NAME --json FILE`, as the charts of a suite use them.

#include <optional>
#include <string>
#include <vector>

#include "app/bench/bench_suite.h"

namespace threadscape::app {

/// A result of a report, with the texts by which results are compared and placed in a chart.
struct MeasuredPoint {
  std::vector<SeriesTag> tags;
  std::size_t report = 0;  ///< Index of the report.
  std::string machine;
  std::string peer;  ///< Name of the library that was measured as a peer; "" for Threadscape itself.
  std::string work;  ///< Algorithm, parameters and input as text: results with equal texts did the same work.
  PointFacts facts;
  double milliseconds = 0;   ///< Median time of the computation.
  double low = 0, high = 0;  ///< The 95 % interval of this median; both are the median where the report has no samples.
  std::size_t samples = 0;   ///< Number of samples of the computation.
  double gigabytes = 0;      ///< 1e9 bytes per second of the computation.
  double operations = 0;     ///< The operations of one run; 0 if the algorithm states none.
  /// Median times in milliseconds of allocating memory and of both transfers; unset where the report has none.
  std::optional<double> allocation, upload, download;
  std::string skipped;  ///< The reason why the point was not measured; "" if it was.
  /// The time of the computation, or with the allocation and the transfers that the report has. A run on the CPU has no
  /// transfers.
  [[nodiscard]] double time(bool with_transfers) const;
  /// Returns true if the report has the transfers of this run, and for every run on the CPU, which has none.
  [[nodiscard]] bool knows_transfers() const { return facts.backend != Backend::cuda || download.has_value(); }
};

/// The results of all reports in their order. Throws UsageError for reports that bench_json() has not written.
[[nodiscard]] std::vector<MeasuredPoint> read_reports(const std::vector<Json>& reports);

}  // namespace threadscape::app

#pragma once
// The figures of a benchmark as a text table, as JSON with every sample, and as CSV.

#include <string>
#include <vector>

#include "app/bench/bench_measure.h"
#include "app/measure/report_file.h"
#include "app/report/environment.h"

namespace threadscape::app {

struct BenchReport {
  std::vector<BenchResult> results;
  CopyLimits limits;
  Json environment;
};

/// A measured result as reading its report would give it.
[[nodiscard]] ReportRow report_row(const BenchReport& report, const BenchResult& result);
[[nodiscard]] std::string bench_table(const BenchReport& report);
[[nodiscard]] std::string bench_csv(const BenchReport& report);
[[nodiscard]] Json bench_json(const BenchReport& report);

}  // namespace threadscape::app

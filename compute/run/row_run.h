#pragma once
// Runs on pictures that need not fit into memory: strips of rows are read, computed and written one after another, each
// row once. The strips follow from the HaloFacet, so that results have the bits of a run on the whole.

#include <functional>

#include "compute/core/row_stream.h"
#include "compute/run/runner.h"

namespace threadscape {

/// How a run is cut into strips.
struct RowPlan {
  std::int64_t rows = 0;  ///< Of the result in each strip but the last one, which may have fewer.
  std::int64_t strips = 0;
  std::int64_t input_rows = 0;  ///< The largest number of rows of the input that a strip needs.
  std::size_t bytes = 0;        ///< The most memory that the run adds to what the process has.
};

/// Plans the largest strips for which the run takes at most `memory` bytes. `beside` says how many bytes reading and
/// writing take for strips of so many rows, which are multiples of `rows_together`. Throws UsageError for an algorithm
/// or parameters whose results cannot be cut, and EnvironmentError if the thinnest strips need more memory.
[[nodiscard]] RowPlan plan_rows(const RunRequest& request, const Shape& input, std::int64_t rows_together,
                                const std::function<std::size_t(std::int64_t)>& beside, std::size_t memory);

struct RowTimes {
  StageTimes run;
  double read_ms = 0.0, write_ms = 0.0;
};
/// Runs a plan for these files. Throws what Runner::run() and the files throw.
RowTimes run_rows(Runner& runner, const RunRequest& request, const RowPlan& plan, RowReader& input, RowWriter& output,
                  const std::stop_token& stop = {}, Progress* progress = nullptr);

}  // namespace threadscape

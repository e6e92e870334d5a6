#pragma once
// Runs whose stages are measured (compute/registry/facets/stages.h).

#include <stop_token>
#include <vector>

#include "compute/registry/facets/stages.h"
#include "compute/run/runner.h"

namespace threadscape {

/// The times of a run by stage, in milliseconds.
struct StageRun {
  std::vector<StageTime> stages;
  /// The whole run without preparation, transfers, and what was done only to be measured.
  double total_ms = 0.0;
  int threads = 1;  ///< The number of threads among which the times of the stages are divided.
  /// What no stage has: waiting of threads, launches, memory.
  [[nodiscard]] double rest_ms() const;
};

/// Runs the request once to warm up, then repeatedly: up to `runs` times, or for `seconds`, at least once. Returns the
/// run whose total is the median. The algorithm must have the facet. Throws what a run throws.
[[nodiscard]] StageRun measure_stages(Runner& runner, const RunRequest& request, HostIn input,
                                      const std::stop_token& stop, int runs, double seconds);

}  // namespace threadscape

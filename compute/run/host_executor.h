#pragma once
// Runs the serial and openmp backends, on the thread that calls.

#include <stop_token>

#include "compute/core/timings.h"
#include "compute/run/memory_plan.h"

namespace threadscape {

/// Keeps the scratch memory between runs. Not thread-safe; use one per thread.
class HostExecutor {
 public:
  /// The memory that the executor keeps for the next runs.
  [[nodiscard]] MemoryPlan held() const { return {.host_scratch = scratch_.size()}; }
  /// Runs a request that check() accepts, with the preparation that it needs. `output` has the shape that
  /// AlgorithmInfo::output_shape() says, with any pitch. Throws EnvironmentError when memory is short, Cancelled when
  /// `stop` was requested. `progress` may be null.
  StageTimes run(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop,
                 Progress* progress);

 private:
  HostScratch scratch_;
};

}  // namespace threadscape

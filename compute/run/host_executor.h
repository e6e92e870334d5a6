#pragma once
// Runs the serial and openmp backends, on the thread that calls.

#include <stop_token>

#include "compute/core/machine.h"
#include "compute/core/timings.h"
#include "compute/run/memory_plan.h"
#include "compute/run/short_runs.h"

namespace threadscape {

/// Keeps the scratch memory between runs, and gives a large block back once several runs in a row have needed much
/// less. Not thread-safe; use one per thread.
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
  /// Gives the scratch memory back if runs have not needed it for a while. `bytes` is what the next run needs.
  void give_back_unused(std::size_t bytes);

  HostScratch scratch_;
  ShortRuns short_runs_{hardware_threads()};
  int small_runs_ = 0;  ///< Runs in a row that have needed less than a quarter of the scratch memory.
};

}  // namespace threadscape

#pragma once
// Runs an algorithm from host memory to host memory on any backend, and waits for the result: for the command line, the
// benchmark, `verify` and the tests.

#include <memory>
#include <stop_token>

#include "compute/core/machine.h"
#include "compute/run/device_executor.h"
#include "compute/run/host_executor.h"

namespace threadscape {

struct RunResult {
  HostArray output;
  StageTimes times;
};

/// Keeps an executor for the host and one for a device between runs. Not thread-safe; use one per thread.
class Runner {
 public:
  /// Checks parameters and memory, runs, waits. Throws UsageError, EnvironmentError, BackendAbsent, Cancelled.
  /// `progress` may be null. Makes the preparation where the request needs and lacks it; that time is compute time.
  [[nodiscard]] RunResult run(const RunRequest& request, HostIn input, const std::stop_token& stop = {},
                              Progress* progress = nullptr);
  /// Runs into memory of the caller, of the shape that AlgorithmInfo::output_shape() says and any pitch; otherwise
  /// equal to run().
  StageTimes run_into(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop = {},
                      Progress* progress = nullptr);

 private:
  /// Throws what threadscape::check() throws.
  void check(const RunRequest& request);
  /// The executor on the device of the request. That of another device, or of one that was lost, is given up.
  DeviceExecutor& executor_for(const RunRequest& request);
  /// Refuses what does not fit before its first byte is allocated.
  void require(const RunRequest& request, const MemoryPlan& need);
  /// Runs a checked request that holds the preparation that it needs.
  StageTimes run_prepared(const RunRequest& request, HostIn input, HostOut output, const std::stop_token& stop,
                          Progress* progress);
  StageTimes run_on_device(const RunRequest& request, HostIn input, HostOut output);

  HostExecutor host_;
  std::unique_ptr<DeviceExecutor> executor_;
};

}  // namespace threadscape

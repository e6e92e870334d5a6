#pragma once
// The kernels that an algorithm launches, under the microscope.

#include <cstdint>
#include <string_view>

#include "app/bench/bench_plan.h"
#include "app/cli/microscope_report.h"
#include "app/session/run_options.h"

namespace threadscape::app {

/// Executes launches under the microscope and adds each to the kernel of a report that it belongs to.
class LaunchObserver {
 public:
  /// Kernels that take more than so many instructions of warps together are ended. `cubin` is their machine code, if it
  /// is known; it must outlive the observer.
  LaunchObserver(std::uint64_t instructions, MicroscopeReport& report, std::string_view cubin = {})
      : left_(instructions), report_(report), cubin_(cubin) {}
  /// Faults are in the report alone, so that the run goes on.
  warp::LaunchResult launch(const warp::LaunchRequest& request);

 private:
  std::uint64_t left_;
  MicroscopeReport& report_;
  std::string_view cubin_;
};

/// Runs the algorithm's CUDA variant on the emulated device, on an input of this size as `bench` makes it, and adds the
/// kernels that it launches to the report. Faults do not end the run. Throws BackendAbsent where this build has no
/// kernels, UsageError, and EnvironmentError for what the machine does not know and for a run of more than
/// `instructions` instructions of warps.
void observe_run(const AlgorithmOptions& options, const Extent& size, std::uint64_t instructions,
                 MicroscopeReport& report);

}  // namespace threadscape::app

#pragma once
// The kernels that an algorithm launches, under the microscope.

#include <cstdint>

#include "app/bench/bench_plan.h"
#include "app/cli/microscope_report.h"
#include "app/session/run_options.h"

namespace threadscape::app {

/// Runs the algorithm's CUDA variant on the emulated device, on an input of this size as `bench` makes it, and adds the
/// kernels that it launches to the report. `races` looks for races in global memory. Faults do not end the run. Throws
/// BackendAbsent where this build has no kernels, UsageError, and EnvironmentError for what the machine does not know
/// and for a run of more than `instructions` instructions of warps.
void observe_run(const AlgorithmOptions& options, const Extent& size, std::uint64_t instructions, bool races,
                 MicroscopeReport& report);

}  // namespace threadscape::app

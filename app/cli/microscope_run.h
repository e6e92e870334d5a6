#pragma once
// The kernels that an algorithm or a sketch launches, under the microscope.

#include <stop_token>

#include "app/bench/bench_plan.h"
#include "app/cli/microscope_report.h"
#include "app/session/run_options.h"

namespace threadscape::app {

/// Runs the algorithm's CUDA variant on the emulated device, on an input of this size as `bench` makes it, and adds the
/// kernels that it launches to the report. `wanted` says what is looked for; its run is made from the options. Faults
/// do not end the run. `counters` is a GPU that makes and counts the run, too; null = none. Throws BackendAbsent where
/// this build has no kernels, UsageError, and EnvironmentError for what the machine does not know, for a run of too
/// many instructions of warps, and for a GPU that cannot count.
void observe_run(const AlgorithmOptions& options, const Extent& size, ObserveRequest wanted, gpu::Device* counters,
                 MicroscopeReport& report);

/// Executes the kernels of a sketch on the CPU, on a made input of the type that its head states, and adds them to the
/// report, whose file and source it sets. `sketch` is a row of the registry; of the options the parameters, the preset,
/// the seed and the threads count. `wanted` says what is looked for; faults do not end the run. Throws UsageError for a
/// twin and for wrong parameters, and what compiling and running a sketch throws.
void observe_sketch_run(const AlgorithmInfo& sketch, const AlgorithmOptions& options, const Extent& size,
                        ObserveRequest wanted, MicroscopeReport& report, const std::stop_token& stop);

}  // namespace threadscape::app

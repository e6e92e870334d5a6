#pragma once
// Sketches on a GPU, in a process of their own (compute/sketch/gpu/main.cpp), which a kernel that hangs or faults ends.

#include <chrono>
#include <stop_token>
#include <string>
#include <vector>

#include "compute/sketch/kernels.h"
#include "compute/sketch/plan.h"

namespace threadscape::sketch {

/// The first GPU, as its driver describes it.
struct Gpu {
  std::string name;      ///< "" if there is none that can be used.
  int capability = 0;    ///< The compute capability, times ten.
  std::string obstacle;  ///< Why there is none.
};

/// Returns whether a driver of GPUs is installed, without asking it for anything.
[[nodiscard]] bool has_gpu_driver();
/// Asks the driver in a process of its own, once.
[[nodiscard]] const Gpu& gpu();

/// Starts a process that makes the first GPU ready and waits for the next run_on_gpu(), and one after each run from
/// then on: that takes drivers some tenths of a second. It runs none of a sketch's code before.
void prepare_gpu();

struct GpuRun {
  int repetitions = 1;
  std::stop_token stop = {};
  std::chrono::milliseconds time{10'000};  ///< Elapsed time, after which the process is ended.
};

/// Makes all calls of a plan, whose input is in the arena, on the first GPU. `kernels` are compiled for its capability.
/// Returns the milliseconds of each repetition. Throws Error with exit code 1 for kernels that fail or do not end,
/// EnvironmentError without a GPU, and Cancelled.
std::vector<double> run_on_gpu(const Sketch& sketch, const Kernels& kernels, const std::vector<Value>& values,
                               const Plan& plan, const Arena& arena, const GpuRun& run);

}  // namespace threadscape::sketch

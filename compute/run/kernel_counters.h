#pragma once
// What a GPU counts for the kernels of a run, under the names that the microscope's counts have.

#include <array>
#include <cstddef>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "compute/gpu/counters.h"

namespace threadscape::cuda {

/// A figure that a GPU counts.
struct CounterFigure {
  std::string_view name;    ///< In JSON; as docs/MICROSCOPE.md names it if the microscope has it, too.
  std::string_view metric;  ///< The name of Nsight Compute.
  bool mean = false;        ///< Several launches have the mean of their values instead of the sum.
};
[[nodiscard]] std::span<const CounterFigure> counter_figures();

/// What warps wait for.
struct StallReason {
  std::string_view name;   ///< The name of Nsight Compute.
  std::string_view title;  ///< In a sentence: "warps wait for ...".
};
[[nodiscard]] std::span<const StallReason> stall_reasons();

/// Launches of one kernel with one grid and one block during one run.
struct CountedKernel {
  std::string name;         ///< The name that KernelFacts has.
  std::string symbol = {};  ///< The kernel as object files name it; "" if it was read from a report.
  int launches = 0;
  std::array<unsigned, 3> grid = {}, block = {};
  std::map<std::string, double> counts = {};  ///< By CounterFigure::name, without those that the GPU does not have.
  std::map<std::string, double> stalls = {};  ///< By StallReason::name: percent of the time of a warp, above 0.
  /// The count with this name; unset if the GPU does not have it.
  [[nodiscard]] std::optional<double> count(const std::string& name) const;
};

/// The kernels of a run in the order of their first launches.
struct CountedRun {
  std::vector<CountedKernel> kernels = {};
  std::size_t left_out = 0;   ///< Number of later launches, which were not counted.
  std::string why_none = {};  ///< Why nothing was counted, where that was wanted.
};

/// The metrics that a counted run is made of.
[[nodiscard]] std::vector<std::string> counter_metrics();
/// Makes a run of the values of counter_metrics() for each launch.
[[nodiscard]] CountedRun counted_run(const gpu::RunCounts& counts);

}  // namespace threadscape::cuda

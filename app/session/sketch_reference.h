#pragma once
// The result that a sketch is to equal, of the input as the kernels of the sketch read it.

#include <memory>
#include <optional>

#include "compute/run/runner.h"

namespace threadscape::app {

/// The run of the algorithm that a sketch names as making equal results, for these parameters of the sketch. An input
/// that the sketch takes in other colours or numbers is converted before: a sketch that reads grey gets the luma of a
/// photo, and so does the algorithm. It runs on the CPU with all threads. Nothing if the sketch names no algorithm, or
/// another sketch, or one that reads other data. Throws UsageError for what the algorithm does not take.
[[nodiscard]] std::optional<RunRequest> converted_reference_run(const AlgorithmInfo& row, const ParamBox& params);

}  // namespace threadscape::app

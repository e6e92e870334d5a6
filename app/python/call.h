#pragma once
// A call of an algorithm from Python: from its arguments to the result.

#include <nanobind/nanobind.h>

#include <cstdint>

#include "compute/run/run_request.h"

namespace threadscape::python {

/// The checked request that these options state; `out` is left out. Throws what call() throws for them.
[[nodiscard]] RunRequest request_of(const AlgorithmInfo& algorithm, const nanobind::dict& options);
/// Runs the algorithm on one array, or on none if it takes or gets none, and returns the result: an array of NumPy, or
/// of the library whose array lies in the memory of a device, the array `out`, or a number for scalars. Options are the
/// parameters of the algorithm, and backend, variant, threads, device, stream, seed and out. Other threads of Python
/// run meanwhile. Throws what Runner::run() throws, and UsageError for arguments that do not fit.
[[nodiscard]] nanobind::object call(const AlgorithmInfo& algorithm, const nanobind::tuple& arrays,
                                    const nanobind::dict& options);
/// Computes `count` layers of a volume from `first` on, as an array of NumPy, from all of an array in host memory.
/// Throws what Runner::run_part_into() throws.
[[nodiscard]] nanobind::object make_layers(const AlgorithmInfo& algorithm, const nanobind::object& array,
                                           std::int64_t first, std::int64_t count, const nanobind::dict& options);
/// Runs it `runs` times after a run to warm up, into the same memory, and returns the milliseconds of each run.
[[nodiscard]] nanobind::list measure(const AlgorithmInfo& algorithm, int runs, const nanobind::tuple& arrays,
                                     const nanobind::dict& options);

}  // namespace threadscape::python

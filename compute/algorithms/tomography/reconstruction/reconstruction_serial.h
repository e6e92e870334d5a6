#pragma once
// Filtered backprojection in double, the reference.

#include <span>

#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_memory.h"

namespace threadscape::reconstruction {

/// Scratch memory in bytes of fdk_serial().
[[nodiscard]] std::size_t fdk_serial_bytes(const Geometry& measured);
/// Computes a share: `run.in` has its views alone, and `run.out` its layers alone. `voxels` are the sums of these
/// layers, which the caller keeps from share to share.
void fdk_serial(const Reconstruction::Params& params, const Geometry& geometry, const FdkShare& share,
                std::span<double> voxels, const HostRun& run);

}  // namespace threadscape::reconstruction

#pragma once
// The methods of reconstruction on the CPU, with all cores and SIMD, and the scratch memory in bytes that each takes.

#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_memory.h"

namespace threadscape::reconstruction {

[[nodiscard]] std::size_t fdk_scratch_bytes(const Geometry& geometry, const FdkShare& share);
[[nodiscard]] std::size_t sirt_scratch_bytes(const Geometry& geometry, bool tv);
/// Computes a share: `run.in` has its views alone, and `run.out` its layers alone, which hold the sums of the views
/// before, if the share does not begin with the first one.
void fdk_openmp(const Reconstruction::Params& params, const Geometry& geometry, const FdkShare& share,
                const HostRun& run);
void sirt_openmp(const Reconstruction::Params& params, const Geometry& geometry, const HostRun& run);

}  // namespace threadscape::reconstruction

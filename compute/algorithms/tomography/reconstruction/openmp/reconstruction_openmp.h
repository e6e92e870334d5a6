#pragma once
// The methods of reconstruction on the CPU, with all cores and SIMD, and the scratch memory in bytes that each takes.

#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"

namespace threadscape::reconstruction {

[[nodiscard]] std::size_t fdk_scratch_bytes(const Geometry& geometry);
[[nodiscard]] std::size_t sirt_scratch_bytes(const Geometry& geometry);
void fdk_openmp(const Reconstruction::Params& params, const Geometry& geometry, const HostRun& run);
void sirt_openmp(const Reconstruction::Params& params, const Geometry& geometry, const HostRun& run);

}  // namespace threadscape::reconstruction

#pragma once
// The methods of reconstruction on the GPU. Each runs the parts run.parts.

#include "compute/algorithms/tomography/projection/cuda/projection_cuda.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_memory.h"

namespace threadscape::reconstruction {

using projection::ViewStore;  // the destination of voxels here, indexed (x, z, y)

void fdk_cuda(const Reconstruction::Params& params, const Geometry& geometry, const DeviceRun& run);
void sirt_cuda(const Reconstruction::Params& params, const Geometry& geometry, const DeviceRun& run);

}  // namespace threadscape::reconstruction

#pragma once

#include "compute/projection/projection_cuda.h"
#include "compute/reconstruction/reconstruction_math.h"
#include "compute/reconstruction/reconstruction_memory.h"

namespace threadscape::reconstruction {

using projection::ViewStore;  // of voxels here

void fdk_cuda(const Reconstruction::Params& params, const Geometry& geometry, const DeviceRun& run);
void sirt_cuda(const Reconstruction::Params& params, const Geometry& geometry, const DeviceRun& run);

}  // namespace threadscape::reconstruction

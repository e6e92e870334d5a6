#include "compute/algorithms/tomography/projection/projection_layers.h"
#include "compute/core/layers.h"
#include "compute/gpu/device.h"

namespace threadscape::projection {

void project_layers_cuda(const LayerPlan&, const LayerRun& run) {
  run.device->require();
}

void count_voxels_cuda(const Geometry&, const LayerRun& run) {
  run.device->require();
}

}  // namespace threadscape::projection

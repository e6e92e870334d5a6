#include "compute/cuda/device.h"
#include "compute/projection/projection_layers.h"

namespace threadscape::projection {

void project_layers_cuda(const LayerPlan&, const LayerRun&) {
  cuda::require_device();
}

}  // namespace threadscape::projection

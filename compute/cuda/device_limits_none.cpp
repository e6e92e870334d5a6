// Builds without CUDA have no device.

#include "compute/cuda/device_limits.h"

namespace threadscape::cuda {

std::vector<DeviceLimit> device_limits() {
  return {};
}

}  // namespace threadscape::cuda

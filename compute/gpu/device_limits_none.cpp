// Builds without CUDA have no device.

#include "compute/gpu/device_limits.h"

namespace threadscape::cuda {

std::vector<DeviceLimit> device_limits() {
  return {};
}

}  // namespace threadscape::cuda

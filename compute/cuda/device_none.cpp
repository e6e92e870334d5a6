#include "compute/core/errors.h"
#include "compute/cuda/device.h"

namespace threadscape::cuda {

const DeviceInfo& device_info() {
  static const DeviceInfo info = [] {
    DeviceInfo device;
    device.reason = "this build has no CUDA code";
    return device;
  }();
  return info;
}

std::size_t free_device_bytes() {
  return 0;
}

void require_device() {
  throw BackendAbsent("backend cuda is not available: " + device_info().reason + "; use serial or openmp");
}

void retire_device(const std::string&) {}

}  // namespace threadscape::cuda

#include "compute/gpu/device_query.h"

namespace threadscape::cuda {

DeviceInfo query_device() {
  DeviceInfo device;
  device.reason = "this build has no CUDA code";
  return device;
}

std::size_t query_free_bytes() {
  return 0;
}

void reset_device() {}

}  // namespace threadscape::cuda

#include <stdexcept>

#include "compute/core/scratch.h"
#include "compute/gpu/device.h"

namespace threadscape {

void* DeviceMemory::allocate(std::size_t) {
  cuda::require_device();  // throws: there is none in this build
  return nullptr;
}

void DeviceMemory::release(void*) {}

void DeviceMemory::exhausted(std::size_t, std::size_t) {
  throw std::logic_error("device memory without a device");
}

}  // namespace threadscape

// Builds without CUDA have no devices.

#include "compute/gpu/device.h"

namespace threadscape::gpu {

Devices& devices() {
  static Devices none({}, "this build has no CUDA code");
  return none;
}

}  // namespace threadscape::gpu

#include "compute/gpu/device.h"
#include "compute/run/device_executor.h"

namespace threadscape {

std::unique_ptr<DeviceExecutor> make_cuda_executor() {
  cuda::require_device();
  throw BackendAbsent("backend cuda is not available: this build has no CUDA code");
}

}  // namespace threadscape

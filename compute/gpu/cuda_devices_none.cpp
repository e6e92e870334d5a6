// Builds without CUDA have no GPUs.

#include "compute/core/errors.h"
#include "compute/gpu/device.h"
#include "compute/gpu/host_device.h"
#include "compute/gpu/launcher.h"

namespace threadscape::gpu {

Devices& devices() {
  static Devices none(host_devices(),
                      "this build has no CUDA code; THREADSCAPE_CUDA=ON scripts/run builds it, with the CUDA Toolkit");
  return none;
}

CallersDevice::CallersDevice() = default;

CallersDevice::~CallersDevice() {
  Device::forget_current();
}

void launch_by(Launcher /*launcher*/, bool /*watched*/) {
  throw BackendAbsent(
      "this build has no CUDA kernels; with the CUDA Toolkit, and without a GPU, THREADSCAPE_CUDA=ON scripts/run "
      "builds "
      "them");
}

std::string ptx_of(const warp::Module& /*module*/) {
  return {};
}

}  // namespace threadscape::gpu

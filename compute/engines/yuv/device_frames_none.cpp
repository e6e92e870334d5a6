#include "compute/engines/yuv/device_frames.h"
#include "compute/gpu/device.h"

namespace threadscape::cuda {

std::unique_ptr<DeviceFrames> make_device_frames() {
  require_device();  // It throws in builds without CUDA.
  return nullptr;
}

}  // namespace threadscape::cuda

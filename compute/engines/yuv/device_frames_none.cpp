#include "compute/engines/yuv/device_frames.h"
#include "compute/gpu/device.h"

namespace threadscape::cuda {

std::unique_ptr<DeviceFrames> make_device_frames(gpu::Device& device) {
  device.require();
  return nullptr;
}

}  // namespace threadscape::cuda

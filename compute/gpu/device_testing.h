#pragma once
// For tests of what happens around a device, on machines and in builds without one.

#include <cstddef>
#include <memory>

#include "compute/gpu/device.h"

namespace threadscape::cuda {

/// While an object of this class lives, device_info() describes an available device that is not retired, and
/// free_device_bytes() returns `free_bytes`. The destructor restores the state from before, retirement included: what
/// was retired meanwhile is forgotten. No kernel can run on a pretended device: use it with a DeviceExecutor that
/// computes on the host.
class PretendedDevice {
 public:
  explicit PretendedDevice(std::size_t free_bytes = std::size_t{1} << 30);
  ~PretendedDevice();
  PretendedDevice(const PretendedDevice&) = delete;
  PretendedDevice& operator=(const PretendedDevice&) = delete;

 private:
  struct Saved;
  std::unique_ptr<Saved> saved_;
};

}  // namespace threadscape::cuda

#pragma once
// The GPU as the rest of the program sees it. Also present in builds without CUDA (device_none.cpp).

#include <cstddef>
#include <string>

namespace threadscape::cuda {

struct DeviceInfo {
  bool compiled = false;   ///< this build has CUDA code
  bool available = false;  ///< and there is a device that runs it
  std::string reason;      ///< why not, or "" when available
  int index = 0;
  std::string name;
  int compute_major = 0, compute_minor = 0;
  int multiprocessors = 0;
  std::size_t total_bytes = 0;
  int driver_version = 0, runtime_version = 0;  ///< 13000 = 13.0
  int l2_bytes = 0;
  int memory_clock_khz = 0, bus_width_bits = 0;
};

/// Asked once and kept. `reason` holds what the driver said when there is no device.
[[nodiscard]] const DeviceInfo& device_info();
/// Free bytes of device memory now; 0 without a device.
[[nodiscard]] std::size_t free_device_bytes();
/// Throws BackendAbsent with the reason when CUDA cannot be used, also after a sticky error.
void require_device();
/// Called when a sticky error was caught: from now on require_device() refuses.
void retire_device(const std::string& reason);

}  // namespace threadscape::cuda

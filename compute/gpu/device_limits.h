#pragma once
// The limits of the CUDA device: what a launch, a block, a multiprocessor and the memory allow.

#include <cstdint>
#include <string_view>
#include <vector>

namespace threadscape::cuda {

struct DeviceLimit {
  std::string_view name;   ///< In JSON, for example "max_threads_per_block".
  std::string_view title;  ///< For people, for example "threads per block".
  std::int64_t value = 0;
  std::string_view unit;  ///< "bytes", "kHz", "bits", "bytes/s" or "" for numbers of things.
};

/// The limits of the device that the program uses, in groups: launch, block, multiprocessor, memory, clocks. Empty
/// without a device. Properties that the driver does not tell are left out.
[[nodiscard]] std::vector<DeviceLimit> device_limits();

}  // namespace threadscape::cuda

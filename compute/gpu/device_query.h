#pragma once
// What device.cpp asks of the CUDA runtime. The functions are implemented in device_query.cpp, or in
// device_query_none.cpp for builds without CUDA.

#include <cstddef>

#include "compute/gpu/device.h"

namespace threadscape::cuda {

/// Looks for a device that runs this build, and creates its context.
[[nodiscard]] DeviceInfo query_device();
/// Free bytes of device memory; 0 when the runtime does not tell.
[[nodiscard]] std::size_t query_free_bytes();
/// Destroys the context of the device.
void reset_device();

}  // namespace threadscape::cuda

#pragma once

#include <functional>

#include "compute/gpu/device.h"
#include "compute/run/kernel_facts.h"

namespace threadscape::cuda {

/// The kernels that `queue` queues on the stream. They are recorded instead of executed. Empty if what is queued cannot
/// be recorded, because it waits for the device, and for devices without kernels.
[[nodiscard]] Kernels record_kernels(CudaStream stream, const std::function<void()>& queue);

}  // namespace threadscape::cuda

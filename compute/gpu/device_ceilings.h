#pragma once
// The limits of the GPU that a roofline draws, each measured by a kernel that does nothing else.

#include "compute/core/ceilings.h"
#include "compute/gpu/device.h"

namespace threadscape::cuda {

/// Measures the device within about 0.1 s. Reading is from "memory", "L2" and "shared memory". Arithmetic is "FP32",
/// fused multiply-adds of single numbers, and on devices with such tensor cores "tensor FP16" and "tensor INT8": matrix
/// products by single warps (mma.sync), as the kernels of this program use them. From compute capability 9.0 on, groups
/// of four warps (wgmma) compute faster than that. Empty
/// for a device that runs no kernels. Throws BackendAbsent if the device cannot be used, EnvironmentError if its memory
/// does not suffice.
[[nodiscard]] MeasuredCeilings device_ceilings(gpu::Device& device);

}  // namespace threadscape::cuda

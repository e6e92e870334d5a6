#pragma once
// The conversion of video frames in YUV 4:2:0 to RGB on the GPU. Compare with compute/core/yuv.h.

#include "compute/core/device_run.h"
#include "compute/core/yuv.h"

namespace threadscape::cuda {

/// Queues the conversion of planes in device memory to a picture of RGBA bytes of their size, with the bits of
/// yuv_to_rgba_serial(). Throws UsageError for a sink of another shape, and EnvironmentError if the kernel cannot be
/// queued.
void yuv_to_rgba(const YuvPlanes& planes, const DeviceSink& picture, CudaStream stream);

}  // namespace threadscape::cuda

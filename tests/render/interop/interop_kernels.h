#pragma once

#include <cstdint>

#include "compute/core/run.h"

namespace threadscape::testing {

/// Pixel (x, y) gets the value x + 3 y + `phase` in each channel, plus the channel's number, reduced to what the type
/// holds: what every store must have done to the bit. Also computed on the host.
[[nodiscard]] HostArray pattern(const Shape& shape, int phase);

/// Stores pattern() by a kernel to a surface or to linear memory. Throws BackendAbsent in builds without CUDA.
void draw_pattern(const DeviceSink& sink, int phase, CudaStream stream);

/// In volumes of one channel, voxel (x, y, z) gets what pixel (x, y) of a picture with phase `phase` + 7 z gets.
[[nodiscard]] HostArray volume_pattern(const Shape& shape, int phase);
void draw_volume_pattern(const DeviceSink& sink, int phase, CudaStream stream);

}  // namespace threadscape::testing

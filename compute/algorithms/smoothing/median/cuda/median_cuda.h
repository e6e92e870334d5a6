#pragma once
// The CUDA launchers of the median, one per file.

#include "compute/algorithms/smoothing/median/median.h"
#include "compute/engines/planes/planes.h"

namespace threadscape::median {

/// Medians of 8-bit pictures by sorting networks, windows of 5x5, 7x7 and 9x9; median_networks_bytes.cu.
void launch_byte_networks(const Plan& plan, const DeviceRun& run);
/// Medians of float pictures by sorting networks, windows from 3x3 to 9x9; median_networks_floats.cu.
void launch_float_networks(const Plan& plan, const DeviceRun& run);

/// Any percentile and window of 8-bit pictures, by histograms of columns; the time hardly depends on the size of the
/// window. median_histogram.cu.
void launch_histograms(const Plan& plan, const DeviceRun& run);

/// Any percentile, one thread per pixel with a list of its own, which it sorts or searches: windows up to 9x9, any type
/// of pixels. median_lists.cu.
void launch_lists(bool sort, const Plan& plan, const DeviceRun& run);

enum class Rung { global, shared };
/// Any percentile, window and type of pixels, one thread per pixel; median_ladder.cu. These are the teaching variants;
/// Rung::shared is also the default way for floats where there is no network.
void launch_rung(Rung rung, const Plan& plan, const DeviceRun& run);

}  // namespace threadscape::median

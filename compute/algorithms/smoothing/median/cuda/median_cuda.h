#pragma once
// The CUDA launchers of the median, one per file.

#include "compute/algorithms/smoothing/median/median.h"
#include "compute/engines/planes/planes.h"

namespace threadscape::median {

/// Medians of windows up to 9x9 by sorting networks, of bytes from 5x5 on. median_networks_bytes.cu,
/// median_networks_floats.cu.
inline constexpr int largest_network = 9;
void launch_byte_networks(const Plan& plan, const DeviceRun& run);
void launch_float_networks(const Plan& plan, const DeviceRun& run);

/// Any percentile and size, for bytes; the time hardly depends on the size. median_histogram.cu.
void launch_histograms(const Plan& plan, const DeviceRun& run);

/// Any percentile, size and type, bit by bit: variant `shared`, and floats beyond the networks. median_bits.cu.
void launch_bits(const Plan& plan, const DeviceRun& run);

}  // namespace threadscape::median

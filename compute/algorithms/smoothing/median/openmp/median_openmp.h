#pragma once
// The algorithms of the OpenMP backend, one per file. Each filters the whole picture, all planes.

#include "compute/algorithms/smoothing/median/median.h"
#include "compute/engines/planes/plane_tile.h"

namespace threadscape::median {

/// Floats are sorted by their keys.
using FloatKey = TotalOrderKey<float>;

/// Finds medians by sorting networks; needs Plan::has_network(). Returns false, and does nothing, on processors without
/// SIMD, where counting values is faster.
bool filter_by_networks(const Plan& plan, const HostRun& run);

/// Finds percentiles of bytes by histograms of columns; the time does not depend on the size of the window.
void filter_by_histograms(const Plan& plan, const HostRun& run);

/// Finds percentiles of floats by their places in the sorted list of all values of a tile, with one bit for each place.
void filter_by_places(const Plan& plan, const HostRun& run);

}  // namespace threadscape::median

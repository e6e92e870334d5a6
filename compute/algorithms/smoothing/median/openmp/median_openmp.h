#pragma once
// The ways of the OpenMP backend, one per file. Each filters all planes of a tile, or of rows y0..y1-1.

#include "compute/algorithms/smoothing/median/median.h"
#include "compute/engines/planes/plane_tile.h"

namespace threadscape::median {

/// Sorting networks, for medians of small windows.
inline constexpr int max_network_size = 9;
[[nodiscard]] inline bool has_network(const Plan& plan) {
  return plan.is_median() && plan.size <= max_network_size;
}
void filter_by_networks(const Plan& plan, const HostRun& run);

/// Histograms of columns, for bytes: the time does not depend on the size.
void filter_by_histograms(const Plan& plan, const HostRun& run);

/// The places of floats among all those of a tile, and one bit for each place.
void filter_by_places(const Plan& plan, const HostRun& run);

}  // namespace threadscape::median

#pragma once
// The definition of a median, shared by all backends: the rank that a percentile stands for. Values are compared by
// total_order_key(), so every backend finds the same bits.

#include "compute/kernel/border.h"
#include "compute/kernel/number_order.h"
#include "compute/kernel/views.h"

namespace threadscape::median {

inline constexpr int min_size = 3, max_size = 75;
inline constexpr int max_radius = max_size / 2;

/// The largest size of windows whose medians are found by sorting networks.
inline constexpr int max_network_size = 9;

/// The parameters of a run, passed to kernels by value.
struct Plan {
  int size = 3;
  int rank = 4;  ///< Index of the result among the size * size values of the window in ascending order.
  Border border = Border::mirror;
  Channels channels = Channels::each;

  [[nodiscard]] TS_HD int radius() const { return size / 2; }
  [[nodiscard]] TS_HD bool is_median() const { return rank == size * size / 2; }
  /// Returns whether the fast backends find the result by a sorting network.
  [[nodiscard]] TS_HD bool has_network() const { return is_median() && size <= max_network_size; }
};

/// The rank of a percentile among `values` values: floor(values * percentile / 100), but at most values - 1, as
/// scipy.ndimage.percentile_filter defines it. 0 is the minimum, 50 the median, 100 the maximum.
constexpr int rank_of(int percentile, int values) {
  const int rank = values * percentile / 100;
  return rank < values ? rank : values - 1;
}

}  // namespace threadscape::median

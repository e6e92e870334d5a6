#pragma once
// What a median is, shared by all backends: the order of values and the rank that a percentile stands for.

#include <cstdint>

#include "compute/core/border.h"
#include "compute/core/views.h"

namespace threadscape::median {

inline constexpr int least_size = 3, largest_size = 75;
inline constexpr int largest_radius = largest_size / 2;

/// Values are compared by their keys. Bytes are their own keys. The key of a float is an integer in the same order,
/// with -0 before +0 and NaNs beyond the infinities of their sign: so the order is total, min and max are exact, and
/// every backend finds the same bits.
TS_HD inline std::uint8_t key_of(std::uint8_t value) {
  return value;
}
TS_HD inline std::int32_t key_of(float value) {
  const auto bits = __builtin_bit_cast(std::int32_t, value);
  return bits ^ ((bits >> 31) & 0x7fffffff);
}
TS_HD inline std::uint8_t value_of(std::uint8_t key) {
  return key;
}
TS_HD inline float value_of(std::int32_t key) {
  return __builtin_bit_cast(float, key ^ ((key >> 31) & 0x7fffffff));
}
template <class Value>
using KeyOf = decltype(key_of(Value{}));

/// The parameters of a run, passed to kernels by value.
struct Plan {
  int size = 3;
  int rank = 4;  ///< of the result among the window's size * size values in ascending order, from 0
  Border border = Border::mirror;
  Channels channels = Channels::each;

  [[nodiscard]] TS_HD int radius() const { return size / 2; }
  [[nodiscard]] TS_HD bool is_median() const { return rank == size * size / 2; }
};

/// floor(values * percentile / 100), at most the last: the rule of scipy.ndimage.percentile_filter. 0 is the minimum,
/// 50 the median, 100 the maximum.
constexpr int rank_of(int percentile, int values) {
  const int rank = values * percentile / 100;
  return rank < values ? rank : values - 1;
}

}  // namespace threadscape::median

#pragma once
// The arithmetic of convolution, shared by all backends: how a window is summed, and the plan of a run. What becomes of
// the sum is in compute/engines/planes/finish.h.
//
// The sum of a window, Order:
//   rows      a float, accumulated in row-major order of the taps, each product rounded before it is added.
//   whole     8-bit pictures and masks that are `exact` (below): the integer sum in units of the mask, rounded once to
//             float. Any order of summation gives it. Below 2^24 nothing rounds, so `rows` gives the same.
//   factors   masks of rank 1, a column times a row: first sums along the columns, then along the row of those sums,
//             each from 0 on, each product rounded before it is added.
// Masks up to 9x9 are `rows`, whatever they are. Larger ones are `whole` if they can be, else `factors` if they have
// rank 1, else `rows`.

#include <cstdint>
#include <type_traits>

#include "compute/core/border.h"
#include "compute/core/views.h"
#include "compute/engines/planes/finish.h"

namespace threadscape::convolution {

inline constexpr int max_size = 63;
inline constexpr int max_radius = max_size / 2;
inline constexpr int max_taps = max_size * max_size;

/// Up to here masks have kernels of their own, unrolled for each size.
inline constexpr int max_small_size = 9;
inline constexpr int max_small_taps = max_small_size * max_small_size;

enum class Order : int { rows, whole, factors };

/// The parameters of a run in the form that all backends use. Host memory only: kernels take what they need of it.
struct Plan {
  int size = 3;
  int radius = 1;
  float taps[max_taps] = {};  ///< row-major, size x size
  Finish finish;
  Border border = Border::mirror;
  Channels channels = Channels::each;

  /// Every tap is a multiple of one power of two, and the sum of absolute taps, in units of it, times 255 is below
  /// 2^24: then every partial sum is a float without rounding, in any order. Masks beyond 9x9: max_exact_sum.
  bool exact = false;
  int units[max_taps] =
      {};  ///< if exact: the taps as integers, taps[i] * 2^shift, all signs turned if the divisor is negative
  int magnitude = 0;  ///< if exact: sum of |units|
  int max_unit = 0;   ///< if exact: largest |unit|
  float unit = 1.0f;  ///< if exact: what one unit stands for, 2^-shift or -2^-shift
  WholeFinish whole;  ///< for sums in units

  /// Masks beyond 9x9 of rank 1, see convolution_factors.h.
  bool factored = false;
  float column[max_size] = {}, row[max_size] = {};
  /// And exact, with integer factors that two passes can take: units[y * size + x] = unit_column[y] * unit_row[x].
  bool whole_factors = false;
  std::int16_t unit_column[max_size] = {}, unit_row[max_size] = {};

  /// For pictures of this type of number.
  template <class Value>
  [[nodiscard]] Order order() const {
    if (size <= max_small_size) return Order::rows;
    if (exact && std::is_same_v<Value, std::uint8_t>) return Order::whole;
    return factored ? Order::factors : Order::rows;
  }
  [[nodiscard]] UnitFinish unit_finish() const { return {finish, whole, unit}; }
};

/// 255 times the magnitude of an exact mask is at most this: 32 bits hold the sum with what finish_whole() adds.
inline constexpr double max_exact_sum = 2145386496.0;  // 2^31 - 2^21

/// A number of a mask: an integer in Order::whole, else a float.
union Tap {
  float real;
  std::int32_t whole;
};

/// The sum of a window, as the definition says. `mask`: size x size taps, or a column and a row in Order::factors.
/// value(x, y) gives the neighbour under tap (x, y) as a number.
template <class Value>
TS_HD float window_sum(Order order, const Tap* mask, int size, float unit, const Value& value) {
  if (order == Order::whole) {
    int sum = 0;
    for (int ky = 0; ky < size; ++ky)
      for (int kx = 0; kx < size; ++kx)
        sum += mask[ky * size + kx].whole * static_cast<int>(value(kx, ky));
    return static_cast<float>(sum) * unit;
  }
  float sum = 0.0f;
  if (order == Order::rows) {
    for (int ky = 0; ky < size; ++ky)
      for (int kx = 0; kx < size; ++kx)
        sum += mask[ky * size + kx].real * static_cast<float>(value(kx, ky));
    return sum;
  }
  for (int kx = 0; kx < size; ++kx) {
    float column_sum = 0.0f;
    for (int ky = 0; ky < size; ++ky)
      column_sum += mask[ky].real * static_cast<float>(value(kx, ky));
    sum += mask[size + kx].real * column_sum;
  }
  return sum;
}

/// The mask as window_sum() takes it: fills max_taps numbers.
inline void fill_mask(const Plan& plan, Order order, Tap* mask) {
  if (order == Order::factors) {
    for (int i = 0; i < plan.size; ++i) {
      mask[i].real = plan.column[i];
      mask[plan.size + i].real = plan.row[i];
    }
    return;
  }
  for (int i = 0; i < plan.size * plan.size; ++i)
    if (order == Order::whole)
      mask[i].whole = plan.units[i];
    else
      mask[i].real = plan.taps[i];
}

}  // namespace threadscape::convolution

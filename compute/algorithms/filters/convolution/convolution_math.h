#pragma once
// The arithmetic of convolution, shared by all backends: the order in which a window is summed, and the plan of a run.
// From the sum to the pixel: compute/kernel/finish.h.
//
// The order of summation decides how float sums round, so it is part of the definition (enum Order):
//   rows      A float, accumulated in row-major order of the taps, where each product is rounded before it is added.
//   whole     For 8-bit pictures and masks with Plan::exact: the integer sum in units of the mask, rounded once to
//             float. Any order of summation gives it. Below 2^24 nothing rounds, so `rows` gives the same.
//   factors   For masks of rank 1, a column times a row: first sums along the columns, then the sum along the row of
//             those sums; each starts from 0, and each product is rounded before it is added.
// Masks up to 9x9 always have the order `rows`. Larger ones have the order `whole` if they can, otherwise `factors` if
// they have rank 1, otherwise `rows`.
//
// With Border::shrink, a window that leaves the picture is summed with zeros outside; that sum, an integer for `whole`,
// goes through completed() before anything else happens to it. Weights are added up in row-major order, and for
// `factors` the sum of the column is multiplied by that of the row.

#include "compute/kernel/border.h"
#include "compute/kernel/finish.h"
#include "compute/kernel/shrink.h"
#include "compute/kernel/views.h"

namespace threadscape::convolution {

inline constexpr int max_size = 63;
inline constexpr int max_radius = max_size / 2;
inline constexpr int max_taps = max_size * max_size;

/// The largest size whose masks have kernels of their own, unrolled for each size.
inline constexpr int max_small_size = 9;
inline constexpr int max_small_taps = max_small_size * max_small_size;

enum class Order : int { rows, whole, factors };

/// The parameters of a run in the form that all backends use. Host memory only: kernels take what they need of it.
struct Plan {
  int size = 3;
  int radius = 1;
  float taps[max_taps] = {};  ///< size x size weights, row by row.
  Finish finish;
  Border border = Border::mirror;
  Channels channels = Channels::each;

  /// If true, every tap is a multiple of one power of two, the unit, and 255 times the sum of the absolute taps in
  /// units is below 2^24: then every partial sum of an 8-bit picture is a float without rounding, in any order. For
  /// masks beyond 9x9 the bound is max_exact_sum.
  bool exact = false;
  // The next five fields are for exact masks.
  int units[max_taps] =
      {};             ///< Taps as integers, taps[i] * 2^shift, with the opposite sign if the divisor is negative.
  int magnitude = 0;  ///< The sum of |units|.
  int max_unit = 0;   ///< The maximum of |units|.
  float unit = 1.0f;  ///< The value of a unit, 2^-shift or -2^-shift.
  WholeFinish whole;  ///< The finish for sums in units.

  /// If true, the mask is larger than 9x9 and has rank 1: taps are column[y] * row[x], see convolution_factors.h.
  bool factored = false;
  float column[max_size] = {}, row[max_size] = {};
  /// If true, the mask is exact as well, with integer factors that the separable engine can take:
  /// units[y * size + x] = unit_column[y] * unit_row[x].
  bool whole_factors = false;
  std::int16_t unit_column[max_size] = {}, unit_row[max_size] = {};

  /// The order of summation for pictures with values of this type.
  template <class Value>
  [[nodiscard]] Order order() const {
    if (size <= max_small_size) return Order::rows;
    if (exact && std::is_same_v<Value, std::uint8_t>) return Order::whole;
    return factored ? Order::factors : Order::rows;
  }
  [[nodiscard]] UnitFinish unit_finish() const { return {finish, whole, unit}; }
};

/// The bound of 255 times the magnitude of an exact mask, 2^31 - 2^21: 32 bits hold the sum and all that finish_whole()
/// adds to it.
inline constexpr double max_exact_sum = 2145386496.0;

/// A weight of a mask: an integer for Order::whole, otherwise a float.
union Tap {
  float real;
  std::int32_t whole;
};

/// The sum of a window, by the definition; units_sum() is that for Order::whole, in units. `mask` holds size x size
/// taps, or a column and a row for Order::factors; value(x, y) returns the neighbour under tap (x, y).
template <class Value>
TS_HD int units_sum(const Tap* mask, int size, const Value& value) {
  int sum = 0;
  for (int ky = 0; ky < size; ++ky)
    for (int kx = 0; kx < size; ++kx)
      sum += mask[ky * size + kx].whole * static_cast<int>(value(kx, ky));
  return sum;
}
template <class Value>
TS_HD float window_sum(Order order, const Tap* mask, int size, float unit, const Value& value) {
  if (order == Order::whole) return static_cast<float>(units_sum(mask, size, value)) * unit;
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

/// The sum of the weights of a mask, as window_sum() takes it, in the columns and rows inside of a picture.
TS_HD inline std::int64_t whole_weight(const Tap* mask, int size, TapsInside columns, TapsInside rows) {
  std::int64_t sum = 0;
  for (int ky = rows.first; ky < rows.end; ++ky)
    for (int kx = columns.first; kx < columns.end; ++kx)
      sum += mask[ky * size + kx].whole;
  return sum;
}
TS_HD inline float real_weight(Order order, const Tap* mask, int size, TapsInside columns, TapsInside rows) {
  float sum = 0.0f, row_sum = 0.0f;
  if (order == Order::factors) {
    for (int ky = rows.first; ky < rows.end; ++ky)
      sum += mask[ky].real;
    for (int kx = columns.first; kx < columns.end; ++kx)
      row_sum += mask[size + kx].real;
    return sum * row_sum;
  }
  for (int ky = rows.first; ky < rows.end; ++ky)
    for (int kx = columns.first; kx < columns.end; ++kx)
      sum += mask[ky * size + kx].real;
  return sum;
}

/// A mask for Border::shrink, with the sum of all of its weights.
struct ShrinkingMask {
  Order order;
  const Tap* mask;
  int size, width, height;  ///< The side of the mask, and the extents of the picture.
  std::int64_t all_whole = 0;
  float all_real = 0.0f;

  TS_HD ShrinkingMask(Order order_, const Tap* mask_, int size_, int width_, int height_)
      : order(order_), mask(mask_), size(size_), width(width_), height(height_) {
    const TapsInside all(size, 0, size);
    if (order == Order::whole)
      all_whole = whole_weight(mask, size, all, all);
    else
      all_real = real_weight(order, mask, size, all, all);
  }
  /// completed() for the sum of the window whose first pixel is (left, top): a sum of units for Order::whole.
  [[nodiscard]] TS_HD int complete(int sum, int left, int top) const {
    return completed(sum, all_whole, whole_weight(mask, size, {size, left, width}, {size, top, height}));
  }
  [[nodiscard]] TS_HD float complete(float sum, int left, int top) const {
    return completed(sum, all_real, real_weight(order, mask, size, {size, left, width}, {size, top, height}));
  }
};

/// Fills `mask`, room for max_taps weights, with the mask as window_sum() takes it.
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

#pragma once
// A plan in the form that the SIMD code takes: 8-bit weights in pairs, divisions as products.

#include <cstdint>

#include "compute/core/run.h"
#include "compute/engines/separable/separable.h"

namespace threadscape::separable {

/// Rows of a band where there are enough bands for all threads. Column sums start anew in each band, so bands are tall.
inline constexpr int tall_band = 128;

/// How a mean is updated from one row to the next. sum + count / 2 = count * mean + remainder with 0 <= remainder <
/// count. When the window moves down, the change of its sum is added to the remainder, and as many whole counts as the
/// remainder then holds move on to the mean. So nothing needs more than 16 bits, whatever the size. Remainders are kept
/// with bias * count added, which makes them positive before the division, n / count = ((n * factor) >> 16) >> shift.
struct MeanSteps {
  std::uint16_t count = 1, factor = 0, bias = 0;
  int shift = 0;
  int rows = 0;  ///< Number of rows that may be added to an empty window before the next update.

  /// With factor = (2^(16 + shift) + e) / count the quotient is too large by n e / (count 2^(16 + shift)), which must
  /// stay below 1 / count. (Granlund, Montgomery: Division by Invariant Integers using Multiplication, 1994.)
  constexpr explicit MeanSteps(int size) : count(static_cast<std::uint16_t>(size * size)) {
    while ((2 << shift) <= count)
      ++shift;
    const std::int32_t power = std::int32_t{1} << (16 + shift);
    factor = static_cast<std::uint16_t>(power / count + 1);
    bias = static_cast<std::uint16_t>((255 + size - 1) / size);
    const std::int32_t exact = (power - 1) / (factor * count - power), largest = exact < 65535 ? exact : 65535;
    const std::int32_t by_remainder = (largest - (bias + 1) * count) / (255 * size);
    const std::int32_t by_mean = 126 * size / 255;  // Over this many rows, a mean changes by less than 128.
    rows = by_remainder < by_mean ? by_remainder : by_mean;
  }
  constexpr MeanSteps() = default;
};
inline constexpr int max_mean_size = 31;
/// Returns whether MeanSteps has room for at least one row per update at every size.
constexpr bool means_are_exact() {
  for (int size = 3; size <= max_mean_size; size += 2)
    if (MeanSteps(size).rows < 1) return false;
  return true;
}
static_assert(means_are_exact());

struct SimdPlan {
  Plan plan;
  /// Pairs of neighbouring taps in 32-bit lanes, radius + 1 of them. The 2 radius + 1 taps are filled up with a 0:
  /// behind them for rows or columns of results with even numbers [0], before them for odd numbers [1]. So an even and
  /// the next odd result multiply the same pairs of values.
  std::int32_t column_pairs[max_terms][2][max_radius + 1] = {};
  std::int32_t row_pairs[max_terms][2][max_radius + 1] = {};
  bool symmetric = true;  ///< Every column is symmetric about its middle.
  /// For symmetric columns: pairs of the taps at distances 0 and 1, 2 and 3, ... from the middle.
  std::int32_t distance_pairs[max_terms][max_radius / 2 + 1] = {};
  bool coarse = false;   ///< Symmetric smoothing by 3x3 or 5x5 taps of 12 bits, which separable_coarse-inl.h computes.
  int window_shift = 0;  ///< Number of bits that the first rounding in finish_window() removes.
  int start = 0;         ///< The number that this rounding adds.

  MeanSteps steps;       ///< For Plan::equal.
  int max_change = 255;  ///< For Plan::equal: where the mean differs more from the pixel, the pixel stays.

  explicit SimdPlan(const Plan& plan);

 private:
  [[nodiscard]] bool has_coarse_taps() const;
};

inline bool SimdPlan::has_coarse_taps() const {
  constexpr int bits = 12, shift = 8;
  const bool smooth = plan.result == Result::smooth && plan.terms == 1 && !plan.equal && !plan.in_floats && !plan.wide;
  const auto fits = [this](const std::int16_t* taps) {
    // No tap is negative, so those on one side add up to at most half of all; sums of differences then fit 16 bits.
    int sum = 0;
    for (int i = 0; i <= 2 * plan.radius; ++i) {
      const bool outer = i != plan.radius;
      if (taps[i] < 0 || (outer && taps[i] >= 1 << (bits - 1)) || taps[i] != taps[2 * plan.radius - i]) return false;
      sum += taps[i];
    }
    return sum == 1 << bits;
  };
  return (plan.radius == 1 || plan.radius == 2) && smooth && plan.shift == shift && plan.bits == 2 * bits - shift &&
         fits(plan.whole.column[0]) && fits(plan.whole.row[0]);
}

inline SimdPlan::SimdPlan(const Plan& from) : plan(from) {
  const auto pair = [](int low, int high) {
    return static_cast<std::int32_t>((static_cast<std::uint32_t>(low) & 0xffff) | static_cast<std::uint32_t>(high)
                                                                                      << 16);
  };
  const int size = 2 * plan.radius + 1;
  for (int term = 0; term < plan.terms; ++term) {
    const auto tap = [size](const std::int16_t* taps, int i) { return i >= 0 && i < size ? int{taps[i]} : 0; };
    const std::int16_t *column = plan.whole.column[term], *row = plan.whole.row[term];
    for (int i = 0; i <= plan.radius; ++i) {
      column_pairs[term][0][i] = pair(tap(column, 2 * i), tap(column, 2 * i + 1));
      column_pairs[term][1][i] = pair(tap(column, 2 * i - 1), tap(column, 2 * i));
      row_pairs[term][0][i] = pair(tap(row, 2 * i), tap(row, 2 * i + 1));
      row_pairs[term][1][i] = pair(tap(row, 2 * i - 1), tap(row, 2 * i));
      symmetric = symmetric && column[plan.radius - i] == column[plan.radius + i];
    }
    for (int i = 0; 2 * i <= plan.radius; ++i)
      distance_pairs[term][i] = pair(tap(column, plan.radius + 2 * i), tap(column, plan.radius + 2 * i + 1));
  }
  window_shift = plan.result == Result::sharpen ? plan.bits - fine_bits : plan.bits;
  start = window_shift == 0 ? 0 : 1 << (window_shift - 1);
  if (plan.equal) steps = MeanSteps(size);
  coarse = has_coarse_taps();
}

/// The OpenMP backend for a SimdPlan, for filters that set more than a Plan can say (SimdPlan::max_change).
void openmp(const SimdPlan& p, const HostRun& run);

}  // namespace threadscape::separable

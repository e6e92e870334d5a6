#pragma once
// A plan in the form that the CPU's SIMD wants: 8-bit weights in pairs, divisions as products.

#include <cstdint>

#include "compute/engines/separable/separable.h"

namespace threadscape::separable {

/// Column sums have to be started once per band, so bands are tall where there are enough for all threads.
inline constexpr int tall_band = 128;

/// How means go from one row to the next. sum + count / 2 = count * mean + rest, with 0 <= rest < count; when the
/// window moves, the change of its sum is added to the rest, and what is then count or more moves on to the mean. So
/// nothing needs more than 16 bits, whatever the size: rests are kept with bias * count added, which makes them
/// positive before the division, n / count = ((n * factor) >> 16) >> shift.
struct MeanSteps {
  std::uint16_t count = 1, factor = 0, bias = 0;
  int shift = 0;
  int rows = 0;  ///< how many may enter an empty window at once

  /// With factor = (2^(16 + shift) + e) / count the quotient is too large by n e / (count 2^(16 + shift)), which must
  /// stay below 1 / count. (Granlund, Montgomery: Division by Invariant Integers using Multiplication, 1994.)
  constexpr explicit MeanSteps(int size) : count(static_cast<std::uint16_t>(size * size)) {
    while ((2 << shift) <= count)
      ++shift;
    const std::int32_t power = std::int32_t{1} << (16 + shift);
    factor = static_cast<std::uint16_t>(power / count + 1);
    bias = static_cast<std::uint16_t>((255 + size - 1) / size);
    const std::int32_t exact = (power - 1) / (factor * count - power), largest = exact < 65535 ? exact : 65535;
    const std::int32_t by_rest = (largest - (bias + 1) * count) / (255 * size);
    const std::int32_t by_mean = 126 * size / 255;  // a mean changes by less than 128 at once
    rows = by_rest < by_mean ? by_rest : by_mean;
  }
  constexpr MeanSteps() = default;
};
inline constexpr int max_mean_size = 31;
constexpr bool means_are_exact() {
  for (int size = 3; size <= max_mean_size; size += 2)
    if (MeanSteps(size).rows < 1) return false;
  return true;
}
static_assert(means_are_exact());

struct SimdPlan {
  Plan plan;
  /// Two neighbouring taps in one 32-bit lane, radius + 1 of them, a 0 at one end: for rows (columns) of results with
  /// an even number at the end, with an odd one at the start. So both take the same pairs of values.
  std::int32_t column_pairs[max_terms][2][max_radius + 1] = {};
  std::int32_t row_pairs[max_terms][2][max_radius + 1] = {};
  /// The same for columns that are equal upwards and downwards: the taps at distances 0 and 1, 2 and 3, ...
  bool symmetric = true;
  std::int32_t distance_pairs[max_terms][max_radius / 2 + 1] = {};
  bool coarse = false;   ///< smooth with a symmetric mask of 3 x 3 or 5 x 5 taps of 12 bits: separable_coarse-inl.h
  int window_shift = 0;  ///< of the first rounding in finish_window()
  int start = 0;         ///< what that rounding adds

  MeanSteps steps;       ///< Plan::equal
  int max_change = 255;  ///< Plan::equal: means that differ more from the pixel leave it as it is

  explicit SimdPlan(const Plan& plan);

 private:
  [[nodiscard]] bool has_coarse_taps() const;
};

inline bool SimdPlan::has_coarse_taps() const {
  constexpr int bits = 12, shift = 8;
  const bool smooth = plan.result == Result::smooth && plan.terms == 1 && !plan.equal && !plan.in_floats && !plan.wide;
  const auto fits = [this](const std::int16_t* taps) {
    // No tap is negative, so those on one side add up to at most half: sums of differences then fit 16 bits.
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

/// Plan and change in one, for filters that are nearly one of these.
void openmp(const SimdPlan& p, const HostRun& run);

}  // namespace threadscape::separable

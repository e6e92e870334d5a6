#pragma once
// A plan in the form that the CPU's SIMD wants: 8-bit weights in pairs, divisions as products.

#include <cstdint>

#include "compute/neighbourhood/separable.h"

namespace threadscape::separable {

/// Column sums have to be started once per band, so bands are tall where there are enough for all threads.
inline constexpr int tall_band = 128;

struct SimdPlan {
  Plan plan;
  /// Two neighbouring taps in one 32-bit lane, radius + 1 of them, a 0 at one end. Column pairs are for rows of results
  /// with an even number (the 0 at the end) and with an odd one (at the start): pairs of rows start at even rows.
  std::int32_t column_pairs[most_terms][2][largest_radius + 1] = {};
  std::int32_t row_pairs[most_terms][largest_radius + 1] = {};
  int window_shift = 0;  ///< of the first rounding in finish_window()
  int start = 0;         ///< what that rounding adds

  // Plan::equal. n / count = ((n * reciprocal) >> 16) >> reciprocal_shift, where n = sum + half_count; for sizes up to
  // largest_word_mean.
  std::uint16_t half_count = 0;
  std::uint16_t reciprocal = 0;
  int reciprocal_shift = 0;

  explicit SimdPlan(const Plan& plan);
};

inline constexpr int largest_word_mean = 15;
/// Whether n / count = ((n * factor) >> 16) >> shift for all n < 2^16 that windows of `count` bytes make: with
/// factor = (2^(16 + shift) + e) / count the quotient is too large by n e / (count 2^(16 + shift)), which must stay
/// below 1 / count. (Granlund, Montgomery: Division by Invariant Integers using Multiplication, 1994.)
constexpr std::int64_t reciprocal_of(int count, int shift) {
  return (std::int64_t{1} << (16 + shift)) / count + 1;
}
constexpr bool reciprocal_is_exact(int count, int shift) {
  const std::int64_t power = std::int64_t{1} << (16 + shift), largest = 255 * std::int64_t{count} + count / 2;
  const std::int64_t factor = reciprocal_of(count, shift);
  return largest < 65536 && factor < 65536 && largest * (factor * count - power) < power;
}
static_assert(reciprocal_is_exact(3 * 3, 3) && reciprocal_is_exact(5 * 5, 4) && reciprocal_is_exact(7 * 7, 5) &&
              reciprocal_is_exact(9 * 9, 6) && reciprocal_is_exact(11 * 11, 6) && reciprocal_is_exact(13 * 13, 7) &&
              reciprocal_is_exact(15 * 15, 7));

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
      row_pairs[term][i] = pair(tap(row, 2 * i), tap(row, 2 * i + 1));
    }
  }
  window_shift = plan.result == Result::sharpen ? plan.bits - fine_bits : plan.bits;
  start = window_shift == 0 ? 0 : 1 << (window_shift - 1);
  if (plan.equal) {
    const int count = size * size;
    half_count = static_cast<std::uint16_t>(count / 2);
    while ((2 << reciprocal_shift) <= count)
      ++reciprocal_shift;
    reciprocal = static_cast<std::uint16_t>(reciprocal_of(count, reciprocal_shift));
  }
}

}  // namespace threadscape::separable

#pragma once
// A large exact mask in the form that SIMD on the CPU needs, and a way to save a quarter of the products.
//
// The two-parallel fast FIR algorithm (Karatsuba's product of polynomials) computes two rows of results by three sums
// instead of four. With E and O the even and the odd rows of the picture, H and K those of the mask, and a * b the sums
// of rows of a under the mask b,
//   result[2m]     = (E * H)[m] + (O * K)[m]
//   result[2m + 1] = (S * (H + K))[m] - (E * H)[m + 1] - (O * K)[m],   S[m] = O[m] + E[m + 1]
// Each of the three sums has half the rows, and can be computed by the same algorithm again: that is a level. All
// numbers are integers modulo 2^32, and the results fit into 32 bits, so overflows on the way do not matter.

#include <algorithm>
#include <cstdint>
#include <cstdlib>
#include <vector>

#include "compute/algorithms/filters/convolution/convolution_math.h"

namespace threadscape::convolution {

/// A mask for dot_i16(): two neighbouring taps of a row are one 32-bit lane, two signed 16-bit integers; 0 follows the
/// last tap of a row.
struct PairMask {
  static constexpr int max_pairs = (max_size + 1) / 2;

  int rows = 0;
  std::int32_t tap_pairs[max_size][max_pairs] = {};
  /// Pairs first[ky] .. last[ky] - 1 of row ky contain all of its taps that are not 0.
  int first[max_size] = {}, last[max_size] = {};
};

/// The masks by which a large exact mask is summed.
struct LargePlan {
  static constexpr int max_levels = 2;

  int pairs = 0;   ///< Pairs of a row of the mask.
  int levels = 0;  ///< How often the algorithm above is applied.
  int digits = 1;  ///< 2 where a unit needs more than 16 bits; levels is 0 then.
  /// With levels = 0 the mask, or its digits to the base 2^16, the lowest first. Otherwise 3^levels masks, for E, O and
  /// S; at the second level the three that replace the first mask come first.
  std::vector<PairMask> masks;

  explicit LargePlan(const Plan& plan);
};

/// A mask of integers by rows.
using TapRows = std::vector<std::vector<int>>;

/// The mask in pairs.
inline PairMask pair_mask(const TapRows& rows) {
  PairMask mask;
  for (const std::vector<int>& row : rows) {
    const int ky = mask.rows++, pairs = static_cast<int>(row.size() + 1) / 2;
    mask.first[ky] = pairs;
    for (int pair = 0; pair < pairs; ++pair) {
      const auto kx = static_cast<std::size_t>(2 * pair);
      const int low = row[kx], high = kx + 1 < row.size() ? row[kx + 1] : 0;
      mask.tap_pairs[ky][pair] = static_cast<std::int32_t>((static_cast<std::uint32_t>(low) & 0xffff) |
                                                           static_cast<std::uint32_t>(high) << 16);
      if (low == 0 && high == 0) continue;
      mask.first[ky] = std::min(mask.first[ky], pair);
      mask.last[ky] = pair + 1;
    }
  }
  return mask;
}

/// Appends the 3^levels masks that result from the mask `rows` by applying the fast FIR algorithm `levels` times.
inline void add_halved(const TapRows& rows, int levels, std::vector<PairMask>& masks) {
  if (levels == 0) return masks.push_back(pair_mask(rows));
  TapRows even, odd, both;
  for (std::size_t y = 0; y < rows.size(); ++y)
    (y % 2 == 0 ? even : odd).push_back(rows[y]);
  odd.resize(even.size(), std::vector<int>(rows[0].size(), 0));
  for (std::size_t y = 0; y < even.size(); ++y) {
    both.push_back(even[y]);
    for (std::size_t x = 0; x < even[y].size(); ++x)
      both[y][x] += odd[y][x];
  }
  for (const TapRows* half : {&even, &odd, &both})
    add_halved(*half, levels - 1, masks);
}

/// The estimated cost of a row of results, in products: those of the masks, and 40 for each level, for making S and
/// combining the three sums.
inline double cost_of(const std::vector<PairMask>& masks, int levels) {
  int spans = 0;
  for (const PairMask& mask : masks)
    for (int ky = 0; ky < mask.rows; ++ky)
      spans += std::max(0, mask.last[ky] - mask.first[ky]);
  return static_cast<double>(spans) / (1 << levels) + 40.0 * levels;
}

inline LargePlan::LargePlan(const Plan& plan) : pairs((plan.size + 1) / 2) {
  if (!plan.exact) return;
  TapRows rows;
  for (int ky = 0; ky < plan.size; ++ky)
    rows.emplace_back(plan.units + ky * plan.size, plan.units + (ky + 1) * plan.size);
  if (plan.max_unit > 32767) {
    digits = 2;
    TapRows high = rows;
    for (std::size_t y = 0; y < rows.size(); ++y)
      for (std::size_t x = 0; x < rows[y].size(); ++x) {
        const int low = static_cast<std::int16_t>(rows[y][x]);
        high[y][x] = (rows[y][x] - low) / 65536;
        rows[y][x] = low;
      }
    masks = {pair_mask(rows), pair_mask(high)};
    return;
  }
  masks = {pair_mask(rows)};
  for (int level = 1; level <= max_levels && plan.max_unit <= 32767 >> level; ++level) {
    std::vector<PairMask> halved;
    add_halved(rows, level, halved);
    if (cost_of(halved, level) >= cost_of(masks, levels)) continue;
    masks = std::move(halved);
    levels = level;
  }
}

}  // namespace threadscape::convolution

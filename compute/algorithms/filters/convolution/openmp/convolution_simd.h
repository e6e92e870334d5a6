#pragma once
// The method by which the CPU sums the window of a mask up to 9x9, and the mask in the form that this method needs.

#include <cstdint>
#include <cstdlib>

#include "compute/algorithms/filters/convolution/convolution_math.h"

namespace threadscape::convolution {

enum class Method {
  /// Unsigned bytes times signed bytes with sums in 16 bits, for exact masks whose absolute taps add up to at most 128.
  bytes,
  /// 16-bit integers times 16-bit integers with sums in 32 bits, for exact masks whose taps fit into 16 bits.
  words,
  /// Floats, for any mask.
  floats,
};

/// The plan with what depends on the method.
struct SimdPlan {
  Plan plan;
  Method method = Method::floats;
  /// Two neighbouring taps of a row in one 32-bit lane, (size + 1) / 2 lanes per row, where 0 follows the last tap. For
  /// Method::bytes they are two signed bytes, which the lane holds twice; for Method::words two signed 16-bit integers.
  std::int32_t tap_pairs[max_small_size * (max_small_size + 1) / 2] = {};
  std::uint16_t reciprocal = 0;  ///< Plan::whole divides by it: the factor of reciprocal_of().
  int reciprocal_shift = 0;      ///< The shift of reciprocal_of().

  explicit SimdPlan(const Plan& plan);
};

/// n / divisor = ((n * factor) >> 16) >> shift for all 0 <= n < 2^15 and 2 <= divisor <= 2^15.
/// (Granlund, Montgomery: Division by Invariant Integers using Multiplication, 1994.)
struct Reciprocal {
  std::uint16_t factor;
  int shift;
};
constexpr Reciprocal reciprocal_of(int divisor) {
  int bits = 1;  // ceil(log2(divisor))
  while ((1 << bits) < divisor)
    ++bits;
  return {static_cast<std::uint16_t>((std::int64_t{1} << (15 + bits)) / divisor + 1), bits - 1};
}

inline SimdPlan::SimdPlan(const Plan& from) : plan(from) {
  if (!plan.exact || plan.max_unit > 32767) return;
  const int largest = 255 * plan.magnitude + std::abs(plan.whole.offset) + plan.whole.divisor / 2;
  method = plan.whole.possible && plan.magnitude <= 128 && plan.max_unit <= 127 && largest <= 32767 ? Method::bytes
                                                                                                    : Method::words;
  if (plan.whole.divisor > 1 && method == Method::bytes) {
    const Reciprocal r = reciprocal_of(plan.whole.divisor);
    reciprocal = r.factor;
    reciprocal_shift = r.shift;
  }
  std::int32_t* pair = tap_pairs;
  for (int ky = 0; ky < plan.size; ++ky)
    for (int kx = 0; kx < plan.size; kx += 2) {
      const auto low = static_cast<std::uint32_t>(plan.units[ky * plan.size + kx]);
      const auto high = kx + 1 < plan.size ? static_cast<std::uint32_t>(plan.units[ky * plan.size + kx + 1]) : 0u;
      const std::uint32_t bytes = (low & 0xff) | (high & 0xff) << 8;
      const std::uint32_t words = (low & 0xffff) | high << 16;
      *pair++ = static_cast<std::int32_t>(method == Method::bytes ? bytes | bytes << 16 : words);
    }
}

}  // namespace threadscape::convolution

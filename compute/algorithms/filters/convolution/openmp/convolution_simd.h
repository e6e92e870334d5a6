#pragma once
// Which way the CPU sums a window, and the mask in the form that way wants.

#include <cstdint>
#include <cstdlib>

#include "compute/algorithms/filters/convolution/convolution_math.h"

namespace threadscape::convolution {

enum class Method {
  bytes,   ///< unsigned bytes times signed bytes, sums in 16 bits: taps as integers whose absolutes add up to at most
           ///< 128
  words,   ///< 16-bit products, sums in 32 bits: any exact mask with integer taps of 16 bits
  floats,  ///< any mask
};

struct SimdPlan {
  Plan plan;
  Method method = Method::floats;
  /// Two neighbouring taps of a row in one 32-bit lane, (size + 1) / 2 per row, the last one with a 0. Method::bytes:
  /// as two signed bytes, twice. Method::words: as two signed 16-bit numbers.
  std::int32_t tap_pairs[max_small_size * (max_small_size + 1) / 2] = {};
  std::uint16_t reciprocal = 0;  ///< of whole.divisor, see reciprocal_of()
  int reciprocal_shift = 0;

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

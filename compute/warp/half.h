#pragma once
// Numbers with 16 bits: fp16 (5 bits of exponent, 10 of mantissa) and bfloat16 (8 and 7), rounded exactly.

#include <bit>
#include <cmath>
#include <cstdint>

namespace threadscape::warp {

enum class Rounding : std::uint8_t { Nearest, Zero, Down, Up };

/// The format of 16-bit floating-point numbers.
template <int exponent_bits>
struct HalfFormat {
  static constexpr int mantissa_bits = 15 - exponent_bits;
  static constexpr int min_exponent = 2 - (1 << (exponent_bits - 1));
  static constexpr std::uint32_t infinity = ((1U << exponent_bits) - 1) << mantissa_bits;

  /// The value of a number, given as bits.
  static double value(std::uint16_t bits);
  /// A value as bits, rounded once. What is no number becomes 0x7fff.
  static std::uint16_t bits(double value, Rounding rounding = Rounding::Nearest);
};
using Fp16 = HalfFormat<5>;
using Bfloat16 = HalfFormat<8>;
extern template struct HalfFormat<5>;
extern template struct HalfFormat<8>;

/// a * b + c of numbers with 16 bits, as a double whose rounding to 16 bits is that of the exact value: the lowest bit
/// is set where the sum is inexact.
inline double sum_to_odd(double product, double c) {
  const double sum = product + c;
  if (!std::isfinite(sum)) return sum;
  const double part = sum - product;
  const double error = (product - (sum - part)) + (c - part);
  const auto bits = std::bit_cast<std::uint64_t>(sum);
  if (error == 0 || (bits & 1) != 0) return sum;
  return std::nextafter(sum, error > 0 ? HUGE_VAL : -HUGE_VAL);
}

}  // namespace threadscape::warp

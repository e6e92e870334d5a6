#include "compute/warp/half.h"

#include <algorithm>
#include <cmath>

namespace threadscape::warp {

template <int exponent_bits>
double HalfFormat<exponent_bits>::value(std::uint16_t bits) {
  const std::uint32_t magnitude = bits & 0x7fffU;
  const auto exponent = static_cast<int>(magnitude >> mantissa_bits);
  const std::uint32_t fraction = magnitude & ((1U << mantissa_bits) - 1);
  double result = 0;
  if (magnitude > infinity) {
    result = std::nan("");
  } else if (magnitude == infinity) {
    result = HUGE_VAL;
  } else {
    const std::uint32_t whole = exponent == 0 ? fraction : fraction | 1U << mantissa_bits;
    result = std::ldexp(static_cast<double>(whole), (exponent == 0 ? 1 : exponent) - 1 + min_exponent - mantissa_bits);
  }
  return (bits & 0x8000U) != 0 ? -result : result;
}

template <int exponent_bits>
std::uint16_t HalfFormat<exponent_bits>::bits(double value, Rounding rounding) {
  if (value != value) return 0x7fff;
  const bool negative = std::signbit(value);
  const std::uint32_t sign = negative ? 0x8000 : 0;
  const double magnitude = std::abs(value);
  if (magnitude == 0) return static_cast<std::uint16_t>(sign);
  if (std::isinf(magnitude)) return static_cast<std::uint16_t>(sign | infinity);
  const int exponent = std::max(std::ilogb(magnitude), min_exponent);
  const double scaled = std::ldexp(magnitude, mantissa_bits - exponent);
  auto whole = static_cast<std::uint64_t>(scaled);
  const double rest = scaled - static_cast<double>(whole);
  const bool away = rounding == Rounding::Nearest ? rest > 0.5 || (rest == 0.5 && (whole & 1) != 0)
                    : rounding == Rounding::Zero  ? false
                                                  : rest > 0 && negative == (rounding == Rounding::Down);
  whole += away ? 1 : 0;
  // The lowest exponent has the numbers without a leading one; a carry out of the mantissa raises the exponent.
  const auto steps = static_cast<std::uint64_t>(exponent - min_exponent);
  const std::uint64_t made = (steps << mantissa_bits) + whole;
  if (made < infinity) return static_cast<std::uint16_t>(sign | made);
  const bool to_largest =
      rounding == Rounding::Zero || (rounding != Rounding::Nearest && negative != (rounding == Rounding::Down));
  return static_cast<std::uint16_t>(sign | (to_largest ? infinity - 1 : infinity));
}

template struct HalfFormat<5>;
template struct HalfFormat<8>;

}  // namespace threadscape::warp

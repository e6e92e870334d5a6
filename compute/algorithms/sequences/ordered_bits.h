#pragma once
// The order of numbers, as the order of unsigned integers: what sorting, min, max and argmin all go by.
//
// Integers have their usual order. Floats: -inf .. -0 < +0 .. +inf, then every NaN, first those without a sign; NaNs
// of one sign by their bits. So equal keys are equal bits, the order is total, and a result does not depend on how it
// was computed. (It is the totalOrder of IEEE 754, but for the NaNs with a sign, which stand first there.)

#include <bit>
#include <cstdint>
#include <type_traits>

#include "compute/core/views.h"

namespace threadscape::sequences {

/// The unsigned integer of the same size.
template <class T>
using BitsOf = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class Bits>
inline constexpr Bits sign_bit = Bits{1} << (8 * sizeof(Bits) - 1);
/// How many NaNs have a sign: one for every mantissa but zero.
template <class Bits>
inline constexpr Bits negative_nans = sizeof(Bits) == 4 ? Bits{0x7fffff} : static_cast<Bits>(0xfffffffffffffull);

template <class Bits>
TS_HD constexpr Bits ordered_float(Bits bits) {
  // Without the subtraction the NaNs with a sign are the lowest numbers; with it they wrap around to the top.
  return ((bits & sign_bit<Bits>) != 0 ? ~bits : bits ^ sign_bit<Bits>)-negative_nans<Bits>;
}
template <class Bits>
TS_HD constexpr Bits unordered_float(Bits key) {
  key += negative_nans<Bits>;
  return (key & sign_bit<Bits>) != 0 ? key ^ sign_bit<Bits> : ~key;
}

/// ordered(a) < ordered(b) when a comes before b.
template <class T>
TS_HD constexpr BitsOf<T> ordered(T value) {
  const auto bits = std::bit_cast<BitsOf<T>>(value);
  if constexpr (std::is_floating_point_v<T>) return ordered_float(bits);
  if constexpr (std::is_signed_v<T>) return bits ^ sign_bit<BitsOf<T>>;
  return bits;
}
/// The other way round.
template <class T>
TS_HD constexpr T unordered(BitsOf<T> key) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<T>(unordered_float(key));
  else
    return std::bit_cast<T>(std::is_signed_v<T> ? key ^ sign_bit<BitsOf<T>> : key);
}

}  // namespace threadscape::sequences

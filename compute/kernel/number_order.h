#pragma once
// The order of numbers as the order of integers: floats become integer keys that compare as the floats do. So every
// order below is total, min, max and sorting are exact, and equal keys mean equal bits: a result does not depend on the
// order in which values were compared. There are two orders, which differ only in the position of NaNs with a sign:
//
//   total_order_key()   signed keys    -NaN < -inf < ... < -0 < +0 < ... < +inf < +NaN   filters of pictures
//   sort_key()          unsigned keys         -inf < ... < -0 < +0 < ... < +inf < NaNs   sorting and reductions
//
// The first is the totalOrder of IEEE 754. In the second all NaNs come last, as users expect of a sorted sequence:
// first those without a sign, then those with one, and NaNs of one sign are ordered by their bits.

#include "compute/kernel/views.h"

namespace threadscape {

/// The type of total_order_key(): the key of a byte or 16-bit integer is the number itself, the key of a float is a
/// signed integer. Negating a float complements its key, as 255 - v is ~v for bytes; so min(a, b) = ~max(~a, ~b) holds
/// for the keys of all types.
template <class Value>
using TotalOrderKey = std::conditional_t<std::is_same_v<Value, float>, std::int32_t, Value>;

TS_HD inline std::uint8_t total_order_key(std::uint8_t value) {
  return value;
}
TS_HD inline std::uint16_t total_order_key(std::uint16_t value) {
  return value;
}
TS_HD inline std::int32_t total_order_key(float value) {
  const auto bits = __builtin_bit_cast(std::int32_t, value);
  return bits ^ (bits >> 31 & 0x7fffffff);
}
/// The inverse of total_order_key().
template <class Value>
TS_HD inline Value from_total_order_key(TotalOrderKey<Value> key) {
  if constexpr (std::is_same_v<Value, float>)
    return __builtin_bit_cast(float, key ^ (key >> 31 & 0x7fffffff));
  else
    return key;
}

/// The unsigned integer with the size of T, 4 or 8 bytes: the type of sort_key().
template <class T>
using SortKey = std::conditional_t<sizeof(T) == 4, std::uint32_t, std::uint64_t>;
template <class Bits>
inline constexpr Bits sign_bit = Bits{1} << (8 * sizeof(Bits) - 1);
/// The number of NaNs with a sign: one for every mantissa but zero.
template <class Bits>
inline constexpr Bits negative_nan_count = sizeof(Bits) == 4 ? Bits{0x7fffff} : static_cast<Bits>(0xfffffffffffffull);

/// sort_key() of the float or double that has these bits.
template <class Bits>
TS_HD constexpr Bits sort_key_of_float_bits(Bits bits) {
  // Before the subtraction the NaNs with a sign have the lowest keys; the subtraction wraps them around to the highest.
  return ((bits & sign_bit<Bits>) != 0 ? ~bits : bits ^ sign_bit<Bits>)-negative_nan_count<Bits>;
}
/// The inverse of sort_key_of_float_bits().
template <class Bits>
TS_HD constexpr Bits float_bits_of_sort_key(Bits key) {
  key += negative_nan_count<Bits>;
  return (key & sign_bit<Bits>) != 0 ? key ^ sign_bit<Bits> : ~key;
}

/// The key by which sequences are sorted: a comes before b if sort_key(a) < sort_key(b). Integers have their usual
/// order.
template <class T>
TS_HD constexpr SortKey<T> sort_key(T value) {
  const auto bits = std::bit_cast<SortKey<T>>(value);
  if constexpr (std::is_floating_point_v<T>) return sort_key_of_float_bits(bits);
  if constexpr (std::is_signed_v<T>) return bits ^ sign_bit<SortKey<T>>;
  return bits;
}
/// The inverse of sort_key().
template <class T>
TS_HD constexpr T from_sort_key(SortKey<T> key) {
  if constexpr (std::is_floating_point_v<T>)
    return std::bit_cast<T>(float_bits_of_sort_key(key));
  else
    return std::bit_cast<T>(std::is_signed_v<T> ? key ^ sign_bit<SortKey<T>> : key);
}

}  // namespace threadscape

#pragma once
// The items that are sorted: keys encoded as unsigned integers of the same order. A pair is a key with its place in the
// input; since the place breaks ties between equal keys, a method that is not stable gives the result of a stable one.
//
//   Key     32 bits   | encoded key |
//   Pair    64 bits   | encoded key | place |        compared as one unsigned integer

#include "compute/kernel/number_order.h"

namespace threadscape::sorting {

/// The type of the keys, which determines their encoding as unsigned integers, see compute/kernel/number_order.h.
enum class KeyOrder : std::uint8_t { int32, uint32, float32 };

TS_HD constexpr std::uint32_t encode(std::uint32_t bits, KeyOrder order) {
  if (order == KeyOrder::int32) return bits ^ 0x80000000u;
  if (order == KeyOrder::float32) return sort_key_of_float_bits(bits);
  return bits;
}
TS_HD constexpr std::uint32_t decode(std::uint32_t key, KeyOrder order) {
  if (order == KeyOrder::int32) return key ^ 0x80000000u;
  if (order == KeyOrder::float32) return float_bits_of_sort_key(key);
  return key;
}

using Key = std::uint32_t;   ///< An encoded key.
using Pair = std::uint64_t;  ///< An encoded key in the upper 32 bits and its place in the lower 32 bits.

template <class Item>
TS_HD constexpr Item make_item(std::uint32_t bits, std::int64_t place, KeyOrder order) {
  if constexpr (sizeof(Item) == sizeof(Pair))
    return Pair{encode(bits, order)} << 32 | static_cast<std::uint32_t>(place);
  else
    return encode(bits, order);
}
TS_HD constexpr std::uint32_t key_of(Key item) {
  return item;
}
TS_HD constexpr std::uint32_t key_of(Pair item) {
  return static_cast<std::uint32_t>(item >> 32);
}

/// Exchanges two items if they are in descending order, without a branch.
template <class Item>
TS_HD constexpr void compare_exchange(Item& lower, Item& upper) {
  const Item a = lower, b = upper;
  lower = b < a ? b : a;
  upper = b < a ? a : b;
}
/// Puts two items into ascending or descending order.
template <class Item>
TS_HD constexpr void compare_exchange(Item& lower, Item& upper, bool descending) {
  const Item a = lower, b = upper;
  lower = (b < a) != descending ? b : a;
  upper = (b < a) != descending ? a : b;
}

}  // namespace threadscape::sorting

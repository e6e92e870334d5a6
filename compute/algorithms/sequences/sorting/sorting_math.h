#pragma once
// What is sorted: keys as unsigned integers of the same order. A pair is a key with the place that it had; equal keys
// are then told apart by their places, so that a method that is not stable by itself gives the stable result.

#include <cstdint>

#include "compute/core/number_order.h"

namespace threadscape::sorting {

/// How the bits of a key become an unsigned integer: see compute/core/number_order.h.
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

/// A key, or a key above its place.
using Key = std::uint32_t;
using Pair = std::uint64_t;

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

template <class Item>
TS_HD constexpr void compare_exchange(Item& lower, Item& upper) {
  const Item a = lower, b = upper;
  lower = b < a ? b : a;
  upper = b < a ? a : b;
}

}  // namespace threadscape::sorting

#pragma once
// What is combined, and in which order. All backends share this.
//
// An operation turns each value into a partial result (load), combines two of them, and makes the result of the last.
// For integers, min, max and argmin every order gives the same bits. Sums of floats depend on it, so one is fixed:
//
//   A tile is eight strips, a strip sixteen rows, a row 512 bytes of values (128 floats). Every place of a row has a
//   sum: of the sixteen values below each other, from the first row to the last, starting at +0. The 8 x 128 sums of a
//   tile are then combined with their neighbours, two by two, until one is left. The sums of the tiles are a sequence
//   again, which is reduced in the same way, until it is one. Places behind the end count as +0.
//
// No sum has seen more than 16 + 7 + 3 roundings per level, so its error is at most 26 u times the sum of the absolute
// values for up to 16384 floats, 52 u up to 2^28 (u = 2^-24; half as many values and u = 2^-53 for doubles). One loop
// over 2^28 floats has 2^28 u: it stops growing where the next value is less than half a unit in the last place.

#include <cstdint>
#include <limits>
#include <type_traits>

#include "compute/core/number_order.h"

namespace threadscape::reduction {

/// Sums of int32 are collected in 64 bits, where 2^32 of them cannot overflow; sums of int64 wrap modulo 2^64.
template <class T>
struct Sum {
  using Value = T;
  using Partial = std::conditional_t<std::is_integral_v<T>, std::int64_t, T>;
  using Result = Partial;
  static constexpr bool any_order = std::is_integral_v<T>;

  TS_HD static constexpr Partial identity() { return 0; }
  TS_HD constexpr Partial load(T value, std::uint32_t) const { return value; }
  TS_HD static constexpr Partial combine(Partial a, Partial b) {
    if constexpr (any_order)
      return static_cast<Partial>(static_cast<std::uint64_t>(a) + static_cast<std::uint64_t>(b));
    else
      return a + b;
  }
  /// The bits of a NaN depend on the machine: one stands for all.
  TS_HD constexpr Result finish(Partial sum) const {
    if constexpr (!any_order)
      if (sum != sum) return std::numeric_limits<T>::quiet_NaN();
    return sum;
  }
};

/// The first value in the order of sort_key(), or with all bits flipped the last: what sorting puts at the
/// ends. So NaN is beyond +inf, and -0 is less than +0.
template <class T>
struct Extreme {
  using Value = T;
  using Partial = SortKey<T>;
  using Result = T;
  static constexpr bool any_order = true;
  Partial flip = 0;  ///< 0 for min, all ones for max

  TS_HD static constexpr Partial identity() { return static_cast<Partial>(~Partial{0}); }
  TS_HD constexpr Partial load(T value, std::uint32_t) const { return sort_key(value) ^ flip; }
  TS_HD static constexpr Partial combine(Partial a, Partial b) { return b < a ? b : a; }
  TS_HD constexpr Result finish(Partial key) const { return from_sort_key<T>(key ^ flip); }
};

template <class Key>
struct KeyAndPlace {
  Key key;
  std::uint32_t place;
};

/// Where the first of all values in that order is; of equal ones the lowest place.
template <class T>
struct Argmin {
  using Value = T;
  using Partial = KeyAndPlace<SortKey<T>>;
  using Result = std::int64_t;
  static constexpr bool any_order = true;

  TS_HD static constexpr Partial identity() { return {static_cast<SortKey<T>>(~SortKey<T>{0}), 0xffffffffu}; }
  TS_HD constexpr Partial load(T value, std::uint32_t place) const { return {sort_key(value), place}; }
  TS_HD static constexpr Partial combine(Partial a, Partial b) {
    return b.key < a.key || (b.key == a.key && b.place < a.place) ? b : a;
  }
  TS_HD constexpr Result finish(Partial best) const { return best.place; }
};

/// The same operation on what an earlier pass has left.
template <class Op>
struct Again : Op {
  using Value = typename Op::Partial;
  TS_HD constexpr typename Op::Partial load(Value partial, std::uint32_t) const { return partial; }
};

// ---- The stated order.

inline constexpr int row_bytes = 512, rows = 16, strips = 8;
template <class Value>
inline constexpr int row_values = row_bytes / static_cast<int>(sizeof(Value));
template <class Value>
inline constexpr int strip_values = rows* row_values<Value>;
template <class Value>
inline constexpr int tile_values = strips* strip_values<Value>;
template <class Value>
TS_HD constexpr std::int64_t tiles_of(std::int64_t count) {
  return (count + tile_values<Value> - 1) / tile_values<Value>;
}

/// Combines neighbours two by two until one is left; `count` is a power of two.
template <class Op>
TS_HD constexpr typename Op::Partial combine_pairs(typename Op::Partial* partials, int count) {
  for (; count > 1; count /= 2)
    for (int i = 0; i < count / 2; ++i)
      partials[i] = Op::combine(partials[2 * i], partials[2 * i + 1]);
  return partials[0];
}

/// One tile that may be cut off at the end: `count` values from `values` on, the first of them at `place`.
template <class Op>
constexpr typename Op::Partial reduce_tile(const Op& op, const typename Op::Value* values, std::int64_t count,
                                           std::int64_t place) {
  constexpr int columns = row_values<typename Op::Value>, strip_size = strip_values<typename Op::Value>;
  typename Op::Partial sums[strips * columns];
  for (int strip = 0; strip < strips; ++strip)
    for (int column = 0; column < columns; ++column) {
      typename Op::Partial sum = Op::identity();
      for (int row = 0; row < rows; ++row)
        if (const std::int64_t i = strip * strip_size + row * columns + column; i < count)
          sum = Op::combine(sum, op.load(values[i], static_cast<std::uint32_t>(place + i)));
      sums[strip * columns + column] = sum;
    }
  return combine_pairs<Op>(sums, strips * columns);
}

/// What is left of all tiles, and of the tiles of that, until it is one. In place: tile t is read before place
/// t <= t * tile_values is written.
template <class Op>
constexpr typename Op::Partial reduce_partials(const Op& op, typename Op::Partial* partials, std::int64_t count) {
  using Partial = typename Op::Partial;
  const Again<Op> again{op};
  while (count > 1) {
    for (std::int64_t first = 0; first < count; first += tile_values<Partial>) {
      const std::int64_t length = count - first < tile_values<Partial> ? count - first : tile_values<Partial>;
      partials[first / tile_values<Partial>] = reduce_tile(again, partials + first, length, 0);
    }
    count = tiles_of<Partial>(count);
  }
  return partials[0];
}

}  // namespace threadscape::reduction

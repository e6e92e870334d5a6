#pragma once
// The operations of a reduction, and the order in which they are combined, shared by all backends.
//
// An operation converts each value to a partial result (load), combines two partial results (combine), and converts the
// last one to the result (finish). For integers, min, max and argmin every order gives the same bits. A sum of floats
// depends on the order, so the order is defined:
//
//   A tile has eight strips, a strip sixteen rows, and a row 512 bytes of values (128 floats). Each column of a strip
//   is summed from the first row to the last, starting at +0. The 8 x 128 sums of a tile are then combined pairwise
//   with their neighbours until one is left. The sums of all tiles are a sequence that is reduced in the same way,
//   until one is left. Places beyond the end of the sequence count as +0.
//
//     strip     row 0    v0    v1    v2   ..  v127         a column is a lane of a vector on the CPU, and one of the
//               row 1    v128  v129  v130 ..  v255         values of a 16-byte load of a thread on the GPU
//                ..       |     |     |         |
//               row 15    +     +     +         +          128 sums per strip, then pairwise: ((s0 + s1) + (s2 + s3))
//               ..
//
// A sum is rounded at most 16 + 7 + 3 times per level, so its error is at most 26 u times the sum of the absolute
// values for up to 16384 floats, and 52 u for up to 2^28 floats (u = 2^-24; half as many values and u = 2^-53 for
// doubles). The bound of a single loop over 2^28 floats is 2^28 u: its sum stops growing when the next value is less
// than half a unit in the last place.

#include "compute/kernel/number_order.h"

namespace threadscape::reduction {

/// The sum. An int32 is added in 64 bits, where 2^32 of them cannot overflow; sums of int64 wrap modulo 2^64.
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
  /// Replaces every NaN by the same one, since the bits of a NaN depend on the machine.
  TS_HD constexpr Result finish(Partial sum) const {
    if constexpr (!any_order)
      if (sum != sum) return std::numeric_limits<T>::quiet_NaN();
    return sum;
  }
};

/// The minimum in the order of sort_key(), or with all bits flipped the maximum, as sorting places them at
/// the ends: NaN is beyond +inf, and -0 is less than +0.
template <class T>
struct Extreme {
  using Value = T;
  using Partial = SortKey<T>;
  using Result = T;
  static constexpr bool any_order = true;
  Partial flip = 0;  ///< 0 for the minimum, all bits set for the maximum.

  TS_HD static constexpr Partial identity() { return static_cast<Partial>(~Partial{0}); }
  TS_HD constexpr Partial load(T value, std::uint32_t) const { return sort_key(value) ^ flip; }
  TS_HD static constexpr Partial combine(Partial a, Partial b) { return b < a ? b : a; }
  TS_HD constexpr Result finish(Partial key) const { return from_sort_key<T>(key ^ flip); }
};

/// An encoded value and its place, the partial result of Argmin.
template <class Key>
struct KeyAndPlace {
  Key key;
  std::uint32_t place;
};

/// The place of the minimum in the order of sort_key(); among equal values the lowest place.
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

/// The operation of a pass over the partial results of an earlier pass: `load` keeps them as they are.
template <class Op>
struct NextPass : Op {
  using Value = typename Op::Partial;
  TS_HD constexpr typename Op::Partial load(Value partial, std::uint32_t) const { return partial; }
};

// ---- the defined order

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

/// Combines neighbouring partial results pairwise until one is left, in place. `count` is a power of two.
template <class Op>
TS_HD constexpr typename Op::Partial combine_pairs(typename Op::Partial* partials, int count) {
  for (; count > 1; count /= 2)
    for (int i = 0; i < count / 2; ++i)
      partials[i] = Op::combine(partials[2 * i], partials[2 * i + 1]);
  return partials[0];
}

/// Reduces one tile of `count` values, which may be fewer than tile_values. `place` is the place of the first one.
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

/// Reduces the partial results of tiles, tile by tile and level by level, until one is left. It works in place: tile t
/// is read before place t <= t * tile_values is written.
template <class Op>
constexpr typename Op::Partial reduce_partials(const Op& op, typename Op::Partial* partials, std::int64_t count) {
  using Partial = typename Op::Partial;
  const NextPass<Op> again{op};
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

#pragma once
// The median over time, shared by all backends: the value with the rank (frames - 1) / 2 of the values of all frames,
// so the lower one of the two in the middle where a clip is shorter than the parameter and their number is even. Floats
// have the order of total_order_key(), so every order of comparisons gives the same bits.

#include "compute/algorithms/time/clip_cells_math.h"
#include "compute/kernel/number_order.h"

namespace threadscape::temporal_median {

/// The most frames that sorting networks take.
inline constexpr int max_network = 15;

/// A number of frames that has a network, and the values that fill up the frames to this number: so many below and
/// above all others that the median stays the same.
struct Padding {
  int size = 0, below = 0;
};
/// The next number of frames that has a network: 3, 5, 7, 9, 11 or 15. `frames` is at most max_network.
TS_HD constexpr Padding padding_of(int frames) {
  const int size = frames <= 3 ? 3 : frames > 11 ? max_network : frames | 1;
  return {size, (size - 1) / 2 - (frames - 1) / 2};
}

/// Calls f(std::integral_constant<int, size>{}) with a number of frames that has a network.
template <class F>
void with_network(int size, F&& f) {
  switch (size) {
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case 7:
      return f(std::integral_constant<int, 7>{});
    case 9:
      return f(std::integral_constant<int, 9>{});
    case 11:
      return f(std::integral_constant<int, 11>{});
    default:
      return f(std::integral_constant<int, max_network>{});
  }
}

/// A value as an unsigned integer with the same order.
template <class Value>
using Bits = std::conditional_t<std::is_same_v<Value, float>, std::uint32_t, Value>;
template <class Value>
TS_HD Bits<Value> bits_of(Value value) {
  if constexpr (std::is_same_v<Value, float>)
    return static_cast<std::uint32_t>(total_order_key(value)) ^ 0x80000000u;
  else
    return value;
}
template <class Value>
TS_HD Value value_of(Bits<Value> bits) {
  if constexpr (std::is_same_v<Value, float>)
    return from_total_order_key<float>(static_cast<std::int32_t>(bits ^ 0x80000000u));
  else
    return bits;
}

/// The median bit by bit, for any number of frames: a bit of the median is set if at most `rank` values are less than
/// the number with this bit and the higher bits of the median.
struct BitPlan {
  template <class C, class Load>
  TS_HD typename C::Cell cell(int frames, const Load& load) const {
    using Value = typename C::Value;
    const int rank = (frames - 1) / 2;
    Bits<Value> found[C::count] = {};
    for (int bit = 8 * static_cast<int>(sizeof(Value)) - 1; bit >= 0; --bit) {
      int below[C::count] = {};
      for (int t = 0; t < frames; ++t) {
        const typename C::Cell frame = load(t);
        for (int i = 0; i < C::count; ++i)
          below[i] += bits_of(frame.v[i]) < static_cast<Bits<Value>>(found[i] | Bits<Value>(1) << bit) ? 1 : 0;
      }
      for (int i = 0; i < C::count; ++i)
        if (below[i] <= rank) found[i] = static_cast<Bits<Value>>(found[i] | Bits<Value>(1) << bit);
    }
    typename C::Cell result = load(frames - 1);
    for (int i = 0; i < C::count; ++i)
      if (!C::is_alpha(i)) result.v[i] = value_of<Value>(found[i]);
    return result;
  }
};

}  // namespace threadscape::temporal_median

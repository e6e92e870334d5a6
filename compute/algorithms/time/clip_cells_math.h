#pragma once
// How the backends of the algorithms in time see the pixels of a clip: as cells of a few values that lie beside each
// other in every frame. The value of a result depends only on the values at its place in all frames, so cells are
// independent of each other.
//
//   frame 0 (oldest)   | cell | cell | cell | ...        clips of     a cell is
//   frame 1            | cell | cell | cell | ...        RGBA         one pixel, four values
//   ...                    \      |                      grey         one pixel, or four of them (CUDA)
//   result             | cell | cell | cell | ...
//
// An algorithm has a struct with the parameters of a run, whose template cell<Cells>(frames, load) computes a cell of
// the result from load(0) .. load(frames - 1), the cells of the frames from the oldest to the newest. Alpha is that of
// the newest frame.

#include "compute/kernel/border.h"

namespace threadscape::clips {

/// `count` values of pixels with so many channels.
template <class Value_, int count_, int channels_>
struct Cells {
  using Value = Value_;
  static constexpr int count = count_, channels = channels_;

  struct alignas(sizeof(Value) * count_) Cell {
    Value v[count];
  };

  /// Returns whether value i of a cell is an alpha value.
  TS_HD static constexpr bool is_alpha(int i) { return channels == 4 && i % 4 == 3; }
};

/// The type of sums and differences of values.
template <class Value>
using Wide = std::conditional_t<std::is_floating_point_v<Value>, float, std::int32_t>;

/// |a - b| without overflow.
template <class Value>
TS_HD Value distance_of(Value a, Value b) {
  return a > b ? static_cast<Value>(a - b) : static_cast<Value>(b - a);
}

/// A threshold in grey levels of 255 in the units of these pixels. For integers it is rounded down, because |a - b| >
/// t and |a - b| > floor(t) are the same for them.
template <class Value>
TS_HD Value threshold_of(float grey_levels) {
  if constexpr (std::is_same_v<Value, std::uint8_t>)
    return static_cast<Value>(grey_levels);
  else if constexpr (std::is_same_v<Value, std::uint16_t>)
    return static_cast<Value>(grey_levels * 257.0f);
  else
    return grey_levels / 255.0f;
}

/// Returns whether the pixels that value i of two cells belongs to differ by more than the threshold in any channel but
/// alpha.
template <class C>
TS_HD bool pixel_differs(const typename C::Cell& a, const typename C::Cell& b, int i, typename C::Value threshold) {
  if constexpr (C::channels == 1) return distance_of(a.v[i], b.v[i]) > threshold;
  bool differs = false;
  for (int channel = 0; channel < C::channels - 1; ++channel)
    differs = differs || distance_of(a.v[channel], b.v[channel]) > threshold;
  return differs;
}

}  // namespace threadscape::clips

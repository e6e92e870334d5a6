#pragma once
// The arithmetic of the history of motion, shared by all backends. A pixel has moved in a frame if it differs from the
// frame before by more than the threshold in any colour. The result is white (duration - age) / duration, where age is
// the number of frames since the last one in which it has moved, 0 for the newest; black where there is none.

#include "compute/algorithms/time/clip_cells_math.h"

namespace threadscape::motion_history {

struct Plan {
  int duration = 1;        ///< In frames.
  float threshold = 0.0f;  ///< In grey levels of 255.

  /// The value of a pixel that has moved so many frames ago. Integers are rounded to nearest.
  template <class Value>
  TS_HD Value level(int age) const {
    if constexpr (std::is_floating_point_v<Value>)
      return static_cast<float>(duration - age) / static_cast<float>(duration);
    else
      return static_cast<Value>((white<Value> * (duration - age) + duration / 2) / duration);
  }

  template <class C, class Load>
  TS_HD typename C::Cell cell(int frames, const Load& load) const {
    using Value = typename C::Value;
    typename C::Cell before = load(0), result = before;
    for (int i = 0; i < C::count; ++i)
      result.v[i] = Value(0);
    for (int t = 1; t < frames; ++t) {
      const typename C::Cell now = load(t);
      const Value moved = level<Value>(frames - 1 - t);
      for (int i = 0; i < C::count; ++i)
        if (clips::pixel_differs<C>(now, before, i, clips::threshold_of<Value>(threshold))) result.v[i] = moved;
      before = now;
    }
    for (int i = 0; i < C::count; ++i)
      if (C::is_alpha(i)) result.v[i] = before.v[i];
    return result;
  }
};

}  // namespace threadscape::motion_history

#pragma once
// The arithmetic of the difference of two frames, shared by all backends. Where a clip is shorter than the distance,
// the oldest frame is the earlier one.

#include "compute/algorithms/time/clip_cells_math.h"

namespace threadscape::frame_difference {

/// absolute: |new - old|. with_sign: new - old, moved up to 128 of 255 and saturated; floats are not saturated.
/// threshold: white where a pixel differs by more than the threshold in any colour, else black.
enum class Mode : int { absolute, with_sign, threshold };

/// Where a signed difference of 0 lies: 128 of 255.
template <class Value>
TS_HD constexpr clips::Wide<Value> middle() {
  return std::is_same_v<Value, std::uint8_t>    ? clips::Wide<Value>(128)
         : std::is_same_v<Value, std::uint16_t> ? clips::Wide<Value>(128 * 257)
                                                : clips::Wide<Value>(128.0f / 255.0f);
}

template <class Value>
TS_HD Value signed_difference(Value now, Value before) {
  const auto difference =
      static_cast<clips::Wide<Value>>(now) - static_cast<clips::Wide<Value>>(before) + middle<Value>();
  if constexpr (std::is_floating_point_v<Value>)
    return difference;
  else
    return static_cast<Value>(difference < 0 ? 0 : difference > white<Value> ? white<Value> : difference);
}

struct Plan {
  Mode mode = Mode::absolute;
  float threshold = 0.0f;  ///< In grey levels of 255.

  template <class C, class Load>
  TS_HD typename C::Cell cell(int frames, const Load& load) const {
    using Value = typename C::Value;
    const typename C::Cell before = load(0), now = load(frames - 1);
    typename C::Cell result = now;
    for (int i = 0; i < C::count; ++i) {
      if (C::is_alpha(i)) continue;
      if (mode == Mode::absolute)
        result.v[i] = clips::distance_of(now.v[i], before.v[i]);
      else if (mode == Mode::with_sign)
        result.v[i] = signed_difference(now.v[i], before.v[i]);
      else
        result.v[i] =
            clips::pixel_differs<C>(now, before, i, clips::threshold_of<Value>(threshold)) ? white<Value> : Value(0);
    }
    return result;
  }
};

}  // namespace threadscape::frame_difference

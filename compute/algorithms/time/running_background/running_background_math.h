#pragma once
// The arithmetic of the running background, shared by all backends. The background of the oldest frame is that frame;
// every later frame moves it by a share of the difference: b += alpha (v - b), with alpha in steps of 1/256.
//
// Integers: b has 22 bits, the value and a fraction of 14 bits (8-bit pixels) or 6 bits (16-bit pixels). A step is
//   b += (((v << fraction) - b) * (256 alpha) + 128) >> 8
// in 32 bits with a sign, where the shift rounds down; the product has at most 31 bits. Floats: b + alpha * (v - b),
// each operation rounded once, from the oldest frame to the newest.

#include "compute/algorithms/time/clip_cells_math.h"

namespace threadscape::running_background {

enum class Show : int { background, foreground };

template <class Value>
inline constexpr int fraction = std::is_same_v<Value, std::uint8_t> ? 14 : 6;

struct Plan {
  int alpha = 26;  ///< 1 .. 256, in units of 1/256.
  Show show = Show::foreground;
  float threshold = 25.0f;  ///< In grey levels of 255.

  /// The background of the first frame.
  template <class Value>
  TS_HD static clips::Wide<Value> begun(Value value) {
    if constexpr (std::is_floating_point_v<Value>)
      return value;
    else
      return static_cast<std::int32_t>(value) << fraction<Value>;
  }
  /// The background after one more frame.
  template <class Value>
  TS_HD clips::Wide<Value> followed(clips::Wide<Value> background, Value value) const {
    if constexpr (std::is_floating_point_v<Value>)
      return background + static_cast<float>(alpha) / 256.0f * (value - background);
    else
      return background + (((begun(value) - background) * alpha + 128) >> 8);
  }
  /// The background as the value of a pixel, rounded to nearest.
  template <class Value>
  TS_HD static Value pixel_of(clips::Wide<Value> background) {
    if constexpr (std::is_floating_point_v<Value>)
      return background;
    else
      return static_cast<Value>((background + (1 << (fraction<Value> - 1))) >> fraction<Value>);
  }

  template <class C, class Load>
  TS_HD typename C::Cell cell(int frames, const Load& load) const {
    using Value = typename C::Value;
    const typename C::Cell first = load(0), newest = load(frames - 1);
    clips::Wide<Value> background[C::count];
    for (int i = 0; i < C::count; ++i)
      background[i] = begun(first.v[i]);
    // The newest frame belongs to the background that is shown, but not to the one that it is compared with.
    const int end = show == Show::foreground ? frames - 1 : frames;
    for (int t = 1; t < end; ++t) {
      const typename C::Cell frame = load(t);
      for (int i = 0; i < C::count; ++i)
        background[i] = followed(background[i], frame.v[i]);
    }
    typename C::Cell still = newest;
    for (int i = 0; i < C::count; ++i)
      if (!C::is_alpha(i)) still.v[i] = pixel_of<Value>(background[i]);
    if (show == Show::background) return still;
    typename C::Cell result = newest;
    for (int i = 0; i < C::count; ++i)
      if (!C::is_alpha(i))
        result.v[i] =
            clips::pixel_differs<C>(newest, still, i, clips::threshold_of<Value>(threshold)) ? white<Value> : Value(0);
    return result;
  }
};

/// Alpha is rounded to a multiple of 1/256, at least one.
[[nodiscard]] inline Plan make_plan(float alpha, Show show, float threshold) {
  const int steps = static_cast<int>(alpha * 256.0f + 0.5f);
  return {steps < 1 ? 1 : steps > 256 ? 256 : steps, show, threshold};
}

}  // namespace threadscape::running_background

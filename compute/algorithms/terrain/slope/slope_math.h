#pragma once
// Slope and surface normal of one point, shared by all backends.
//
// The gradient (gx, gy) is the rise per cell towards x (right) and y (down the rows): half the difference of the two
// neighbours times `scale`; at the rim the difference to the one neighbour that exists, and 0 if there is none. It is
// clamped to -10^15..10^15, so that squares stay finite, and 0 where a neighbour is a hole (NaN). The normal is (-gx,
// -gy, 1), normalised to length 1.
//
//   slope    the sine of the angle between the surface and the horizontal plane, 0..1 stored as 0..255
//   normal   r, g, b = 128 + 127 * (x, y upwards, z), rounded to nearest; a = 255
//
// IEEE additions, products, quotients and square roots are correctly rounded, so all backends give the same bits.

#include "compute/kernel/views.h"

namespace threadscape::slope {

enum class Map : int { slope, normal };

/// The gradient of the heights, in cells per cell.
struct Rise {
  float x, y;
};

TS_HD inline float limited(float rise) {
  constexpr float limit = 1e15f;
  if (rise >= -limit && rise <= limit) return rise;
  return rise > 0.0f ? limit : rise < 0.0f ? -limit : 0.0f;
}

/// The gradient between two neighbours in each direction.
TS_HD inline Rise rise_between(float left, float right, float above, float below, float scale) {
  return {limited((right - left) * 0.5f * scale), limited((below - above) * 0.5f * scale)};
}

/// The gradient at (x, y).
template <class View>
TS_HD inline Rise rise_at(const View& heights, int x, int y, float scale) {
  const auto along = [&](int i, int n, const auto& at) {
    if (n == 1) return 0.0f;
    if (i == 0) return (at(1) - at(0)) * scale;
    if (i == n - 1) return (at(n - 1) - at(n - 2)) * scale;
    return (at(i + 1) - at(i - 1)) * 0.5f * scale;
  };
  return {limited(along(x, heights.width, [&](int i) { return static_cast<float>(heights(i, y)); })),
          limited(along(y, heights.height, [&](int i) { return static_cast<float>(heights(x, i)); }))};
}

TS_HD inline float length_of(const Rise& rise) {
  return std::sqrt((rise.x * rise.x + rise.y * rise.y) + 1.0f);
}

TS_HD inline std::uint8_t slope_level(const Rise& rise) {
  const float steepness = std::sqrt(rise.x * rise.x + rise.y * rise.y) / length_of(rise);
  return static_cast<std::uint8_t>(static_cast<int>(steepness * 255.0f + 0.5f));
}

TS_HD inline Rgba8 normal_colour(const Rise& rise) {
  const float length = length_of(rise);
  const auto level = [&](float v) {
    return static_cast<std::uint8_t>(static_cast<int>(128.0f + 127.0f * (v / length) + 0.5f));
  };
  return {level(-rise.x), level(rise.y), level(1.0f), 255};
}

template <class Pixel>
TS_HD inline Pixel pixel_of(const Rise& rise) {
  if constexpr (sizeof(Pixel) == 1)
    return slope_level(rise);
  else
    return normal_colour(rise);
}

}  // namespace threadscape::slope

#pragma once
// What lies outside a picture, for all neighbourhood algorithms.

#include <array>
#include <string_view>
#include <type_traits>

#include "compute/core/views.h"

namespace threadscape {

/// scipy.ndimage names in brackets. mirror: edge pixel not repeated (d c b | a b c d | c b a) [mirror];
/// reflect: repeated (c b a | a b c d | d c b) [reflect]; clamp [nearest]; wrap [grid-wrap]; zero [constant 0];
/// valid: no result is computed where the window leaves the picture; the input pixel stays.
enum class Border : int { zero, clamp, mirror, reflect, wrap, valid };
inline constexpr std::array<std::string_view, 6> border_names{"zero", "clamp", "mirror", "reflect", "wrap", "valid"};

/// Index inside 0..n-1 that stands for index i, for any i; -1 when the value is zero (Border::zero outside).
/// Windows larger than the picture fold as often as needed. Under Border::valid outside values are never used; clamped.
TS_HD inline int border_index(int i, int n, Border border) {
  if (i >= 0 && i < n) return i;
  switch (border) {
    case Border::zero:
      return -1;
    case Border::mirror: {
      if (n == 1) return 0;
      const int period = 2 * (n - 1);
      i %= period;
      if (i < 0) i += period;
      return i < n ? i : period - i;
    }
    case Border::reflect: {
      const int period = 2 * n;
      i %= period;
      if (i < 0) i += period;
      return i < n ? i : period - 1 - i;
    }
    case Border::wrap: {
      i %= n;
      return i < 0 ? i + n : i;
    }
    default:
      return i < 0 ? 0 : n - 1;
  }
}

/// Which values a colour filter works on. luma: the filter runs on the luma and its result goes to r, g and b.
/// Alpha is kept in both.
enum class Channels : int { each, luma };
inline constexpr std::array<std::string_view, 2> channels_names{"each", "luma"};

/// Rec. 601 luma: in integers, rounded to nearest; of floats as a sum from left to right.
TS_HD inline std::uint8_t luma(Rgba8 p) {
  return static_cast<std::uint8_t>((299 * p.r + 587 * p.g + 114 * p.b + 500) / 1000);
}
TS_HD inline std::uint16_t luma(Rgba16 p) {
  return static_cast<std::uint16_t>((299 * p.r + 587 * p.g + 114 * p.b + 500) / 1000);
}
TS_HD inline float luma(const Rgba32f& p) {
  return 0.299f * p.r + 0.587f * p.g + 0.114f * p.b;
}

/// The value of white in pictures with this type of number. Parameters in grey levels count from 0 to 255 and are
/// scaled by white / 255 for other types.
template <class Value>
inline constexpr Value white = std::is_floating_point_v<Value> ? Value(1) : static_cast<Value>(-1);

}  // namespace threadscape

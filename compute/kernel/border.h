#pragma once
// The values that neighbourhood algorithms use outside a picture, and grey values of colours.

#include "compute/kernel/views.h"

namespace threadscape {

/// How a row a b c d continues outside the picture; the mode of scipy.ndimage is in brackets.
///   zero     0 0 0 | a b c d | 0 0 0   [constant, cval=0]
///   clamp    a a a | a b c d | d d d   [nearest]
///   mirror   d c b | a b c d | c b a   [mirror]: the edge pixel is not repeated
///   reflect  c b a | a b c d | d c b   [reflect]: the edge pixel is repeated
///   wrap     b c d | a b c d | a b c   [grid-wrap]
///   valid    no result is computed where the window leaves the picture; the pixel of the input is kept there
///   shrink   the mask shrinks: only its weights inside of the picture count, see compute/kernel/shrink.h
///   crop     as valid, and the result consists of these pixels only, see compute/engines/planes/crop.h
enum class Border : int { zero, clamp, mirror, reflect, wrap, valid, shrink, crop };
/// The number of modes. The two folds below are the only ones, and do not compile without a case for each mode; what
/// lists the modes elsewhere asserts this number.
inline constexpr int border_modes = static_cast<int>(Border::crop) + 1;

/// The index in [0, n) whose value is used for index i, for any i; -1 if the value is zero (Border::zero outside, and
/// Border::shrink, which adds nothing there). A window larger than the picture is folded as often as needed.
/// Border::valid and Border::crop never use values outside; for them, i is clamped.
TS_HD constexpr int border_index(int i, int n, Border border) {
  if (i >= 0 && i < n) return i;
  switch (border) {
    case Border::zero:
    case Border::shrink:
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
    case Border::clamp:
    case Border::valid:
    case Border::crop:
      return i < 0 ? 0 : n - 1;
  }
  __builtin_unreachable();
}

/// border_index() for -n < i < 2 n: no divisions, no calls.
TS_HD constexpr int index_beside(int i, int n, Border border) {
  const bool before = i < 0;
  if (!before && i < n) return i;
  switch (border) {
    case Border::zero:
    case Border::shrink:
      return -1;
    case Border::mirror:
      return before ? -i : 2 * n - 2 - i;
    case Border::reflect:
      return before ? -i - 1 : 2 * n - 1 - i;
    case Border::wrap:
      return before ? i + n : i - n;
    case Border::clamp:
    case Border::valid:
    case Border::crop:
      return before ? 0 : n - 1;
  }
  __builtin_unreachable();
}

TS_HD constexpr bool folds_agree() {
  constexpr int n = 4;
  for (int mode = 0; mode < border_modes; ++mode)
    for (int i = 1 - n; i < 2 * n - 1; ++i)
      if (border_index(i, n, static_cast<Border>(mode)) != index_beside(i, n, static_cast<Border>(mode))) return false;
  return true;
}
static_assert(folds_agree(), "both folds have a case for each mode, with the same result");

/// index_beside() for many places, without branches: beside the picture the index is a line in i, one before it and one
/// behind it.
struct BorderLines {
  int before, before_step, after, after_step;

  TS_HD static BorderLines of(int n, Border border) {
    const int before_step = index_beside(-1, n, border) - index_beside(-2, n, border);
    const int after_step = index_beside(n + 1, n, border) - index_beside(n, n, border);
    return {index_beside(-1, n, border) + before_step, before_step, index_beside(n, n, border) - after_step * n,
            after_step};
  }
  TS_HD int index(int i, int n) const {
    const int beside = i < 0 ? before + before_step * i : after + after_step * i;
    return i >= 0 && i < n ? i : beside;
  }
};

/// Which values a filter of colour pictures works on: `each` filters r, g and b separately; `luma` filters the luma and
/// writes the result to r, g and b. Both keep alpha.
enum class Channels : int { each, luma };

/// The luma of Rec. 601. Integers are rounded to nearest; for floats the products are added from left to right.
TS_HD inline std::uint8_t luma(Rgba8 p) {
  return static_cast<std::uint8_t>((299 * p.r + 587 * p.g + 114 * p.b + 500) / 1000);
}
TS_HD inline std::uint16_t luma(Rgba16 p) {
  return static_cast<std::uint16_t>((299 * p.r + 587 * p.g + 114 * p.b + 500) / 1000);
}
TS_HD inline float luma(const Rgba32f& p) {
  return 0.299f * p.r + 0.587f * p.g + 0.114f * p.b;
}

/// The value of white in pictures whose channels have this type. Parameters that are grey levels count from 0 to 255;
/// for other types than bytes they are scaled by white / 255.
template <class Value>
inline constexpr Value white = std::is_floating_point_v<Value> ? Value(1) : static_cast<Value>(-1);

}  // namespace threadscape

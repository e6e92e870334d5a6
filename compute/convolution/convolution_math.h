#pragma once
// The arithmetic of convolution, shared by all backends: what happens to the sum of a window, and the plan of a run.
//
// An 8-bit result is floor(|sum / divisor + bias| + 0.5), saturated to 0..255, every operation rounded once to float
// (the absolute value only if asked for). The sum is a float that is accumulated in row-major order of the taps, each
// product rounded before it is added. If the mask is `exact` (below) no operation of the sum rounds, so that any order,
// fused multiply-add and integers give the same sum. That is what the fast paths use. Float pictures have the same
// sums, in the same order, and finish_real() instead.

#include <cstdint>
#include <type_traits>

#include "compute/core/border.h"
#include "compute/core/views.h"

namespace threadscape::convolution {

inline constexpr int largest_size = 9;
inline constexpr int largest_radius = largest_size / 2;
inline constexpr int most_taps = largest_size * largest_size;

/// From the sum of a window to the pixel value.
struct Finish {
  float divisor = 1.0f;
  float bias = 0.0f;
  bool absolute = false;
  bool positive = false;   ///< of float pictures: negative results become 0
  float real_bias = 0.0f;  ///< of float pictures: bias / 255
};

TS_HD inline std::uint8_t finish_u8(float sum, const Finish& finish) {
  float value = sum / finish.divisor + finish.bias;
  if (finish.absolute) value = value < 0.0f ? -value : value;
  value = value + 0.5f;           // halves go up
  if (!(value > 0.0f)) return 0;  // also below 0: the result would be floor() < 0
  if (value >= 255.0f) return 255;
  return static_cast<std::uint8_t>(value);  // truncation is floor() here
}

/// Of float pictures: sum / divisor + bias / 255, not cut off. NaN becomes 0 if only positive values are asked for.
TS_HD inline float finish_real(float sum, const Finish& finish) {
  const float value = sum / finish.divisor + finish.real_bias;
  if (finish.absolute) return __builtin_fabsf(value);
  return finish.positive && !(value > 0.0f) ? 0.0f : value;
}

template <class Value>
TS_HD Value finish_pixel(float sum, const Finish& finish) {
  if constexpr (std::is_same_v<Value, float>)
    return finish_real(sum, finish);
  else
    return finish_u8(sum, finish);
}

/// A finish that integers can do: floor((sum + offset + divisor / 2) / divisor), for integer sums.
///
/// Proof that it equals finish_u8 for 1 <= divisor <= 2048, integer bias, |bias| <= 512: the exact value of
/// sum / divisor + bias + 0.5 is a multiple of 1 / (2 divisor), so it is an integer or at least 2^-12 away from one.
/// Where it is below 257 the float operations are off by less than 2^-24 (769 + 257 + 257) < 2^-13.6, which cannot
/// cross an integer; and if it is an integer every one of them is exact. Above 257 and below -1 both saturate. The
/// absolute value is taken of sum / divisor + bias, to which the same applies.
struct WholeFinish {
  bool possible = false;
  int divisor = 1;  ///< 1..2048
  int offset = 0;   ///< bias * divisor
  bool absolute = false;
};
inline constexpr int largest_whole_divisor = 2048;
inline constexpr int largest_whole_bias = 512;

TS_HD inline std::uint8_t finish_whole(int sum, const WholeFinish& finish) {
  int value = sum + finish.offset;
  if (finish.absolute && value < 0) value = -value;
  value += finish.divisor / 2;
  if (value < 0) return 0;
  value /= finish.divisor;
  return static_cast<std::uint8_t>(value > 255 ? 255 : value);
}

/// The parameters of a run in the form that all backends use. Passed to kernels by value.
struct Plan {
  int size = 3;
  int radius = 1;
  float taps[most_taps] = {};  ///< row-major, size x size
  Finish finish;
  Border border = Border::mirror;
  Channels channels = Channels::each;

  /// Every tap is a multiple of one power of two, and the sum of absolute taps, in units of it, times 255 is below
  /// 2^24: then every partial sum is a float without rounding, in any order.
  bool exact = false;
  int units[most_taps] =
      {};  ///< if exact: the taps as integers, taps[i] * 2^shift, all signs turned if the divisor is negative
  int magnitude = 0;     ///< if exact: sum of |units|
  int largest_unit = 0;  ///< if exact: largest |unit|
  float unit = 1.0f;     ///< if exact: what one unit stands for, 2^-shift or -2^-shift
  WholeFinish whole;     ///< for sums in units
};

}  // namespace threadscape::convolution

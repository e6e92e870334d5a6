#pragma once
// From the weighted sum of a window to a pixel: divided, moved by a bias, rounded. Shared by all ways to sum.
//
// An 8-bit result is floor(|sum / divisor + bias| + 0.5), saturated to 0..255, every operation rounded once to float
// (the absolute value only if asked for). Float pictures get finish_real() instead.

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "compute/core/views.h"

namespace threadscape {

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

/// Whether dividing is multiplying by the inverse, bit for bit. The inverse is a normal float as well: divisors of the
/// parameters are no larger than 10^6, tiny ones are left out.
inline bool is_power_of_two(float value) {
  int exponent = 0;
  return std::abs(std::frexp(value, &exponent)) == 0.5f && std::abs(exponent) < 64;
}

/// A finish that integers can do: floor((sum + offset + divisor / 2) / divisor), for integer sums.
///
/// Proof that it equals finish_u8 for 1 <= divisor <= 2048, integer bias, |bias| <= 512: the exact value of
/// sum / divisor + bias + 0.5 is a multiple of 1 / (2 divisor), so it is an integer or at least 2^-12 away from one.
/// Where it is below 257 the float operations are off by less than 2^-24 (769 + 257 + 257) < 2^-13.6, which cannot
/// cross an integer; and if it is an integer every one of them is exact. Above 257 and below -1 both saturate; sums
/// from 2^24 on, which round as floats, lie there. The absolute value is taken of sum / divisor + bias, to which the
/// same applies.
struct WholeFinish {
  bool possible = false;
  int divisor = 1;  ///< 1..2048
  int offset = 0;   ///< bias * divisor
  bool absolute = false;
};
inline constexpr int max_whole_divisor = 2048;
inline constexpr int max_whole_bias = 512;

TS_HD inline std::uint8_t finish_whole(int sum, const WholeFinish& finish) {
  int value = sum + finish.offset;
  if (finish.absolute && value < 0) value = -value;
  value += finish.divisor / 2;
  if (value < 0) return 0;
  value /= finish.divisor;
  return static_cast<std::uint8_t>(value > 255 ? 255 : value);
}

/// For sums that are integers, in units of a power of two: 8-bit pictures only.
struct UnitFinish {
  Finish real;
  WholeFinish whole;
  float unit = 1.0f;  ///< sum * unit is the sum that `real` takes
};

TS_HD inline std::uint8_t finish_units(int sum, const UnitFinish& finish) {
  if (finish.whole.possible) return finish_whole(sum, finish.whole);
  return finish_u8(static_cast<float>(sum) * finish.unit, finish.real);
}

}  // namespace threadscape

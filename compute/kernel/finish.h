#pragma once
// From the weighted sum of a window to a pixel: the sum is divided, a bias is added, and the result is rounded. All
// ways to compute the sum share this.
//
// An 8-bit result is floor(|sum / divisor + bias| + 0.5), saturated to 0..255, where every operation is rounded once to
// float, and the absolute value is taken only if Finish::absolute is set. Float pictures get finish_real() instead.

#include "compute/kernel/views.h"

namespace threadscape {

/// `mean`, or `pixel` itself where the two differ by less than `error`, a bound of the relative error that rounding
/// leaves in the mean of equal values. So a flat picture of floats stays as it is to the bit, and a mean that is
/// replaced was within its error of the pixel. Infinities and NaNs are never replaced.
TS_HD inline float settled(float mean, float pixel, float error) {
  return fabsf(mean - pixel) < error * fabsf(pixel) ? pixel : mean;
}

/// The divisor and the bias of a filter, and what becomes of negative results.
struct Finish {
  float divisor = 1.0f;
  float bias = 0.0f;
  bool absolute = false;
  bool positive = false;   ///< Negative results become 0; for float pictures (8-bit results saturate anyway).
  float real_bias = 0.0f;  ///< The bias of float pictures, where white is 1: bias / 255.
};

/// The pixel of an 8-bit picture.
TS_HD inline std::uint8_t finish_u8(float sum, const Finish& finish) {
  float value = sum / finish.divisor + finish.bias;
  if (finish.absolute) value = value < 0.0f ? -value : value;
  value = value + 0.5f;           // 0.5 is rounded up
  if (!(value > 0.0f)) return 0;  // floor() would be negative, or the value is NaN
  if (value >= 255.0f) return 255;
  return static_cast<std::uint8_t>(value);  // truncation is floor() here
}

/// The pixel of a float picture: sum / divisor + bias / 255, not cut off. NaN becomes 0 with Finish::positive.
TS_HD inline float finish_real(float sum, const Finish& finish) {
  const float value = sum / finish.divisor + finish.real_bias;
  if (finish.absolute) return fabsf(value);
  return finish.positive && !(value > 0.0f) ? 0.0f : value;
}

/// finish_u8() or finish_real(), by the type of the pixel.
template <class Value>
TS_HD Value finish_pixel(float sum, const Finish& finish) {
  if constexpr (std::is_same_v<Value, float>)
    return finish_real(sum, finish);
  else
    return finish_u8(sum, finish);
}

/// Returns whether dividing by `value` gives the same bits as multiplying by its inverse: it does for powers of two
/// whose inverse is a normal float. Parameters allow divisors up to 10^6, and tiny ones are excluded here.
TS_HD inline bool is_power_of_two(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  const int exponent = static_cast<int>(bits >> 23 & 255) - 127;
  return (bits & 0x7fffff) == 0 && exponent >= -64 && exponent <= 62;
}

/// A finish by integer operations, for integer sums: floor((sum + offset + divisor / 2) / divisor).
///
/// Proof that it equals finish_u8() for 1 <= divisor <= 2048, integer bias, |bias| <= 512: the exact value of
/// sum / divisor + bias + 0.5 is a multiple of 1 / (2 divisor), so it is an integer or at least 2^-12 away from one.
/// Where it is below 257 the float operations are off by less than 2^-24 (769 + 257 + 257) < 2^-13.6, which cannot
/// cross an integer; and if it is an integer every one of them is exact. Above 257 and below -1 both saturate; sums
/// from 2^24 on, which round as floats, lie there. The absolute value is taken of sum / divisor + bias, to which the
/// same applies.
struct WholeFinish {
  bool possible = false;  ///< If true, divisor and bias are integers within the bounds of the proof.
  int divisor = 1;        ///< 1 .. max_whole_divisor
  int offset = 0;         ///< bias * divisor
  bool absolute = false;
};
inline constexpr int max_whole_divisor = 2048;
inline constexpr int max_whole_bias = 512;

/// The pixel of an 8-bit picture by integer operations.
TS_HD inline std::uint8_t finish_whole(int sum, const WholeFinish& finish) {
  int value = sum + finish.offset;
  if (finish.absolute && value < 0) value = -value;
  value += finish.divisor / 2;
  if (value < 0) return 0;
  value /= finish.divisor;
  return static_cast<std::uint8_t>(value > 255 ? 255 : value);
}

/// The finish of sums that are integers, in units of a power of two; for 8-bit pictures.
struct UnitFinish {
  Finish real;
  WholeFinish whole;
  float unit = 1.0f;  ///< The sum that `real` takes is sum * unit.
};

/// The pixel of an 8-bit picture: by integer operations where they are possible, otherwise as finish_u8().
TS_HD inline std::uint8_t finish_units(int sum, const UnitFinish& finish) {
  if (finish.whole.possible) return finish_whole(sum, finish.whole);
  return finish_u8(static_cast<float>(sum) * finish.unit, finish.real);
}

}  // namespace threadscape

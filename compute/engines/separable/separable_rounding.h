#pragma once
// Rounding in the CUDA kernels that hold integer sums in floats: separable_strip.cuh and separable_small.cu. The
// results are those of rounded_shift() and finish_window().

#include "compute/engines/separable/separable.h"

namespace threadscape::separable {

/// A sum is rounded to floor((sum + start) * unit). `column_` is for column sums, `row_` for window sums.
struct SumRounding {
  float column_start = 0.0f, column_unit = 1.0f;
  float row_start = 0.0f, row_unit = 1.0f;
};

/// The rounding of a plan; window sums for plan.equal and Result::smooth, others keep their sum.
inline SumRounding sum_rounding(const Plan& plan) {
  SumRounding rounding;
  if (plan.shift > 0) {
    rounding.column_start = static_cast<float>(1 << (plan.shift - 1));
    rounding.column_unit = 1.0f / static_cast<float>(1 << plan.shift);
  }
  const int count = (2 * plan.radius + 1) * (2 * plan.radius + 1);
  if (plan.equal) {
    // floor((s + n / 2) / n) for n <= 81 pixels. With 0.5 more in the numerator the quotient is at least 0.5 / 81 away
    // from an integer, so the rounding error of 1 / n changes no result.
    rounding.row_start = static_cast<float>(count / 2) + 0.5f;
    rounding.row_unit = plan.scale;
  } else if (plan.result == Result::smooth) {
    rounding.row_start = static_cast<float>(1 << (plan.bits - 1));
    rounding.row_unit = 1.0f / static_cast<float>(1 << plan.bits);
  }
  return rounding;
}

/// 2^23: between it and 2^24 floats are integers, and the integer n of 2^23 + n is in the lowest bits of the float.
inline constexpr float floor_bias = 8388608.0f;
/// floor(n * unit + bias); the result must be at least 2^23 and below 2^24.
TS_HD inline float floored(float n, float unit, float bias = floor_bias) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rz(n, unit, bias);
#else
  // Without the 2^23 of the bias a double holds the product and the sum exactly.
  const double above = static_cast<double>(n) * static_cast<double>(unit) + (static_cast<double>(bias) - floor_bias);
  return floor_bias + static_cast<float>(static_cast<int>(above));
#endif
}

}  // namespace threadscape::separable

#pragma once
// How CUDA kernels that sum integers in floats round them: separable_strip.cuh and separable_small.cu.

#include "compute/engines/separable/separable.h"

namespace threadscape::separable {

/// floor((sum + start) * unit), for the rounding of column and of window sums.
struct SumRounding {
  float column_start = 0.0f, column_unit = 1.0f;
  float row_start = 0.0f, row_unit = 1.0f;
};

inline SumRounding sum_rounding(const Plan& plan) {
  SumRounding rounding;
  if (plan.shift > 0) {
    rounding.column_start = static_cast<float>(1 << (plan.shift - 1));
    rounding.column_unit = 1.0f / static_cast<float>(1 << plan.shift);
  }
  const int count = (2 * plan.radius + 1) * (2 * plan.radius + 1);
  if (plan.equal) {
    // floor((s + n / 2) / n): with 0.5 more it is at least 0.5 / 81 away from an integer, so 1 / n may be rounded.
    rounding.row_start = static_cast<float>(count / 2) + 0.5f;
    rounding.row_unit = plan.scale;
  } else if (plan.result == Result::smooth) {
    rounding.row_start = static_cast<float>(1 << (plan.bits - 1));
    rounding.row_unit = 1.0f / static_cast<float>(1 << plan.bits);
  }
  return rounding;
}

/// floor(n * unit + bias), at least 2^23 and below 2^24: with a bias of 2^23 the integer is in the lowest bits of the
/// float.
inline constexpr float floor_bias = 8388608.0f;
TS_HD inline float floored(float n, float unit, float bias = floor_bias) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rz(n, unit, bias);
#else
  // Less 2^23 at first, so that a double holds everything.
  const double above = static_cast<double>(n) * static_cast<double>(unit) + (static_cast<double>(bias) - floor_bias);
  return floor_bias + static_cast<float>(static_cast<int>(above));
#endif
}

}  // namespace threadscape::separable

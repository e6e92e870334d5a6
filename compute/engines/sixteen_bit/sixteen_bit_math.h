#pragma once
// The conversion of one 16-bit value to a float and back, on the CPU and on the GPU with equal bits.

#include "compute/kernel/views.h"

namespace threadscape::sixteen_bit {

/// 0..65535 as 0..1: the float that is nearest to value / 65535, because the quotient is rounded once.
TS_HD inline float to_float(std::uint16_t value) {
  return static_cast<float>(value) / 65535.0f;
}

/// 0..1 as 0..65535, rounded to nearest and limited. NaN becomes 0. The product is exact in double.
TS_HD inline std::uint16_t from_float(float value) {
  const double scaled = static_cast<double>(value) * 65535.0;
  if (!(scaled > 0.0)) return 0;
  return static_cast<std::uint16_t>(scaled >= 65535.0 ? 65535.0 : scaled + 0.5);
}

}  // namespace threadscape::sixteen_bit

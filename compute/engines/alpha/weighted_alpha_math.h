#pragma once
// A pixel times its alpha, and the pixel that a mean of such products stands for, on the CPU and on the GPU with equal
// bits.

#include "compute/kernel/shape.h"
#include "compute/kernel/std.h"
#include "compute/kernel/views.h"

namespace threadscape::weighted_alpha {

/// The alpha of an opaque pixel.
template <class Value>
inline constexpr float full_alpha = std::is_same_v<Value, float> ? 1.0f : static_cast<float>(static_cast<Value>(-1));

/// The colours times alpha, and alpha itself, in the numbers of the picture. Products of bytes are exact.
template <class Value>
TS_HD inline Rgba32f weighted(const RgbaOf<Value>& p) {
  const auto alpha = static_cast<float>(p.a);
  return {static_cast<float>(p.r) * alpha, static_cast<float>(p.g) * alpha, static_cast<float>(p.b) * alpha, alpha};
}

/// A value of the picture's type. Integers are rounded to nearest and limited; NaN becomes 0 in them.
template <class Value>
TS_HD inline Value as_value(float value) {
  if constexpr (std::is_same_v<Value, float>) {
    return value;
  } else {
    constexpr float most = full_alpha<Value>;
    return static_cast<Value>(!(value > 0.0f) ? 0.0f : value >= most ? most : value + 0.5f);
  }
}

/// The colours whose products with alpha have the mean `sum`, where alpha has the mean `weight`; black where that is 0,
/// because nothing of the window is visible. Alpha is that of `sum`.
template <class Value>
TS_HD inline RgbaOf<Value> unweighted(const Rgba32f& sum, float weight) {
  const bool visible = weight != 0.0f;
  return {as_value<Value>(visible ? sum.r / weight : 0.0f), as_value<Value>(visible ? sum.g / weight : 0.0f),
          as_value<Value>(visible ? sum.b / weight : 0.0f), as_value<Value>(sum.a)};
}

}  // namespace threadscape::weighted_alpha

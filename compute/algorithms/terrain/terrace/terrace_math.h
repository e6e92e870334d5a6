#pragma once
// The height of a terraced point, shared by all backends. With h / step = k + f, where k is an integer and 0 <= f < 1:
//
//   h' = step * (k + max(f - flat, 0) / (1 - flat))        flat < 1: level, then a ramp up to the next step
//   h' = step * k                                          flat = 1
//
// Heights of more than 2^22 steps are not changed, since a float does not hold their fraction f exactly enough.

#include "compute/kernel/views.h"

namespace threadscape::terrace {

/// The mapping of heights to terraced heights.
struct Plan {
  float step, flat;
  float ramp;  ///< 1 / (1 - flat), or 0 if flat is 1.

  TS_HD Plan(float step_, float flat_) : step(step_), flat(flat_), ramp(flat_ < 1.0f ? 1.0f / (1.0f - flat_) : 0.0f) {}

  TS_HD float operator()(float height) const {
    constexpr float limit = 4194304.0f;
    const float steps = height / step;
    const bool sane = steps > -limit && steps < limit;
    // floor() as a conversion towards zero and a correction, which every instruction set has in vectors.
    const float inside = sane ? steps : 0.0f;
    const float whole = static_cast<float>(static_cast<int>(inside));
    const float k = whole > inside ? whole - 1.0f : whole;
    const float above = inside - k - flat;
    const float terraced = step * (k + (above > 0.0f ? above : 0.0f) * ramp);
    return sane ? terraced : height;
  }
};

}  // namespace threadscape::terrace

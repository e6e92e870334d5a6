#pragma once
// The law of Lambert and Beer in both directions, shared by all backends.

#include "compute/kernel/views.h"

namespace threadscape::beer_lambert {

enum class Output : std::uint8_t { intensity, integral };

struct Plan {
  Output output = Output::intensity;
  double initial = 1.0;      ///< Intensity of a ray that nothing attenuates.
  double attenuation = 1.0;  ///< Coefficient of attenuation of density 1, per unit of length.
};

/// The intensity that a line integral p leaves, initial * exp(-attenuation * p), or the line integral of an intensity
/// m, -ln(m / initial) / attenuation. Computed in double, so that backends with other exponentials and logarithms
/// differ in the last bit of a float at most. An intensity has an upper limit, the largest float, where an integral is
/// far below zero; one of zero or less counts as the smallest normal float, so that its integral is finite.
TS_HD inline float converted(const Plan& plan, float value) {
  constexpr double largest = std::numeric_limits<float>::max(), smallest = std::numeric_limits<float>::min();
  const auto given = static_cast<double>(value);
  if (plan.output == Output::intensity) {
    const double intensity = plan.initial * exp(-plan.attenuation * given);
    return static_cast<float>(intensity < largest ? intensity : largest);
  }
  return static_cast<float>(-log((given > smallest ? given : smallest) / plan.initial) / plan.attenuation);
}

}  // namespace threadscape::beer_lambert

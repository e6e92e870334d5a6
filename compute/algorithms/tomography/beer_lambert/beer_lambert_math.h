#pragma once
// The law of Lambert and Beer in both directions, shared by all backends.

#include "compute/algorithms/tomography/beer_lambert/beer_lambert_spectrum.h"
#include "compute/kernel/views.h"

namespace threadscape::beer_lambert {

enum class Output : std::uint8_t { intensity, integral };

struct Plan {
  Output output = Output::intensity;
  double initial = 1.0;      ///< Intensity of a ray that nothing attenuates.
  double attenuation = 1.0;  ///< Coefficient of attenuation of density 1, per unit of length.
  /// Photons that a pixel counts of a ray that nothing attenuates; 0 for intensities without noise.
  double photons = 0.0;
  std::uint64_t seed = 0;  ///< From which the numbers of photons follow.
  Spectrum spectrum;
};

/// The intensity that a line integral p leaves, initial * exp(-attenuation * p), or the line integral of an intensity
/// m, -ln(m / initial) / attenuation; with a spectrum the sum over its energies, and the solution of that. Computed in
/// double, so that backends with other exponentials and logarithms differ in the last bit of a float at most. An
/// intensity has an upper limit, the largest float, where an integral is far below zero; one of zero or less counts as
/// the smallest normal float, so that its integral is finite.
TS_HD inline float converted(const Plan& plan, float value) {
  constexpr double largest = std::numeric_limits<float>::max(), smallest = std::numeric_limits<float>::min();
  const auto given = static_cast<double>(value);
  if (plan.output == Output::intensity) {
    const double intensity = plan.initial * share_left(plan.spectrum, plan.attenuation * given);
    return static_cast<float>(intensity < largest ? intensity : largest);
  }
  const double logarithm = log((given > smallest ? given : smallest) / plan.initial);
  return static_cast<float>(integral_of(plan.spectrum, logarithm) / plan.attenuation);
}

/// The value of a pixel of a view: an intensity is the number of photons that the pixel has counted if the plan says
/// so.
TS_HD inline float converted(const Plan& plan, float value, int x, int y, int view) {
  if (plan.output != Output::intensity || plan.photons == 0.0 || value != value) return converted(plan, value);
  const double mean = plan.photons * photons_left(plan.spectrum, plan.attenuation * static_cast<double>(value));
  if (!(mean > 0.0)) return 0.0f;
  return static_cast<float>(plan.initial * photons_of(mean, uniform_of(plan.seed, x, y, view)) / plan.photons);
}

}  // namespace threadscape::beer_lambert

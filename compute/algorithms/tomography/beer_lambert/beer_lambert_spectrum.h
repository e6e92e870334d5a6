#pragma once
// The spectrum of a source: photons of several energies, each of which the object attenuates by a coefficient of its
// own. Those that are attenuated most are missing first, so that a thick object seems to attenuate less than it does
// (beam hardening), and a reconstruction is lower in its middle than at its rim (cupping).

#include "compute/algorithms/tomography/beer_lambert/beer_lambert_photons.h"
#include "compute/kernel/std.h"

namespace threadscape::beer_lambert {

inline constexpr int max_energies = 16;

/// The energies of the photons. Without a spectrum it is a single one with the given attenuation.
struct Spectrum {
  int count = 1;
  double factor[max_energies] = {1.0};  ///< Attenuation of each energy, relative to the coefficient of attenuation.
  double weight[max_energies] = {1.0};  ///< Share of each energy in the intensity; the sum is 1.
};

/// The share of the intensity that the product p of attenuation and line integral leaves.
TS_HD inline double share_left(const Spectrum& spectrum, double p) {
  double sum = 0.0;
  for (int i = 0; i < spectrum.count; ++i)
    sum += spectrum.weight[i] * exp(-spectrum.factor[i] * p);
  return sum;
}

/// The share of photons that p leaves, by sums and products that are the same on all backends. A share of more than
/// about 15 is no measurement, and would take long to count.
TS_HD inline double photons_left(const Spectrum& spectrum, double p) {
  double sum = 0.0;
  for (int i = 0; i < spectrum.count; ++i) {
    const double power = -spectrum.factor[i] * p;
    sum += spectrum.weight[i] * (power <= 0.0 ? exponential(power) : 1.0 / exponential(power < 2.7 ? -power : -2.7));
  }
  return sum;
}

/// The p that leaves a share whose logarithm is `wanted`: the inverse of share_left(). The logarithm of the share is a
/// convex function that falls with p, so that Newton's method, begun on the left of the solution, approaches it from
/// there without a bound on its steps.
TS_HD inline double integral_of(const Spectrum& spectrum, double wanted) {
  double largest = spectrum.factor[0], smallest = largest;
  for (int i = 1; i < spectrum.count; ++i) {
    largest = spectrum.factor[i] > largest ? spectrum.factor[i] : largest;
    smallest = spectrum.factor[i] < smallest ? spectrum.factor[i] : smallest;
  }
  double p = -wanted / (wanted < 0.0 ? largest : smallest);
  for (int step = 0; step < 64 && smallest < largest; ++step) {
    const double highest = -(p > 0.0 ? smallest : largest) * p;  // The largest exponent, which is taken out of the sum.
    double sum = 0.0, slope = 0.0;
    for (int i = 0; i < spectrum.count; ++i) {
      const double left = spectrum.weight[i] * exp(-spectrum.factor[i] * p - highest);
      sum += left;
      slope += spectrum.factor[i] * left;
    }
    const double change = (highest + log(sum) - wanted) * sum / slope;
    p += change;
    if (!(change > 1e-14 * (p < 0.0 ? -p : p))) break;
  }
  return p;
}

}  // namespace threadscape::beer_lambert

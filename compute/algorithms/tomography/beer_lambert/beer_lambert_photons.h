#pragma once
// The number of photons that reach a pixel of the detector, a random number with the law of Poisson. Exponentials and
// logarithms are made of sums, products and quotients of doubles, which every processor and GPU rounds in the same way,
// so that a number is the same on all backends.

#include "compute/kernel/philox.h"
#include "compute/kernel/views.h"

namespace threadscape::beer_lambert {

inline constexpr double ln_2_upper = 0x1.62e42feep-1, ln_2_lower = 0x1.a39ef35793c76p-33;  // Their sum is ln 2.

/// 2^exponent, for exponents of normal doubles.
TS_HD inline double power_of_two(int exponent) {
#ifdef __CUDA_ARCH__
  return __longlong_as_double(static_cast<long long>(exponent + 1023) << 52);
#else
  return std::bit_cast<double>(static_cast<std::uint64_t>(exponent + 1023) << 52);
#endif
}

/// e^x for x <= 0, within two units in the last place; 0 below e^-700.
TS_HD inline double exponential(double x) {
  if (!(x > -700.0)) return 0.0;
  const auto power = static_cast<int>(x * 1.4426950408889634 - 0.5);  // Rounded to nearest, as x is not positive.
  const double rest = (x - power * ln_2_upper) - power * ln_2_lower;
  double sum = 1.0;
  for (int n = 14; n > 0; --n)
    sum = 1.0 + rest * sum / n;
  return sum * power_of_two(power);
}

/// The natural logarithm of a positive normal number, within a few units of the last place of its largest summand.
TS_HD inline double logarithm(double x) {
  int power = 0;
  while (x > 1.4142135623730951) {
    x *= 0.5;
    ++power;
  }
  while (x < 0.7071067811865476) {
    x *= 2.0;
    --power;
  }
  const double s = (x - 1.0) / (x + 1.0), square = s * s;
  double sum = 0.0;
  for (int n = 23; n > 0; n -= 2)
    sum = sum * square + 1.0 / n;
  return power * ln_2_upper + (power * ln_2_lower + 2.0 * s * sum);
}

/// The probability of exactly `count` photons where `mean` are expected.
TS_HD inline double poisson_probability(double mean, int count) {
  if (count < 16) {
    double probability = exponential(-mean);
    for (int n = 1; n <= count; ++n)
      probability = probability * mean / n;
    return probability;
  }
  // The factorial by Stirling's series, whose next term is below 1e-12 here.
  const double n = count, inverse = 1.0 / n, square = inverse * inverse;
  const double series = inverse * (1.0 / 12 - square * (1.0 / 360 - square * (1.0 / 1260 - square / 1680)));
  const double power = n * logarithm(mean / n) + (n - mean) - 0.5 * logarithm(6.283185307179586 * n) - series;
  return exponential(power < 0.0 ? power : 0.0);
}

/// The number of photons for a uniform number of [0, 1): the probabilities of the numbers from the most likely one
/// outwards are taken from it until nothing is left (Kemp 1990). About as many steps as the root of the mean.
TS_HD inline int photons_of(double mean, double uniform) {
  const int mode = static_cast<int>(mean);
  double below = poisson_probability(mean, mode), above = below, left = uniform - below;
  int low = mode, high = mode;
  while (left >= 0.0) {
    if (low > 0) {
      below = below * low / mean;
      left -= below;
      --low;
      if (left < 0.0) return low;
    } else {
      below = 0.0;
    }
    ++high;
    above = above * mean / high;
    left -= above;
    if (left < 0.0) return high;
    if (above + below < 1e-18) break;  // What is left is the rounding of the sum.
  }
  return mode;
}

/// A uniform number of [0, 1) with 53 bits for a pixel of a view.
TS_HD inline double uniform_of(std::uint64_t seed, int x, int y, int view) {
  const PhiloxBlock block = philox(
      {{static_cast<std::uint32_t>(x), static_cast<std::uint32_t>(y), static_cast<std::uint32_t>(view), 0x50484f54u}},
      seed);
  return ((block.word[0] >> 5) * 67108864.0 + (block.word[1] >> 6)) * 0x1p-53;
}

}  // namespace threadscape::beer_lambert

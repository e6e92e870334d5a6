#pragma once
// The tone curve of one value, shared by all backends. The power is computed by additions, multiplications and
// divisions of doubles alone, so that it has the same bits on every backend, which those of the libraries for C++ and
// CUDA have not.

#include "compute/kernel/border.h"

namespace threadscape::levels {

/// The parameters of a run as shares of white, passed to kernels by value.
struct Plan {
  double black = 0.0, width = 1.0;  ///< The input level that becomes the lowest output, and the way to the highest.
  double exponent = 1.0;            ///< The inverse of gamma.
  double low = 0.0, range = 1.0;    ///< The output for black, and the way to that for white, which may be negative.
};

/// x^exponent for 0 <= x <= 1 and an exponent of 0.1 to 10, with a relative error below 1e-11. Results below 1e-40 are
/// 0.
TS_HD inline double power(double x, double exponent) {
  if (exponent == 1.0 || x == 0.0 || x == 1.0) return x;
  constexpr double ln2 = 0.69314718055994530942;
  int binary = 0;
  double mantissa = frexp(x, &binary);  // 0.5 <= mantissa < 1
  if (mantissa < 0.70710678118654752440) {
    mantissa *= 2.0;
    --binary;
  }
  // log((1 + s) / (1 - s)) = 2 (s + s^3 / 3 + s^5 / 5 + ...), with |s| < 0.172.
  const double s = (mantissa - 1.0) / (mantissa + 1.0), squared = s * s;
  double sum = 0.0;
  for (int k = 17; k >= 1; k -= 2)
    sum = sum * squared + 1.0 / k;
  const double exponent_of_two = exponent * (static_cast<double>(binary) + 2.0 * s * sum / ln2);
  const double whole = floor(exponent_of_two + 0.5);
  if (whole < -133.0) return 0.0;
  const double rest = (exponent_of_two - whole) * ln2;  // |rest| < 0.347
  double exponential = 1.0;
  for (int k = 12; k >= 1; --k)
    exponential = 1.0 + exponential * rest / k;
  return ldexp(exponential, static_cast<int>(whole));
}

/// The value on the tone curve: the levels from black to white are stretched to 0..1, bent by gamma, and put between
/// the output levels. Integers are rounded to nearest, where x.5 is rounded up. NaN becomes the output for black.
template <class Value>
TS_HD Value adjust(const Plan& plan, Value value) {
  constexpr auto white_level = static_cast<double>(white<Value>);
  const double share = (static_cast<double>(value) / white_level - plan.black) / plan.width;
  const double inside = share > 0.0 ? (share < 1.0 ? share : 1.0) : 0.0;
  const double level = plan.low + plan.range * power(inside, plan.exponent);
  if constexpr (std::is_floating_point_v<Value>)
    return static_cast<Value>(level);
  else
    return static_cast<Value>(floor(level * white_level + 0.5));
}

/// The pixel with the curve applied to all of its planes; alpha stays.
template <class P>
TS_HD typename P::Pixel adjust_pixel(const Plan& plan, typename P::Pixel pixel) {
  for (int plane = 0; plane < P::count; ++plane)
    P::set(pixel, plane, adjust(plan, P::get(pixel, plane)));
  return pixel;
}

}  // namespace threadscape::levels

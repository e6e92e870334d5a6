#pragma once

#include <cmath>
#include <cstdint>

namespace threadscape::io {

/// A float of 16 bits as files store it (binary16 of IEEE 754).
struct Half {
  std::uint16_t bits = 0;

  /// The number as a float, which holds it exactly.
  operator float() const {  // NOLINT(google-explicit-constructor): it is used in the place of other types of numbers.
    const int exponent = bits >> 10 & 31, fraction = bits & 1023;
    const float size = exponent == 31  ? (fraction == 0 ? INFINITY : NAN)
                       : exponent == 0 ? std::ldexp(static_cast<float>(fraction), -24)
                                       : std::ldexp(static_cast<float>(fraction + 1024), exponent - 25);
    return (bits & 0x8000) != 0 ? -size : size;
  }
};

}  // namespace threadscape::io

#pragma once
// The arithmetic of the Sobel filter, shared by all backends. All of it is in integers but the root of the l2 norm.

#include <cmath>
#include <cstdint>

#include "compute/core/border.h"
#include "compute/core/views.h"

namespace threadscape::sobel {

enum class Norm : int { l1, l2 };

inline constexpr int radius = 1;
inline constexpr int largest_gradient = 4 * 255;

/// The two masks, applied as correlation: gx grows to the right, gy downwards.
///   -1 0 1      -1 -2 -1
///   -2 0 2       0  0  0
///   -1 0 1       1  2  1
struct Gradient {
  int x = 0, y = 0;
};

/// value(dx, dy) gives the neighbour at that offset as an integer.
template <class Value>
TS_HD Gradient gradient(const Value& value) {
  const int upper_left = value(-1, -1), upper = value(0, -1), upper_right = value(1, -1);
  const int left = value(-1, 0), right = value(1, 0);
  const int lower_left = value(-1, 1), lower = value(0, 1), lower_right = value(1, 1);
  return {(upper_right + 2 * right + lower_right) - (upper_left + 2 * left + lower_left),
          (lower_left + 2 * lower + lower_right) - (upper_left + 2 * upper + upper_right)};
}

/// The strength of an edge, saturated to 0..255: |gx| + |gy|, or the root of gx^2 + gy^2 rounded to nearest.
///
/// The root is never half-way between integers: (k + 1/2)^2 is a quarter away from any integer, so for k <= 255 the
/// root of an integer is at least 0.25 / 512 away from k + 1/2. Any root with a relative error below 2^-20 rounds the
/// same.
TS_HD inline std::uint8_t strength(Gradient g, Norm norm) {
  const int x = g.x < 0 ? -g.x : g.x, y = g.y < 0 ? -g.y : g.y;
  if (norm == Norm::l1) return static_cast<std::uint8_t>(x + y > 255 ? 255 : x + y);
  const float root = sqrtf(static_cast<float>(x * x + y * y)) + 0.5f;
  return static_cast<std::uint8_t>(root > 255.0f ? 255.0f : root);
}

/// The parameters of a run, passed to kernels by value.
struct Plan {
  Norm norm = Norm::l1;
  Border border = Border::mirror;
  Channels channels = Channels::each;
};

}  // namespace threadscape::sobel

#pragma once
// The weights and the arithmetic of the bilateral filter, shared by all backends.

#include "compute/kernel/border.h"
#include "compute/kernel/views.h"

namespace threadscape::bilateral {

inline constexpr float max_sigma_space = 5.0f;
inline constexpr int max_radius = 10, max_window = 2 * max_radius + 1;

/// The parameters of a run.
struct Plan {
  int radius = 1;
  float range_factor = 0.0f;  ///< The range weight of a difference d (white is 1) is 2^(d * d * range_factor).
  Border border = Border::mirror;
  Channels channels = Channels::each;
  bool weighted = false;  ///< The weights of pixels with alpha are multiplied by it.
};

/// The weights, computed on the host once per run, so that all backends multiply by the same numbers.
struct Weights {
  float space[max_window * max_window];  ///< Spatial weights, row by row of the window, 2 radius + 1 each.
  float range[256];                      ///< Range weights of bytes, by the absolute value of their difference.
};

/// 2^t for t <= 0 with a relative error below 2^-18, by operations that give the same bits everywhere: the exponent is
/// the integer part of t, and a Taylor polynomial around the middle of 0 .. 1 gives the rest. 0 for t <= -126.
TS_HD inline float power_of_two(float t) {
  if (!(t > -126.0f)) return 0.0f;
  const int whole = static_cast<int>(t) - 1;                             // -126 .. -1
  const float x = (t - static_cast<float>(whole) - 0.5f) * 0.69314718f;  // -0.35 .. 0.35
  float sum = 1.0f / 720;
  sum = sum * x + 1.0f / 120;
  sum = sum * x + 1.0f / 24;
  sum = sum * x + 1.0f / 6;
  sum = sum * x + 0.5f;
  sum = sum * x + 1.0f;
  sum = sum * x + 1.0f;
  const auto scale = static_cast<std::uint32_t>(whole + 127) << 23;
  return sum * 1.41421356f * __builtin_bit_cast(float, scale);
}

/// The range weight of a neighbour, by the difference of its value from that of the pixel in the centre.
TS_HD inline float range_weight(std::uint8_t value, std::uint8_t centre, const Plan&, const float* range) {
  return range[std::abs(value - centre)];
}
TS_HD inline float range_weight(float value, float centre, const Plan& plan, const float*) {
  const float difference = value - centre;
  return power_of_two(difference * difference * plan.range_factor);
}

/// The weighted mean of a window; bytes are rounded to nearest, halves up. `weights`, the sum of the weights, is 0
/// where nothing of the window is visible: then the mean is 0, which is black.
TS_HD inline std::uint8_t finished(float sum, float weights, std::uint8_t) {
  return weights == 0.0f ? std::uint8_t{0} : static_cast<std::uint8_t>(sum / weights + 0.5f);
}
TS_HD inline float finished(float sum, float weights, float centre) {
  return weights == 0.0f ? 0.0f : centre + sum / weights;
}

/// What is summed of a neighbour: a byte itself, and of a float its difference from the pixel in the centre, so that a
/// flat picture stays as it is to the bit.
TS_HD inline float summand(std::uint8_t value, std::uint8_t) {
  return static_cast<float>(value);
}
TS_HD inline float summand(float value, float centre) {
  return value - centre;
}

/// Stands for the alpha of neighbours where that does not count.
struct NoAlpha {};

/// The weighted mean of the window, row by row from top to bottom, each row from left to right, with one rounding per
/// operation: weight = space * range, weight * alpha, sum + weight * summand(), weights + weight. value(dx, dy) is the
/// neighbour at this offset, and alpha(dx, dy) is its alpha, unless that does not count.
template <class Value, class Read, class Alpha>
TS_HD Value filtered(const Read& value, const Alpha& alpha, Value centre, const Plan& plan, const float* space,
                     const float* range) {
  float sum = 0.0f, weights = 0.0f;
  for (int dy = -plan.radius; dy <= plan.radius; ++dy)
    for (int dx = -plan.radius; dx <= plan.radius; ++dx) {
      const Value neighbour = value(dx, dy);
      float weight = *space++ * range_weight(neighbour, centre, plan, range);
      if constexpr (!std::is_same_v<Alpha, NoAlpha>) weight *= alpha(dx, dy);
      sum += weight * summand(neighbour, centre);
      weights += weight;
    }
  return finished(sum, weights, centre);
}

/// The alpha at (x, y), which is 0 outside of the picture where `border` puts zeros.
template <class View>
TS_HD float alpha_value(const View& in, int x, int y, Border border) {
  const int column = border_index(x, in.width, border), row = border_index(y, in.height, border);
  return column < 0 || row < 0 ? 0.0f : static_cast<float>(in(column, row).a);
}

/// Calls f(std::true_type{}) if the plan counts alpha and the pixels have it, otherwise f(std::false_type{}).
template <class Pixel, class F>
void with_alpha_or_without(const Plan& plan, const F& f) {
  if constexpr (std::is_class_v<Pixel>)
    if (plan.weighted) return f(std::true_type{});
  f(std::false_type{});
}

}  // namespace threadscape::bilateral

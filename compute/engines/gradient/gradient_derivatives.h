#pragma once
// The derivatives gx and gy by masks that are a column times a row, for Sobel masks beyond 3x3 and for angles:
//
//   size   slope: along the derivative   smooth: across it      shift   masks
//   3      -1 0 1                        side centre side       0       those of gradient.h
//   5      -1 -2 0 2 1                   1 4 6 4 1              4       Sobel, as cv::getDerivKernels() of OpenCV has
//   them: 7      -1 -4 -5 0 5 4 1              1 6 15 20 15 6 1       8       1 2 1 smoothed again by 1 2 1, once and
//   twice
//
// Strengths are divided by 2^shift, so that a ramp gives as much as with the 3x3 mask, 8 times its slope.
//
// Order of the sums: along each column from the top, then along the row of these sums from the left; each starts from
// 0, and each product is rounded before it is added. Sums of 8-bit pictures are integers, of at most 163200.

#include <cmath>
#include <cstdint>
#include <type_traits>

#include "compute/engines/gradient/gradient.h"
#include "compute/engines/planes/planes.h"

namespace threadscape::gradient {

inline constexpr int max_derivative_size = 7;
inline constexpr int max_derivative_radius = max_derivative_size / 2;

/// The parameters of a run, passed to kernels by value.
struct DerivativePlan {
  int size = 3;
  int slope[max_derivative_size] = {}, smooth[max_derivative_size] = {};
  int shift = 0;
  Norm norm = Norm::l1;
  Result output = Result::absolute;
  Border border = Border::mirror;
  Channels channels = Channels::each;

  [[nodiscard]] TS_HD int radius() const { return size / 2; }
};
/// The plan for the mask of this engine with weights `side` and `centre`, or for a Sobel mask of size 5 or 7.
[[nodiscard]] DerivativePlan derivative_plan(int size, int side, int centre, const Params& params);

template <class Value>
using DerivativeSum = std::conditional_t<std::is_same_v<Value, float>, float, int>;

template <class Sum>
struct Derivatives {
  Sum x, y;
};
/// Both derivatives of a window; value(kx, ky) returns the value under tap (kx, ky) of the masks.
template <class Sum, class Value>
TS_HD Derivatives<Sum> derivatives_of(const DerivativePlan& plan, const Value& value) {
  Sum x = 0, y = 0;
  for (int kx = 0; kx < plan.size; ++kx) {
    Sum smooth = 0, slope = 0;
    for (int ky = 0; ky < plan.size; ++ky) {
      const auto v = static_cast<Sum>(value(kx, ky));
      smooth += static_cast<Sum>(plan.smooth[ky]) * v;
      slope += static_cast<Sum>(plan.slope[ky]) * v;
    }
    x += static_cast<Sum>(plan.slope[kx]) * smooth;
    y += static_cast<Sum>(plan.smooth[kx]) * slope;
  }
  return {x, y};
}

/// The angle of the vector (x, y) in turns, 0 to 1, from the direction of x towards that of y; 0 for the vector (0, 0),
/// and for vectors of infinities or NaNs that have no direction. The arc tangent is the polynomial 4.4.49 of Abramowitz
/// and Stegun, whose error is below 2e-8 rad; with rounding the result is within 1e-7 turns of the exact one. Every
/// operation is rounded once to float, in this order, so that all backends give the same bits.
TS_HD inline float turns(float x, float y) {
  const float across = __builtin_fabsf(x), down = __builtin_fabsf(y);
  const bool steep = down > across;
  const float ratio = (steep ? across : down) / (steep ? down : across);
  const float square = ratio * ratio;
  float sum = 0.0028662257f;
  sum = sum * square - 0.0161657367f;
  sum = sum * square + 0.0429096138f;
  sum = sum * square - 0.0752896400f;
  sum = sum * square + 0.1065626393f;
  sum = sum * square - 0.1420889944f;
  sum = sum * square + 0.1999355085f;
  sum = sum * square - 0.3333314528f;
  sum = sum * square + 1.0f;
  float angle = sum * ratio * 0.15915494f;  // 1 / (2 pi)
  angle = steep ? 0.25f - angle : angle;
  angle = x < 0.0f ? 0.5f - angle : angle;
  angle = y < 0.0f ? 1.0f - angle : angle;
  return ratio <= 1.0f ? angle : 0.0f;  // The ratio of (0, 0) is NaN.
}

/// The strength, or one of the derivatives, as a pixel of an 8-bit picture: divided by 2^shift and rounded to nearest,
/// halves up. Squares and their sum are exact as doubles.
TS_HD inline std::uint8_t derivative_pixel(const DerivativePlan& plan, const Derivatives<int>& d, std::uint8_t) {
  const int half = (1 << plan.shift) >> 1;
  if (plan.norm == Norm::l2) {
    const double x = d.x, y = d.y, unit = 1 << plan.shift;
    const double root = sqrt(x * x + y * y) / unit + 0.5;
    return edge_pixel(static_cast<int>(root), static_cast<Output>(plan.output));
  }
  const int x = d.x < 0 ? -d.x : d.x, y = d.y < 0 ? -d.y : d.y;
  const int value = plan.norm == Norm::x ? d.x : plan.norm == Norm::y ? d.y : x + y;
  return edge_pixel((value + half) >> plan.shift, static_cast<Output>(plan.output));
}
/// The same for a float picture. The division is exact.
TS_HD inline float derivative_pixel(const DerivativePlan& plan, const Derivatives<float>& d, float) {
  const float value = plan.norm == Norm::x ? d.x : plan.norm == Norm::y ? d.y : strength(d.x, d.y, plan.norm);
  return edge_pixel(value / static_cast<float>(1 << plan.shift), static_cast<Output>(plan.output));
}

/// Planes of floats of a picture like that of P: the result of Result::angle.
template <class P>
struct FloatPlanesOf;
template <class T, Channels channels>
struct FloatPlanesOf<Planes<T, channels>> {
  using type = Planes<std::conditional_t<std::is_arithmetic_v<T>, float, Rgba32f>, channels>;
};

/// What a run writes for pictures with planes P: pixels of P, or the floats of angles.
template <class P, bool angles>
struct DerivativeOutput {
  using Planes = P;
  using Pixel = typename P::Pixel;
  /// What a result is before its planes are set, and where Border::valid computes none: the input, with its alpha.
  TS_HD static Pixel initial(const typename P::Pixel& pixel) { return pixel; }
  TS_HD static typename P::Value value(const DerivativePlan& plan,
                                       const Derivatives<DerivativeSum<typename P::Value>>& d) {
    return derivative_pixel(plan, d, typename P::Value{});
  }
};
template <class P>
struct DerivativeOutput<P, true> {
  using Planes = typename FloatPlanesOf<P>::type;
  using Pixel = typename Planes::Pixel;
  /// 0 with the alpha of the input.
  TS_HD static Pixel initial(const typename P::Pixel& pixel) {
    if constexpr (std::is_class_v<Pixel>)
      return {0.0f, 0.0f, 0.0f, static_cast<float>(pixel.a) / static_cast<float>(white<typename P::Value>)};
    else
      return 0.0f;
  }
  TS_HD static float value(const DerivativePlan&, const Derivatives<DerivativeSum<typename P::Value>>& d) {
    return turns(static_cast<float>(d.x), static_cast<float>(d.y));
  }
};

/// Calls f(planes, output) with the Planes of the input and the DerivativeOutput of the plan.
template <class F>
void with_derivatives(const DerivativePlan& plan, const Shape& input, const F& f) {
  with_planes<std::uint8_t, float>(input, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    if (plan.output == Result::angle)
      f(planes, DerivativeOutput<P, true>{});
    else
      f(planes, DerivativeOutput<P, false>{});
  });
}

void serial(const DerivativePlan& plan, const HostRun& run);
void openmp(const DerivativePlan& plan, const HostRun& run);
void cuda(const DerivativePlan& plan, const DeviceRun& run);

}  // namespace threadscape::gradient

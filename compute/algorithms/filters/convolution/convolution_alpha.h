#pragma once
// Convolution of pictures whose pixels count by their alpha a, of 1 for opaque ones. For what a neighbour lacks of
// that, the pixel in the middle counts in its place, so that a hidden neighbour makes no edge and one colour stays what
// it is:
//
//   sum of w[i] (a[i] v[i] + (1 - a[i]) v[middle])  =  sum of w[i] a[i] v[i]  +  v[middle] * sum of w[i] (1 - a[i])
//
// Both sums on the right are convolutions of pictures of floats, which have the same bits on all backends. No sum is a
// divisor, as that of a mean is: with negative weights it could be 0.

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/engines/alpha/weighted_alpha_math.h"
#include "compute/engines/planes/crop.h"
#include "compute/kernel/planes.h"

namespace threadscape::convolution {

/// The numbers of a run that a pixel of the result is made with.
struct MixPlan {
  Finish finish;
  Border border = Border::mirror;
  int radius = 1;
  int shift = 0;  ///< The pixel (x, y) of the result lies at (x + shift, y + shift) in the input.
};

/// The pixel of the result at (x, y), from those of the two convolutions.
template <class P, class View>
TS_HD inline typename P::Pixel mixed(const MixPlan& plan, const View& in, const Rgba32f& colours, float weights, int x,
                                     int y) {
  using Value = typename P::Value;
  using Floats = std::conditional_t<P::count == 1, Planes<Rgba32f, Channels::luma>, Planes<Rgba32f, Channels::each>>;
  auto pixel = in(x + plan.shift, y + plan.shift);
  if (plan.border == Border::valid && window_leaves(x, y, in.width, in.height, plan.radius)) return pixel;
  const Rgba32f middle{static_cast<float>(pixel.r), static_cast<float>(pixel.g), static_cast<float>(pixel.b), 0.0f};
  for (int plane = 0; plane < P::count; ++plane) {
    const float sum = P::count == 1 ? colours.r : Floats::get(colours, plane);
    const float hidden = Floats::get(middle, plane) * weights;
    const float value = (sum + hidden) / weighted_alpha::full_alpha<Value>;
    P::set(pixel, plane, finish_pixel<Value>(value, plan.finish));
  }
  return pixel;
}

void mix(const Plan& plan, const HostIn& colours, const HostIn& weights, const HostRun& run);
void mix_on_device(const Plan& plan, const DeviceIn& colours, const DeviceIn& weights, const DeviceRun& run);

[[nodiscard]] inline MixPlan mix_plan(const Plan& plan) {
  return {plan.finish, plan.border, plan.radius, plan.border == Border::crop ? plan.radius : 0};
}

/// Runs convolution with compute(plan, run), and makes the pixels with mix(plan, colours, weights, run).
template <class View, class Run, class Compute, class Mix>
void with_alpha(const Convolution::Params& params, const Run& run, const Compute& compute, const Mix& mix_sums) {
  Convolution::Params sums = params;
  sums.divide_by = Convolution::DivideBy::divisor;
  sums.divisor = 1.0f;
  sums.bias = 0.0f;
  sums.absolute = false;
  const Plan plan = Convolution::plan(params), linear = Convolution::plan(sums);
  weighted_alpha::run_weighted<View>(
      run, weighted_alpha::Weights::hidden,
      [&](const Run& floats) { with_crop(linear, linear.radius, floats, compute); },
      [&](const auto& colours, const auto& weights) { mix_sums(plan, colours, weights, run); });
}

}  // namespace threadscape::convolution

#pragma once
// The part that all algorithms of the gradient engine share: sobel, prewitt and scharr derive from it.

#include <string_view>

#include "compute/core/region.h"
#include "compute/engines/gradient/gradient_derivatives.h"

namespace threadscape::gradient {

/// Everything that describe<A>() asks of an algorithm but its texts; A has a static `name`.
template <class A, class Mask>
struct Filter {
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr auto cuda_variants = gradient::cuda_variants;

  using Norm = gradient::Norm;
  using Params = gradient::Params;

  [[nodiscard]] static Plan plan(const Params& params) { return plan_of<Mask>(params); }

  /// The side of the mask; an algorithm with larger ones has a parameter `size`.
  static int size_of(const auto& params) {
    if constexpr (requires { params.size; })
      return params.size;
    else
      return 3;
  }
  /// Returns whether gradient_derivatives.h computes the result.
  static bool by_derivatives(const auto& params) { return size_of(params) > 3 || params.output == Result::angle; }
  [[nodiscard]] static DerivativePlan derivatives(const auto& params) {
    return derivative_plan(size_of(params), Mask::side, Mask::centre, params);
  }

  static Shape output_shape(const Params& params, const Shape& input) {
    Shape shape = gradient::output_shape(A::name, input);
    if (params.output == Result::angle) shape.element = Element::f32;
    return shape;
  }
  static Reach reach(const auto& params) { return reach_around(size_of(params) / 2, params.border); }
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  /// A product and a sum for each tap of each mask and value: size * size taps, or 9 in each direction.
  static double operations(const auto& params, const Shape& shape) {
    const double masks = params.directions == Directions::two ? 2.0 : 8.0;
    return 2.0 * size_of(params) * size_of(params) * masks * static_cast<double>(shape.items() * shape.channels);
  }
  static void serial(const auto& params, const HostRun& run) {
    by_derivatives(params) ? gradient::serial(derivatives(params), run) : gradient::serial(plan(params), run);
  }
  static void openmp(const auto& params, const HostRun& run) {
    by_derivatives(params) ? gradient::openmp(derivatives(params), run) : gradient::openmp(plan(params), run);
  }
  static void cuda(const auto& params, const DeviceRun& run) {
    by_derivatives(params) ? gradient::cuda(derivatives(params), run) : gradient::cuda(plan(params), run);
  }
};

}  // namespace threadscape::gradient

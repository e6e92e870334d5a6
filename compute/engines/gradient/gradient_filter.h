#pragma once
// The part that all algorithms of the gradient engine share: sobel, prewitt and scharr derive from it.

#include <string_view>

#include "compute/engines/gradient/gradient.h"

namespace threadscape::gradient {

/// Everything that describe<A>() asks of an algorithm but its texts; A has a static `name`.
template <class A, class Mask>
struct Filter {
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr auto cuda_variants = gradient::cuda_variants;

  using Norm = gradient::Norm;
  using Params = gradient::Params;

  [[nodiscard]] static Plan plan(const Params& params) { return plan_of<Mask>(params); }

  static Shape output_shape(const Params&, const Shape& shape) { return gradient::output_shape(A::name, shape); }
  static std::size_t scratch_bytes(const Params&, const Shape&, Backend, int) { return 0; }
  /// Nine products and eight sums for each mask and value, and one operation that takes the mask into the result.
  static double operations(const Params& params, const Shape& shape) {
    const double masks = params.directions == Directions::two ? 2.0 : 8.0;
    return 18.0 * masks * static_cast<double>(shape.items() * shape.channels);
  }
  static void serial(const Params& params, const HostRun& run) { gradient::serial(plan(params), run); }
  static void openmp(const Params& params, const HostRun& run) { gradient::openmp(plan(params), run); }
  static void cuda(const Params& params, const DeviceRun& run) { gradient::cuda(plan(params), run); }
};

}  // namespace threadscape::gradient

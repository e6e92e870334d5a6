#pragma once
// Base class of the algorithms that run on the separable engine: everything that describe<A>() wants but the texts and
// the parameters. The algorithm A has a name, Params, and plan(params), which makes its separable::Plan.

#include <string_view>

#include "compute/engines/separable/separable.h"

namespace threadscape::separable {

template <class A>
struct Filter {
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr auto cuda_variants = separable::cuda_variants;

  static Shape output_shape(const auto&, const Shape& shape) { return separable::output_shape(A::name, shape); }
  static std::size_t scratch_bytes(const auto& params, const Shape& shape, Backend backend, int variant) {
    return separable::scratch_bytes(A::plan(params), shape, backend, variant);
  }
  /// A product and a sum for each tap of both passes, for each term of the mask and each value.
  static double operations(const auto& params, const Shape& shape) {
    const Plan plan = A::plan(params);
    return 4.0 * plan.terms * (2 * plan.radius + 1) * static_cast<double>(shape.items() * shape.channels);
  }
  static void serial(const auto& params, const HostRun& run) { separable::serial(A::plan(params), run); }
  static void openmp(const auto& params, const HostRun& run) { separable::openmp(A::plan(params), run); }
  static void cuda(const auto& params, const DeviceRun& run) { separable::cuda(A::plan(params), run); }
};

}  // namespace threadscape::separable

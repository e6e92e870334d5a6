#pragma once
// Base class of the algorithms that run on the separable engine: everything that describe<A>() wants but the texts and
// the parameters. The algorithm A has a name, Params, and plan(params), which makes its separable::Plan.

#include <string_view>

#include "compute/core/region.h"
#include "compute/engines/planes/crop.h"
#include "compute/engines/separable/separable.h"

namespace threadscape::separable {

template <class A>
struct Filter {
  static constexpr Kind input = Kind::image, output = Kind::image;
  static constexpr Tolerance tolerance = Tolerance::exact();
  static constexpr bool loops = true;
  static constexpr auto cuda_variants = separable::cuda_variants;
  static constexpr auto cuda_routes = separable::cuda_routes;

  static Shape output_shape(const auto& params, const Shape& shape) {
    const Plan plan = A::plan(params);
    return cropped_shape(A::name, separable::output_shape(A::name, shape), plan.border, plan.radius);
  }
  static Reach reach(const auto& params) {
    const Plan plan = A::plan(params);
    return reach_around(plan.radius, plan.border);
  }
  static std::size_t scratch_bytes(const auto& params, const Shape& shape, Backend backend, int variant) {
    const Plan plan = A::plan(params);
    return separable::scratch_bytes(plan, shape, backend, variant) + crop_bytes(shape, plan.border);
  }
  /// A product and a sum for each tap of both passes, for each term of the mask and each value.
  static double operations(const auto& params, const Shape& shape) {
    const Plan plan = A::plan(params);
    return 4.0 * plan.terms * (2 * plan.radius + 1) * static_cast<double>(shape.items() * shape.channels);
  }
  static void serial(const auto& params, const HostRun& run) {
    const Plan plan = A::plan(params);
    with_crop(plan, plan.radius, run, [](const Plan& p, const HostRun& r) { separable::serial(p, r); });
  }
  static void openmp(const auto& params, const HostRun& run) {
    const Plan plan = A::plan(params);
    with_crop(plan, plan.radius, run, [](const Plan& p, const HostRun& r) { separable::openmp(p, r); });
  }
  static void cuda(const auto& params, const DeviceRun& run) {
    const Plan plan = A::plan(params);
    with_crop(plan, plan.radius, run, [](const Plan& p, const DeviceRun& r) { separable::cuda(p, r); });
  }
};

}  // namespace threadscape::separable

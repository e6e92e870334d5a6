// Convolution on the GPU: which kernels a run gets. Those of the default variant are in convolution_tiled.h for 8-bit
// pictures, in convolution_real.cu for float pictures, and beyond 9x9 in convolution_large.cu and in the separable
// engine (compute/engines/separable/cuda); those of the teaching variants are in convolution_ladder.cu.

#include "compute/algorithms/filters/convolution/convolution_alpha.h"
#include "compute/algorithms/filters/convolution/cuda/convolution_cuda.h"
#include "compute/engines/planes/crop.h"
#include "compute/engines/planes/planes.h"
#include "compute/engines/separable/separable.h"

namespace threadscape::convolution {

namespace {

bool launch_unrolled(const Plan& plan, const DeviceRun& run) {
  if (plan.size > max_small_size) return false;
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    if constexpr (std::is_same_v<typename P::Value, float>)
      launch_real<P>(plan, run);
    else
      launch_tiled<P>(plan, run);
  });
  return true;
}

bool launch_two_passes(const Plan& plan, const DeviceRun& run) {
  if (!in_two_passes(plan, run.in.shape)) return false;
  separable::cuda(two_passes(plan), without_route(run));
  return true;
}

bool launch_any_size(const Plan& plan, const DeviceRun& run) {
  if (plan.size <= max_small_size || rounds_in_two_passes(plan, run.in.shape)) return false;
  launch_large(plan, run);
  return true;
}

using Launcher = RouteLauncher<Plan, DeviceRun>;
constexpr std::array launchers{Launcher{route_named("unrolled", Convolution::cuda_routes), launch_unrolled},
                               Launcher{route_named("two_passes", Convolution::cuda_routes), launch_two_passes},
                               Launcher{route_named("any_size", Convolution::cuda_routes), launch_any_size}};

/// Computes the whole picture by the kernels of the variant.
void launch(const Plan& plan, const DeviceRun& run) {
  switch (run.variant) {  // in the order of cuda_variants
    case 1:
      return launch_rung(Rung::global, plan, run);
    case 2:
      return launch_rung(Rung::constant, plan, run);
    case 3:
      return launch_rung(Rung::shared, plan, run);
    default:
      return take_route(launchers, plan, run);
  }
}

}  // namespace

void cuda(const Plan& plan, const DeviceRun& run) {
  check(plan);
  if (plan.border != Border::shrink) return launch(plan, run);
  Plan zeros = plan;
  zeros.border = Border::zero;
  launch(zeros, run);
  launch_shrunk_edges(plan, run);
}

}  // namespace threadscape::convolution

namespace threadscape {

void Convolution::cuda(const Params& params, const DeviceRun& run) {
  if (counts_alpha(params, run.in.shape))
    return convolution::with_alpha<DeviceOut>(params, run, convolution::cuda, convolution::mix_on_device);
  with_crop(plan(params), params.size / 2, run, convolution::cuda);
}

}  // namespace threadscape

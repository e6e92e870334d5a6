// Separable filters on the GPU: which kernel computes a run, by the routes of separable.h. Compare with
// separable_serial.cpp.

#include "compute/engines/planes/planes.h"
#include "compute/engines/separable/cuda/separable_block.cuh"
#include "compute/engines/separable/cuda/separable_cuda.h"
#include "compute/engines/separable/cuda/separable_strip.cuh"
#include "compute/gpu/check.h"

namespace threadscape::separable {
namespace {

template <class P, Arithmetic arithmetic>
void launch_blocks_as(const Plan& plan, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  const auto in = run.in.image<Pixel>();
  constexpr int rows = BlockShape<P>::rows;
  const dim3 grid((in.width + block_columns - 1) / block_columns, (in.height + rows - 1) / rows);
  filter_block<P, arithmetic>
      <<<grid, block_threads, 0, run.stream>>>(in, plan, cuda::rows_aligned(run.in), cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

template <class P>
void launch_blocks(const Plan& plan, const DeviceRun& run) {
  if constexpr (std::is_same_v<typename P::Value, std::uint8_t>) {
    if (!plan.in_floats)
      return plan.below_2_24 ? launch_blocks_as<P, Arithmetic::floats>(plan, run)
                             : launch_blocks_as<P, Arithmetic::integers>(plan, run);
  }
  launch_blocks_as<P, Arithmetic::ordered>(plan, run);
}

template <class P, int radius>
void launch_strips_as(const Plan& plan, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  const auto in = run.in.image<Pixel>();
  constexpr int rows = strip_rows * strip_warps;
  const dim3 grid((in.width + strip_columns - 1) / strip_columns, (in.height + rows - 1) / rows);
  filter_strips<P, radius>
      <<<grid, 32 * strip_warps, 0, run.stream>>>(in, strip_plan(plan), plan, cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

/// Returns whether the strip kernel can compute a run on an 8-bit picture: rows can be read and written by whole words,
/// the plan has one term and sums below 2^24, and the picture is so large that a border index is folded back at most
/// once.
template <class P>
bool strips_fit(const Plan& plan, const DeviceRun& run) {
  const cuda::EitherStore<typename P::Pixel> store(run.out);
  return plan.below_2_24 && plan.radius <= max_strip_radius && plan.terms == 1 && cuda::rows_aligned(run.in) &&
         store.wide() && run.in.shape.width >= 16 && run.in.shape.height >= 16;
}

/// Launches the strip kernel and returns true, or returns false where strips do not fit.
bool launch_strips(const Plan& plan, const DeviceRun& run) {
  bool fits = false;
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    if constexpr (std::is_same_v<typename P::Value, std::uint8_t>) {
      fits = strips_fit<P>(plan, run);
      if (!fits) return;
      static_assert(max_strip_radius == 4, "a case for each radius");
      switch (plan.radius) {
        case 1:
          return launch_strips_as<P, 1>(plan, run);
        case 2:
          return launch_strips_as<P, 2>(plan, run);
        case 3:
          return launch_strips_as<P, 3>(plan, run);
        default:
          return launch_strips_as<P, 4>(plan, run);
      }
    }
  });
  return fits;
}

bool launch_all_blocks(const Plan& plan, const DeviceRun& run) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels,
                                   [&](auto planes) { launch_blocks<decltype(planes)>(plan, run); });
  return true;
}

/// Strips are quicker than matrices where the result needs the original pixel, and slower where it does not.
bool strips_first(const Plan& plan, const DeviceRun&) {
  return plan.result == Result::sharpen;
}

using Launcher = RouteLauncher<Plan, DeviceRun>;
constexpr std::array launchers{Launcher{route_named("fp16", cuda_routes), launch_small},
                               Launcher{route_named("strip", cuda_routes), launch_strips, strips_first},
                               Launcher{route_named("matrix", cuda_routes), launch_matrices},
                               Launcher{route_named("strip", cuda_routes), launch_strips},
                               Launcher{route_named("block", cuda_routes), launch_all_blocks}};

/// Computes the whole picture by the kernels of the variant.
void launch(const Plan& plan, const DeviceRun& run) {
  if (run.variant == 1) return launch_rung(Rung::global, plan, run);  // in the order of cuda_variants
  if (run.variant == 2) return launch_rung(Rung::shared, plan, run);
  take_route(launchers, plan, run);
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

}  // namespace threadscape::separable

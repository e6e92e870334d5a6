// The median on the GPU: which kernels a run gets.

#include "compute/algorithms/smoothing/median/cuda/median_cuda.h"
#include "compute/algorithms/smoothing/median/cuda/median_tiled.h"
#include "compute/algorithms/smoothing/median/median_lists.h"
#include "compute/engines/patches/patch_grid.cuh"

namespace threadscape {
namespace {

using median::Plan;

bool of_bytes(const DeviceRun& run) {
  return run.in.shape.element == Element::u8;
}

bool by_patches(const Plan& plan, const DeviceRun& run) {
  if (!plan.is_median() || !of_bytes(run) || plan.size != 2 * median::MedianPatches::radius + 1) return false;
  with_planes<std::uint8_t>(run.in.shape, plan.channels, [&](auto planes) {
    launch_patches<decltype(planes)>(median::MedianPatches{}, plan.border, run);
  });
  return true;
}

/// Networks of bytes begin with 5x5, because `patch` has 3x3.
bool by_networks(const Plan& plan, const DeviceRun& run) {
  if (!plan.has_network() || (of_bytes(run) && plan.size < 5)) return false;
  of_bytes(run) ? median::launch_byte_networks(plan, run) : median::launch_float_networks(plan, run);
  return true;
}

/// The run has no scratch memory for planes where networks are the usual way.
bool by_histograms(const Plan& plan, const DeviceRun& run) {
  const std::size_t kept = median::kept_results(plan, run.in.shape);
  if (!of_bytes(run) || (kept > 0 && (run.scratch == nullptr || run.scratch->size() < kept))) return false;
  median::launch_histograms(plan, run);
  return true;
}

bool from_shared(const Plan& plan, const DeviceRun& run) {
  median::launch_rung(median::Rung::shared, plan, run);
  return true;
}

using Launcher = RouteLauncher<Plan, DeviceRun>;
constexpr std::array launchers{Launcher{route_named("patch", Median::cuda_routes), by_patches},
                               Launcher{route_named("networks", Median::cuda_routes), by_networks},
                               Launcher{route_named("histograms", Median::cuda_routes), by_histograms},
                               Launcher{route_named("shared", Median::cuda_routes), from_shared}};

}  // namespace

void Median::cuda(const Params& params, const DeviceRun& run) {
  const Plan plan = Median::plan(params);
  const std::string_view variant = cuda_variants[static_cast<std::size_t>(run.variant)].name;
  const bool lists = variant == "selection" || variant == "sorting";
  if (lists && plan.size * plan.size <= median::max_list)
    median::launch_lists(variant == "sorting", plan, run);
  else if (lists || variant == "global")
    median::launch_rung(median::Rung::global, plan, run);
  else if (variant == "networks")
    take_route(launchers, plan, run);
  else if (variant != "histogram" || !by_histograms(plan, run))
    from_shared(plan, run);
}

}  // namespace threadscape

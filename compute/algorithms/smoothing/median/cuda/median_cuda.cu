// The median on the GPU: which kernels a run gets.

#include "compute/algorithms/smoothing/median/cuda/median_cuda.h"
#include "compute/algorithms/smoothing/median/cuda/median_tiled.h"
#include "compute/algorithms/smoothing/median/median_lists.h"
#include "compute/engines/patches/patch_grid.cuh"

namespace threadscape {
namespace {

/// 3x3 medians of bytes: every thread computes a patch of pixels from registers, median_tiled.h.
void launch_patches_of_bytes(const median::Plan& plan, const DeviceRun& run) {
  with_planes<std::uint8_t>(run.in.shape, plan.channels, [&](auto planes) {
    launch_patches<decltype(planes)>(median::MedianPatches{}, plan.border, run);
  });
}

}  // namespace

void Median::cuda(const Params& params, const DeviceRun& run) {
  const median::Plan plan = Median::plan(params);
  const bool bytes = run.in.shape.element == Element::u8;
  const std::string_view variant = cuda_variants[static_cast<std::size_t>(run.variant)].name;
  const bool lists = variant == "selection" || variant == "sorting";
  if (lists && plan.size * plan.size <= median::max_list)
    median::launch_lists(variant == "sorting", plan, run);
  else if (lists || variant == "global")
    median::launch_rung(median::Rung::global, plan, run);
  else if (variant == "histogram" && bytes)
    median::launch_histograms(plan, run);
  else if (variant != "networks")
    median::launch_rung(median::Rung::shared, plan, run);
  else if (plan.is_median() && bytes && plan.size == 2 * median::MedianPatches::radius + 1)
    launch_patches_of_bytes(plan, run);
  else if (plan.has_network())
    bytes ? median::launch_byte_networks(plan, run) : median::launch_float_networks(plan, run);
  else if (bytes)
    median::launch_histograms(plan, run);
  else
    median::launch_rung(median::Rung::shared, plan, run);
}

}  // namespace threadscape

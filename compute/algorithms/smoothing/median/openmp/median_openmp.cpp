// The median with all cores and SIMD: which algorithm a run gets.

#include "compute/algorithms/smoothing/median/openmp/median_openmp.h"

namespace threadscape {

void Median::openmp(const Params& params, const HostRun& run) {
  const median::Plan plan = Median::plan(params);
  if (plan.has_network() && median::filter_by_networks(plan, run)) return;
  if (run.in.shape.element == Element::u8)
    median::filter_by_histograms(plan, run);
  else
    median::filter_by_places(plan, run);
}

}  // namespace threadscape

// Phantoms, the readable reference: voxel by voxel, in the order of memory. One thread, no tricks.

#include "compute/algorithms/tomography/phantom/phantom.h"
#include "compute/core/rows.h"

namespace threadscape {
namespace {

using volumes::Phantom;

/// Fills the slices at y. The phantom is a constant, so that what no x changes is computed once for a row of voxels.
template <Phantom phantom>
void fill_row(const volumes::PhantomPlan& plan_of_run, const VolumeView<float>& out, int y) {
  volumes::PhantomPlan plan = plan_of_run;
  plan.phantom = phantom;
  for (int z = 0; z < plan.grid.nz; ++z) {
    float* const row = &out(0, z, y);
    for (int x = 0; x < plan.grid.nx; ++x)
      row[x] = plan.at(x, y, z);
  }
}

}  // namespace

void PhantomVolume::serial(const Params& params, const HostRun& run) {
  const volumes::PhantomPlan plan = params.plan();
  const auto out = run.out.volume<float>();
  const auto fill_rows = [&](const auto& fill_row) {
    for_rows(run, plan.grid.ny, [&](int y) { fill_row(plan, out, y); });
  };
  switch (plan.phantom) {
    case Phantom::cavity:
      return fill_rows(fill_row<Phantom::cavity>);
    case Phantom::half_sphere:
      return fill_rows(fill_row<Phantom::half_sphere>);
    case Phantom::shepp_logan:
      return fill_rows(fill_row<Phantom::shepp_logan>);
    default:
      return fill_rows(fill_row<Phantom::cube>);
  }
}

}  // namespace threadscape

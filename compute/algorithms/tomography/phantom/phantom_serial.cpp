// Phantoms, the readable reference: voxel by voxel, in the order of memory. One thread, no tricks.

#include "compute/algorithms/tomography/phantom/phantom.h"
#include "compute/core/rows.h"

namespace threadscape {

void PhantomVolume::serial(const Params& params, const HostRun& run) {
  const volumes::PhantomPlan plan = params.plan();
  const auto out = run.out.volume<float>();
  for_rows(run, plan.grid.ny, [&](int y) {
    for (int z = 0; z < plan.grid.nz; ++z)
      for (int x = 0; x < plan.grid.nx; ++x)
        out(x, z, y) = plan.at(x, y, z);
  });
}

}  // namespace threadscape

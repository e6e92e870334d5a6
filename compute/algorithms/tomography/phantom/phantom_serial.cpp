// Phantoms, the readable reference: voxel by voxel, in the order of memory. One thread, no tricks.

#include "compute/algorithms/tomography/phantom/phantom.h"

namespace threadscape {

void PhantomVolume::serial(const Params& params, const HostRun& run) {
  const volumes::PhantomPlan plan = params.plan();
  const auto out = run.out.volume<float>();
  for (int y = 0; y < plan.grid.ny && !run.stop.stop_requested(); ++y) {
    for (int z = 0; z < plan.grid.nz; ++z)
      for (int x = 0; x < plan.grid.nx; ++x)
        out(x, z, y) = plan.at(x, y, z);
    if (run.progress) run.progress->report(static_cast<double>(y + 1) / plan.grid.ny);
  }
}

}  // namespace threadscape

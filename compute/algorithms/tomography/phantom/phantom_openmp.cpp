// Phantoms with all cores: layers along y, which are contiguous in memory, are divided between the threads.

#include "compute/algorithms/tomography/phantom/phantom.h"
#include "compute/engines/planes/bands.h"

namespace threadscape {

void PhantomVolume::openmp(const Params& params, const HostRun& run) {
  const volumes::PhantomPlan plan = params.plan();
  const auto out = run.out.volume<float>();
  for_each_part(run, plan.grid.ny, [&](int y) {
    for (int z = 0; z < plan.grid.nz; ++z)
      for (int x = 0; x < plan.grid.nx; ++x)
        out(x, z, y) = plan.at(x, y, z);
  });
}

}  // namespace threadscape

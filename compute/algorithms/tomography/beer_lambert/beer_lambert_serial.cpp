// The law of Lambert and Beer, the readable reference: value by value. One thread, no tricks.

#include "compute/algorithms/tomography/beer_lambert/beer_lambert.h"

namespace threadscape {

void BeerLambert::serial(const Params& params, const HostRun& run) {
  const beer_lambert::Plan plan = params.plan();
  const auto in = run.in.volume<float>();
  const auto out = run.out.volume<float>();
  const int depth = static_cast<int>(run.in.shape.depth);
  for (int z = 0; z < depth && !run.stop.stop_requested(); ++z) {
    for (int y = 0; y < run.in.shape.height; ++y)
      for (int x = 0; x < run.in.shape.width; ++x)
        out(x, y, z) = beer_lambert::converted(plan, in(x, y, z));
    if (run.progress) run.progress->report(static_cast<double>(z + 1) / depth);
  }
}

}  // namespace threadscape

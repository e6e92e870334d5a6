// The law of Lambert and Beer, the readable reference: value by value. One thread, no tricks.

#include "compute/algorithms/tomography/beer_lambert/beer_lambert.h"
#include "compute/core/rows.h"

namespace threadscape {

void BeerLambert::serial(const Params& params, const HostRun& run) {
  const beer_lambert::Plan plan = params.plan(run.seed);
  const auto in = run.in.volume<float>();
  const auto out = run.out.volume<float>();
  for_rows(run, run.in.shape.depth, [&](int z) {
    for (int y = 0; y < run.in.shape.height; ++y)
      for (int x = 0; x < run.in.shape.width; ++x)
        out(x, y, z) = beer_lambert::converted(plan, in(x, y, z), x, y, z);
  });
}

}  // namespace threadscape

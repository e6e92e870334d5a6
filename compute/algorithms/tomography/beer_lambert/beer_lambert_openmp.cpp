// The law of Lambert and Beer with all cores: the views are divided between the threads.

#include "compute/algorithms/tomography/beer_lambert/beer_lambert.h"
#include "compute/engines/planes/bands.h"

namespace threadscape {

void BeerLambert::openmp(const Params& params, const HostRun& run) {
  const beer_lambert::Plan plan = params.plan(run.seed);
  const auto in = run.in.volume<float>();
  const auto out = run.out.volume<float>();
  const Shape& shape = run.in.shape;
  const int height = static_cast<int>(shape.height);
  // A part is a row of a view, because a scan may have fewer views than the machine has threads.
  for_each_part(run, static_cast<int>(shape.depth) * height, [&](int row) {
    const int y = row % height, z = row / height;
    for (int x = 0; x < shape.width; ++x)
      out(x, y, z) = beer_lambert::converted(plan, in(x, y, z), x, y, z);
  });
}

}  // namespace threadscape

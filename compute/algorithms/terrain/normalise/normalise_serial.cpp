// Normalise, the readable reference: one pass over the heights for their range, and one to map them.

#include "compute/algorithms/terrain/normalise/normalise.h"
#include "compute/core/rows.h"

namespace threadscape {

void Normalise::serial(const Params& params, const HostRun& run) {
  const auto out = run.out.image<float>();
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    normalise::Range range;
#pragma omp parallel num_threads(run.threads) if (run.threads > 1)
    {
      normalise::Range own;
#pragma omp for schedule(static)
      for (int y = 0; y < in.height; ++y)
        for (int x = 0; x < in.width; ++x)
          normalise::take_in(own, static_cast<float>(in(x, y)));
#pragma omp critical
      normalise::take_in(range, own);
    }
    const normalise::Stretch stretch(range, params.low, params.high);
    for_rows(run, in.height, [&](int y) {
      for (int x = 0; x < in.width; ++x)
        out(x, y) = stretch(static_cast<float>(in(x, y)));
    });
  });
}

}  // namespace threadscape

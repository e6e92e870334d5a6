// Terraces with all cores. The memory bandwidth is the limit, so the loop is left to the compiler's vectorizer.

#include "compute/algorithms/terrain/terrace/terrace.h"
#include "compute/engines/planes/bands.h"

namespace threadscape {

void Terrace::openmp(const Params& params, const HostRun& run) {
  const terrace::Plan terraced(params.step, params.flat);
  const auto out = run.out.image<float>();
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    for_each_band(run, out.height, [&](int y0, int y1) {
      for (int y = y0; y < y1; ++y) {
        const Height* const from = in.row(y);
        float* const to = out.row(y);
#pragma omp simd
        for (int x = 0; x < out.width; ++x)
          to[x] = terraced(static_cast<float>(from[x]));
      }
    });
  });
}

}  // namespace threadscape

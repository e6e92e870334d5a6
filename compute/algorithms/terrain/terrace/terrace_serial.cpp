// Terraces, the readable reference: one height after another.

#include "compute/algorithms/terrain/terrace/terrace.h"
#include "compute/core/rows.h"

namespace threadscape {

void Terrace::serial(const Params& params, const HostRun& run) {
  const terrace::Plan terraced(params.step, params.flat);
  const auto out = run.out.image<float>();
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    for_rows(run, in.height, [&](int y) {
      for (int x = 0; x < in.width; ++x)
        out(x, y) = terraced(static_cast<float>(in(x, y)));
    });
  });
}

}  // namespace threadscape

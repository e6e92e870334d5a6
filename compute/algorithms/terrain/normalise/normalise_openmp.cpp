// Normalise with all cores: a range per row, then the stretch. Memory is the limit; the compiler's vectors are enough.

#include <algorithm>

#include "compute/algorithms/terrain/normalise/normalise.h"

namespace threadscape {

void Normalise::openmp(const Params& params, const HostRun& run) {
  const auto out = run.out.image<float>();
  const auto ranges = run.scratch->take<normalise::Range>(static_cast<std::size_t>(out.height));
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    const int width = out.width, height = out.height;
#pragma omp parallel num_threads(std::max(1, std::min(run.threads, height)))
    {
#pragma omp for schedule(static)
      for (int y = 0; y < height; ++y) {
        const Height* const row = in.row(y);
        Height least = row[0], most = row[0];
#pragma omp simd reduction(min : least) reduction(max : most)
        for (int x = 0; x < width; ++x) {
          least = std::min(least, row[x]);
          most = std::max(most, row[x]);
        }
        ranges[static_cast<std::size_t>(y)] = {static_cast<float>(least), static_cast<float>(most)};
      }
      normalise::Range range;
      for (const normalise::Range& of_row : ranges)
        normalise::take_in(range, of_row);
      const normalise::Stretch stretch(range, params.low, params.high);
#pragma omp for schedule(static)
      for (int y = 0; y < height; ++y) {
        const Height* const row = in.row(y);
        float* const to = out.row(y);
#pragma omp simd
        for (int x = 0; x < width; ++x)
          to[x] = stretch(static_cast<float>(row[x]));
      }
    }
  });
}

}  // namespace threadscape

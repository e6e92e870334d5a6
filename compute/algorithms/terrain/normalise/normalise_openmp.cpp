// Normalise with all cores: the range of every row, then the mapping. The memory bandwidth is the limit, so the loops
// are left to the compiler's vectorizer.

#include <algorithm>
#include <limits>

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
        Height row_min = std::numeric_limits<Height>::max(), row_max = std::numeric_limits<Height>::lowest();
#pragma omp simd reduction(min : row_min) reduction(max : row_max)
        for (int x = 0; x < width; ++x) {
          row_min = row[x] < row_min ? row[x] : row_min;
          row_max = row[x] > row_max ? row[x] : row_max;
        }
        ranges[static_cast<std::size_t>(y)] = {static_cast<float>(row_min), static_cast<float>(row_max)};
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

// The OpenMP variant of the source document: one parallel region, in which the threads share the rows of each diamond
// step and of each square step. The barrier at the end of each loop keeps the steps apart. Every step goes through the
// whole matrix, where the default variant keeps the rows of all levels in the caches.

#include <algorithm>
#include <cmath>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_growth.h"

namespace threadscape::diamond_square {

template <class Height>
void run_shared_steps(const Plan& plan, const std::vector<Height>& start, const HostRun& run) {
  const Growth<Height> growth(plan, run.out.image<Height>());
  growth.place(start);
  // OpenMP loops cannot be left early, so rows are left out once the run is asked to stop.
#pragma omp parallel num_threads(std::max(1, run.threads))
  {
    for (int level = plan.first + 1; level <= plan.grown; ++level) {
#pragma omp for schedule(static)
      for (int y = 1; y < cells_of(level); y += 2)
        if (!run.stop.stop_requested()) growth.diamond_row(level, y);
#pragma omp for schedule(static)
      for (int y = 0; y <= cells_of(level); ++y)
        if (!run.stop.stop_requested()) growth.square_row(level, y);
#pragma omp single nowait
      if (run.progress) run.progress->report(std::ldexp(1.0, 2 * (level - plan.grown)));
    }
    if (plan.grown < plan.n) {
#pragma omp for schedule(static)
      for (int y = 0; y <= cells_of(plan.n); ++y)
        if (!run.stop.stop_requested()) growth.interpolate_row(y);
    }
  }
}

template void run_shared_steps(const Plan&, const std::vector<float>&, const HostRun&);
template void run_shared_steps(const Plan&, const std::vector<std::uint8_t>&, const HostRun&);

}  // namespace threadscape::diamond_square

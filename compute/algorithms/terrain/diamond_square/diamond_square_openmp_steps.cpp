// The OpenMP variants that share the rows of each diamond step and of each square step, as the source document does. A
// step begins when all cells of the step before are there, and goes through the whole matrix, where the default variant
// keeps the rows of all levels in the caches. They differ in how many parallel regions there are, each of which starts
// and ends a team of threads:
//
//   loops           a region for each loop (the serial code with threads)
//   level_regions   a region for each level
//   steps           one region; the barrier at the end of each shared loop keeps the steps apart
//   tasks           one region, in which one thread makes tasks of some rows each, and waits for those of a step

#include <algorithm>
#include <cmath>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_growth.h"

namespace threadscape::diamond_square {

namespace {

/// The loops of a terrain. Those that share rows are called by all threads of a region.
template <class Height>
class SharedSteps {
 public:
  SharedSteps(const Plan& plan, const HostRun& run)
      : plan_(plan), run_(run), growth_(plan, run.out.image<Height>()), threads_(std::max(1, run.threads)) {}

  void grow(const std::vector<Height>& start) const {
    growth_.place(start);
    if (run_.variant == tasks)
      grow_by_tasks();
    else if (run_.variant == level_regions)
      grow_by_levels();
    else
      grow_in_one_region();
  }

 private:
  void grow_in_one_region() const {
#pragma omp parallel num_threads(threads_)
    {
      for (int level = plan_.first + 1; level <= plan_.grown; ++level)
        share_level(level);
      if (plan_.grown < plan_.n) share_interpolation();
    }
  }
  void grow_by_levels() const {
    for (int level = plan_.first + 1; level <= plan_.grown; ++level) {
#pragma omp parallel num_threads(threads_)
      share_level(level);
    }
    if (plan_.grown == plan_.n) return;
#pragma omp parallel num_threads(threads_)
    share_interpolation();
  }
  void grow_by_tasks() const {
#pragma omp parallel num_threads(threads_)
#pragma omp single
    {
      for (int level = plan_.first + 1; level <= plan_.grown; ++level) {
#pragma omp taskloop grainsize(task_rows)
        for (int i = 0; i < cells_of(level) / 2; ++i)
          if (!stopped()) growth_.diamond_row(level, 2 * i + 1);
#pragma omp taskloop grainsize(task_rows)
        for (int y = 0; y <= cells_of(level); ++y)
          if (!stopped()) growth_.square_row(level, y);
        report(level);
      }
      if (plan_.grown < plan_.n) {
#pragma omp taskloop grainsize(task_rows)
        for (int y = 0; y <= cells_of(plan_.n); ++y)
          if (!stopped()) growth_.interpolate_row(y);
      }
    }
  }

  // OpenMP loops cannot be left early, so rows are left out once the run is asked to stop.
  void share_level(int level) const {
#pragma omp for schedule(static)
    for (int y = 1; y < cells_of(level); y += 2)
      if (!stopped()) growth_.diamond_row(level, y);
#pragma omp for schedule(static)
    for (int y = 0; y <= cells_of(level); ++y)
      if (!stopped()) growth_.square_row(level, y);
#pragma omp single nowait
    report(level);
  }
  void share_interpolation() const {
#pragma omp for schedule(static)
    for (int y = 0; y <= cells_of(plan_.n); ++y)
      if (!stopped()) growth_.interpolate_row(y);
  }

  [[nodiscard]] bool stopped() const {
    return run_.stop.stop_requested();
  }
  void report(int level) const {
    if (run_.progress) run_.progress->report(std::ldexp(1.0, 2 * (level - plan_.grown)));
  }

  static constexpr int level_regions = 2, tasks = 3;  ///< In the order of DiamondSquare::openmp_variants.
  static constexpr int task_rows = 16;
  const Plan& plan_;
  const HostRun& run_;
  Growth<Height> growth_;
  int threads_;
};

}  // namespace

template <class Height>
void run_shared_steps(const Plan& plan, const std::vector<Height>& start, const HostRun& run) {
  SharedSteps<Height>(plan, run).grow(start);
}

template void run_shared_steps(const Plan&, const std::vector<float>&, const HostRun&);
template void run_shared_steps(const Plan&, const std::vector<std::uint8_t>&, const HostRun&);

}  // namespace threadscape::diamond_square

// Diamond-square, the readable reference: level by level and cell by cell, in place, on one thread.

#include <cmath>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_growth.h"

namespace threadscape {

void DiamondSquare::serial(const Params& params, const HostRun& run) {
  using namespace diamond_square;  // NOLINT: its functions are what this is about
  Plan plan = DiamondSquare::plan(params, run.seed);
  fill_table(plan, run, 1);
  with_height(params.mode, [&]<class Height>(Height) {
    const Growth<Height> growth(plan, run.out.image<Height>());
    growth.place(start_grid<Height>(params, plan));
    for (int level = plan.first + 1; level <= plan.grown && !run.stop.stop_requested(); ++level) {
      for (int y = 1; y < cells_of(level); y += 2)
        growth.diamond_row(level, y);
      for (int y = 0; y <= cells_of(level); ++y)
        growth.square_row(level, y);
      if (run.progress) run.progress->report(std::ldexp(1.0, 2 * (level - plan.grown)));
    }
    if (plan.grown == plan.n || run.stop.stop_requested()) return;
    for (int y = 0; y <= cells_of(plan.n); ++y)
      growth.interpolate_row(y);
  });
}

}  // namespace threadscape

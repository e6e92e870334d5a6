// Diamond-square, the readable reference: level by level and cell by cell, in place, on one thread.

#include <cmath>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_growth.h"
#include "compute/core/rows.h"

namespace threadscape {

void DiamondSquare::serial(const Params& params, const HostRun& run) {
  using namespace diamond_square;  // NOLINT: its functions are what this is about
  Plan plan = DiamondSquare::plan(params, run.seed);
  fill_table(plan, run, run.threads);
  with_height(params.mode, [&]<class Height>(Height) {
    const Growth<Height> growth(plan, run.out.image<Height>());
    growth.place(start_grid<Height>(params, plan));
    for (int level = plan.first + 1; level <= plan.grown && !run.stop.stop_requested(); ++level) {
      const double begun = std::ldexp(1.0, 2 * (level - 1 - plan.grown)), done = 4 * begun;
      for_rows(
          run, cells_of(level) / 2, [&](int i) { growth.diamond_row(level, 2 * i + 1); }, begun, begun);
      for_rows(
          run, cells_of(level) + 1, [&](int y) { growth.square_row(level, y); }, begun, done);
    }
    if (plan.grown == plan.n || run.stop.stop_requested()) return;
    for_rows(run, cells_of(plan.n) + 1, [&](int y) { growth.interpolate_row(y); });
  });
}

}  // namespace threadscape

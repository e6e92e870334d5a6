// Diamond-square, the readable reference: level by level and cell by cell, in place, on one thread.

#include <algorithm>
#include <cmath>

#include "compute/algorithms/terrain/diamond_square/diamond_square.h"

namespace threadscape {
namespace diamond_square {
namespace {

/// Computes all diamond cells and then all square cells of one level, or only the former at the end of some growths.
/// Neighbouring points of the level are `step` points of `heights` apart.
template <class Height>
void grow(const Plan& plan, int level, ImageView<Height> heights) {
  const int cells = cells_of(level), step = cells_of(plan.n) / cells;
  const auto at = [&](int x, int y) -> Height& { return heights(x * step, y * step); };
  for (int y = 1; y < cells; y += 2)
    for (int x = 1; x < cells; x += 2)
      at(x, y) = diamond_cell<Height>(plan, level, x, y, at);
  for (int y = 0; y <= cells; ++y)
    for (int x = 1 - y % 2; x <= cells; x += 2)
      at(x, y) = level > plan.complete() ? halfway_cell<Height>(x, y, at) : square_cell<Height>(plan, level, x, y, at);
}

/// Interpolates bilinearly between the points of the last computed level.
template <class Height>
void interpolate(const Plan& plan, ImageView<Height> heights) {
  const int bits = plan.n - plan.grown, step = 1 << bits, last = cells_of(plan.grown) - 1;
  for (int y = 0; y < heights.height; ++y)
    for (int x = 0; x < heights.width; ++x) {
      const int left = std::min(x >> bits, last) * step, top = std::min(y >> bits, last) * step;
      if (x % step == 0 && y % step == 0) continue;  // The point is known from the level before.
      heights(x, y) = between(heights(left, top), heights(left + step, top), heights(left, top + step),
                              heights(left + step, top + step), x - left, y - top, bits);
    }
}

}  // namespace
}  // namespace diamond_square

void DiamondSquare::serial(const Params& params, const HostRun& run) {
  using namespace diamond_square;  // NOLINT: its functions are what this is about
  const Plan plan = DiamondSquare::plan(params, run.seed);
  with_height(params.mode, [&]<class Height>(Height) {
    const auto heights = run.out.image<Height>();
    const std::vector<Height> start = start_grid<Height>(params, plan);
    const int cells = cells_of(plan.first), step = cells_of(plan.n) / cells;
    for (int y = 0; y <= cells; ++y)
      for (int x = 0; x <= cells; ++x)
        heights(x * step, y * step) = start[static_cast<std::size_t>(y) * (cells + 1) + x];
    for (int level = plan.first + 1; level <= plan.grown && !run.stop.stop_requested(); ++level) {
      grow(plan, level, heights);
      if (run.progress) run.progress->report(std::ldexp(1.0, 2 * (level - plan.grown)));
    }
    if (plan.grown < plan.n && !run.stop.stop_requested()) interpolate(plan, heights);
  });
}

}  // namespace threadscape

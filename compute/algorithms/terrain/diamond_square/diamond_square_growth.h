#pragma once
// The growth of a terrain in place, row by row: what the serial backend does with one thread, and the OpenMP variant
// `steps` with several, which share the rows of a step.

#include <algorithm>
#include <vector>

#include "compute/algorithms/terrain/diamond_square/diamond_square_math.h"
#include "compute/kernel/views.h"

namespace threadscape::diamond_square {

/// The rows of all steps. The rows of one step may be computed in any order, after those of the step before.
template <class Height>
class Growth {
 public:
  Growth(const Plan& plan, ImageView<Height> heights) : plan_(plan), heights_(heights) {}

  /// Writes the points of the grid that the terrain starts from.
  void place(const std::vector<Height>& start) const {
    const int cells = cells_of(plan_.first);
    const Level at = points_of(plan_.first);
    for (int y = 0; y <= cells; ++y)
      for (int x = 0; x <= cells; ++x)
        at(x, y) = start[static_cast<std::size_t>(y) * (static_cast<std::size_t>(cells) + 1) + x];
  }

  /// Computes the diamond cells of odd row y of a level.
  void diamond_row(int level, int y) const {
    const Level at = points_of(level);
    for (int x = 1; x < cells_of(level); x += 2)
      at(x, y) = diamond_cell<Height>(plan_, level, x, y, at);
  }

  /// Computes the square cells of row y of a level, or interpolates them if the growth ends with a diamond step.
  void square_row(int level, int y) const {
    const Level at = points_of(level);
    const bool ended = level > plan_.complete();
    for (int x = 1 - y % 2; x <= cells_of(level); x += 2)
      at(x, y) = ended ? halfway_cell<Height>(x, y, at) : square_cell<Height>(plan_, level, x, y, at);
  }

  /// Interpolates row y of the result bilinearly between the points of the last computed level.
  void interpolate_row(int y) const {
    const int bits = plan_.n - plan_.grown, step = 1 << bits, last = cells_of(plan_.grown) - 1;
    const int top = std::min(y >> bits, last) * step;
    for (int x = 0; x < heights_.width; ++x) {
      const int left = std::min(x >> bits, last) * step;
      if (x % step == 0 && y % step == 0) continue;  // The point is known from the level before.
      heights_(x, y) = between(heights_(left, top), heights_(left + step, top), heights_(left, top + step),
                               heights_(left + step, top + step), x - left, y - top, bits);
    }
  }

 private:
  /// The points of one level, which are `step` points of the result apart.
  struct Level {
    ImageView<Height> heights;
    int step;
    Height& operator()(int x, int y) const { return heights(x * step, y * step); }
  };
  [[nodiscard]] Level points_of(int level) const { return {heights_, cells_of(plan_.n - level)}; }

  Plan plan_;
  ImageView<Height> heights_;
};

}  // namespace threadscape::diamond_square

#pragma once
// The growth of a terrain in place, row by row: what the serial backend does with one thread, and the OpenMP variant
// `steps` with several, which share the rows of a step.

#include <algorithm>
#include <vector>

#include "compute/algorithms/terrain/diamond_square/diamond_square_math.h"
#include "compute/kernel/views.h"

namespace threadscape::diamond_square {

/// The random numbers of the new cells of a row, which have columns of one parity: a Philox block that several cells
/// share is computed once.
class RowNumbers {
 public:
  RowNumbers(const Plan& plan, int level, int y) : plan_(plan), level_(level), y_(y) {}

  std::uint32_t operator()(int x) {
    if (plan_.numbers) return plan_.numbers[number_of(level_, x, y_)];
    if (x >> 4 != group_) block_ = random_block(plan_.seed, level_, group_ = x >> 4, y_, x & 1);
    return random_u16_of(block_, x >> 1 & 7);
  }

 private:
  const Plan& plan_;
  int level_, y_, group_ = -1;
  PhiloxBlock block_{};
};

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
    RowNumbers numbers(plan_, level, y);
    for (int x = 1; x < cells_of(level); x += 2)
      at(x, y) = diamond_cell<Height>(plan_, level, x, y, at, numbers(x));
  }

  /// Computes the square cells of row y of a level, or interpolates them if the growth ends with a diamond step.
  void square_row(int level, int y) const {
    const Level at = points_of(level);
    const int cells = cells_of(level), first = 1 - y % 2;
    if (level > plan_.complete()) {
      for (int x = first; x <= cells; x += 2)
        at(x, y) = halfway_cell<Height>(x, y, at);
      return;
    }
    RowNumbers numbers(plan_, level, random_index(plan_, level, y));
    for (int x = first; x <= cells; x += 2) {
      const std::uint32_t random = numbers(random_index(plan_, level, x));
      if (x == 0 || y == 0 || x == cells || y == cells) {
        at(x, y) = square_cell<Height>(plan_, level, x, y, at, random);
        continue;
      }
      using Sum = SumOf<Height>;
      const Sum across = static_cast<Sum>(at(x - 1, y)) + static_cast<Sum>(at(x + 1, y));
      const Sum down = static_cast<Sum>(at(x, y - 1)) + static_cast<Sum>(at(x, y + 1));
      at(x, y) = new_height<Height>(plan_, level, across + down, 4, random);
    }
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

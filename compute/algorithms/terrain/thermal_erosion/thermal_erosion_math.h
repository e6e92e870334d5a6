#pragma once
// One iteration of thermal erosion for one cell, shared by all backends.
//
//   h' = h + 1/8 ((s(left) + s(right)) + (s(above) + s(below))) + 1/16 ((s(above left) + s(above right)) + (s(below
//   left)
//        + s(below right))),     s(n) = what difference n - h exceeds the talus by, with its sign; 0 within it
//
// The talus of diagonals is sqrt(2) times as high. Cells beyond the rim do not exist: nothing slides out or in.
//
// Every cell reads the field of the iteration before, so the order of cells does not matter. What slides from a to b is
// minus what slides from b to a, to the bit: mass is kept up to the rounding of the sums. The weights add up to 3/4, so
// h' lies between the lowest and the highest of its neighbourhood: no oscillation and no overshoot, whatever the talus.

#include "compute/core/views.h"

namespace threadscape::thermal_erosion {

inline constexpr float straight_weight = 0.125f, diagonal_weight = 0.0625f;
inline constexpr float diagonal_length = 1.41421356f;

struct Plan {
  float talus = 0.0f, diagonal_talus = 0.0f;
};

TS_HD inline float sliding(float height, float neighbour, float talus) {
  const float difference = neighbour - height;
  return difference > talus ? difference - talus : difference < -talus ? difference + talus : 0.0f;
}

/// `at(dx, dy)` gives neighbours that exist.
template <class At>
TS_HD inline float eroded(const Plan& plan, bool has_left, bool has_right, bool has_above, bool has_below,
                          const At& at) {
  const float h = at(0, 0), t = plan.talus, u = plan.diagonal_talus;
  const auto from = [&](bool exists, int dx, int dy, float talus) {
    return exists ? sliding(h, at(dx, dy), talus) : 0.0f;
  };
  const float straight =
      (from(has_left, -1, 0, t) + from(has_right, 1, 0, t)) + (from(has_above, 0, -1, t) + from(has_below, 0, 1, t));
  const float diagonal = (from(has_left && has_above, -1, -1, u) + from(has_right && has_above, 1, -1, u)) +
                         (from(has_left && has_below, -1, 1, u) + from(has_right && has_below, 1, 1, u));
  return h + (straight * straight_weight + diagonal * diagonal_weight);
}

/// The cell (x, y) of a field.
template <class View>
TS_HD inline float eroded_cell(const Plan& plan, const View& field, int x, int y) {
  return eroded(plan, x > 0, x + 1 < field.width, y > 0, y + 1 < field.height,
                [&](int dx, int dy) { return field(x + dx, y + dy); });
}

}  // namespace threadscape::thermal_erosion

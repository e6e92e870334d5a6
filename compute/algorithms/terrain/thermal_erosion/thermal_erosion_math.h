#pragma once
// One iteration of thermal erosion for one cell, shared by all backends.
//
//   h' = h + 1/8  ((s(left) + s(right)) + (s(above) + s(below)))
//          + 1/16 ((s(above left) + s(above right)) + (s(below left) + s(below right)))
//
// where s(n) is the part of the difference n - h that exceeds the talus, with its sign, and 0 if |n - h| is at most the
// talus. The talus of diagonal neighbours is sqrt(2) times as high. No material crosses the rim.
//
// Every cell reads the field of the previous iteration, so the order of cells does not matter. The flow from a to b is
// exactly the negative of the flow from b to a, so mass is conserved up to the rounding of the sums. The weights add up
// to 3/4, so h' lies between the minimum and the maximum of its neighbourhood: there is no oscillation and no overshoot
// for any talus.

#include "compute/kernel/views.h"

namespace threadscape::thermal_erosion {

inline constexpr float straight_weight = 0.125f, diagonal_weight = 0.0625f;
inline constexpr float diagonal_length = 1.41421356f;

/// The parameters of an iteration.
struct Plan {
  float talus = 0.0f, diagonal_talus = 0.0f;
};

/// The part of the difference to a neighbour that exceeds the talus, with its sign.
TS_HD inline float sliding(float height, float neighbour, float talus) {
  const float difference = neighbour - height;
  return difference > talus ? difference - talus : difference < -talus ? difference + talus : 0.0f;
}

/// The height of a cell after one iteration. `at(dx, dy)` returns the height of a neighbour that exists, or at(0, 0)
/// that of the cell.
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

/// The height of the cell (x, y) of a field after one iteration.
template <class View>
TS_HD inline float eroded_cell(const Plan& plan, const View& field, int x, int y) {
  return eroded(plan, x > 0, x + 1 < field.width, y > 0, y + 1 < field.height,
                [&](int dx, int dy) { return field(x + dx, y + dy); });
}

}  // namespace threadscape::thermal_erosion

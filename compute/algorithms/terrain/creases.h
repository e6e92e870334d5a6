#pragma once
// The creases of a terrain of midpoint displacement: lines along which it is bent more than elsewhere (Miller: The
// definition and rendering of terrain maps, SIGGRAPH 1986). Points on them were means of fewer or nearer points.

#include <optional>
#include <string>

#include "compute/registry/algorithm.h"

namespace threadscape::terrain {

/// Root mean squares of second differences h(i - 1) - 2 h(i) + h(i + 1), as multiples of others.
struct Creases {
  double lines = 1.0;  ///< Across the lines between the 8 x 8 largest squares, of those across other lines.
  /// Along the rim, whose points have three neighbours or those of the other side, of those along the lines inside.
  double rim = 1.0;
};
/// The creases of a square of 2^n + 1 points a side, n >= 5; nothing for other sizes, and for terrains that are not
/// bent elsewhere. Only points with even coordinates are compared, all of which are
/// older than their neighbours.
[[nodiscard]] std::optional<Creases> creases_of(const HostIn& heights);
/// A line for the user, or nothing.
[[nodiscard]] std::string creases_report(const HostIn& heights);

}  // namespace threadscape::terrain

#pragma once
// Lists of the angles of views, for scans whose views do not lie at equal distances from each other.

#include <string>
#include <vector>

#include "compute/algorithms/tomography/geometry.h"

namespace threadscape::projection {

/// How the views of a list cover all directions.
struct ViewCover {
  bool closed = false;  ///< No gap is longer than two of the mean length.
  double step = 0.0;    ///< The mean distance of neighbours, in degrees.
  /// For each view, the part of the directions that are nearest to it, divided by the mean of these parts.
  std::vector<double> shares;
  /// For each view, its distance from the start of the directions that are covered, in degrees. The longest gap between
  /// neighbours ends there.
  std::vector<double> places;
  double covered = 0.0;  ///< The directions that all views represent together, in degrees.
};

struct ViewList {
  std::vector<double> degrees;
  /// The directions of a full turn, and those of the half turn after which the rays of a parallel beam repeat.
  ViewCover turn, half_turn;
};

/// Parses numbers between commas or blanks. A list has one address as long as the program runs. Throws UsageError for a
/// text that is no such list.
[[nodiscard]] const ViewList& view_list(const std::string& text);

/// The cover of the list of a scan: of a full turn, unless a parallel beam has views of half a turn only.
[[nodiscard]] inline const ViewCover& cover_of(const Geometry& scan) {
  return scan.parallel && !scan.list->turn.closed ? scan.list->half_turn : scan.list->turn;
}

}  // namespace threadscape::projection

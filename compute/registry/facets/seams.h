#pragma once
// How a picture changes its size seam by seam, for the scene that replays it.

#include <optional>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/params.h"

namespace threadscape {

/// A number of seams of one direction that follow each other.
struct SeamRun {
  bool of_rows = false;   ///< seams from left to right: the picture gets lower, or higher
  bool enlarges = false;  ///< pixels of a seam become two: themselves, and the mean with their neighbour
  int seams = 0;
  friend bool operator==(const SeamRun&, const SeamRun&) = default;
};

/// The seams by which a picture changes its size.
struct SeamDiagram {
  /// Parameters of the same algorithm whose result is the map: a 16-bit picture of the input's size, where pixels of
  /// the i-th seam hold i, and pixels that stay hold 0. Seams are numbered through all runs.
  ParamBox map;
  std::vector<SeamRun> runs;
  bool runs_in_map = false;  ///< only as many as there will be: which they are is found with the map
};

struct SeamsFacet {
  /// Nothing when there is no seam, or no map can tell the seams. Throws as the algorithm's output_shape().
  std::optional<SeamDiagram> (*diagram)(const ParamBox&, const Shape& input);
  /// The runs of seams that a computed map holds, where SeamDiagram::runs_in_map says so.
  std::vector<SeamRun> (*runs_in)(const SeamDiagram&, const HostIn& map);
  /// Parameters whose result is the energy, or the cumulative cost, of the picture after `step` seams.
  ParamBox (*energy)(const ParamBox&, const Shape& input, int step, bool cumulative);
};

}  // namespace threadscape

#pragma once
// The seams by which an algorithm changes the size of a picture. A scene replays them one by one from a single computed
// map.

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/params.h"

namespace threadscape {

/// Consecutive seams with the same direction that all remove or all insert pixels.
struct SeamRun {
  /// If true, seams run from left to right, so that the height of the picture changes; otherwise the width changes.
  bool of_rows = false;
  /// If true, seams enlarge the picture: each pixel of a seam becomes two, itself and its mean with its neighbour.
  bool enlarges = false;
  int seams = 0;
  friend bool operator==(const SeamRun&, const SeamRun&) = default;
};

/// A picture of the state after some seams. candidates: red is the grey value, green the relative cost, 0..1, of the
/// cheapest seam through the pixel that could be next (negative where none passes), and blue is 1 on the cheapest one.
enum class SeamState : std::uint8_t { grey, energy, cost, candidates };

/// The seams for one picture, in the order of their removal or insertion.
struct SeamDiagram {
  /// Parameters of the algorithm for which its output is the map of seams: a 16-bit picture of the input's size, where
  /// pixels of the i-th seam hold i, and pixels that no seam contains hold 0. Seams are numbered from 1 through all
  /// runs.
  ParamBox map;
  std::vector<SeamRun> runs;
  /// If true, `runs` only states how many seams of each direction there will be. Their order is part of the
  /// optimisation then, and runs_in() reads it from the map.
  bool runs_in_map = false;
};

struct SeamsFacet {
  /// The seams for an input of this shape; none if the size stays equal or if no map can describe the seams. Throws
  /// what the algorithm's output_shape() throws.
  std::optional<SeamDiagram> (*diagram)(const ParamBox&, const Shape& input);
  /// The runs of seams that a computed map contains, for diagrams with SeamDiagram::runs_in_map.
  std::vector<SeamRun> (*runs_in)(const SeamDiagram&, const HostIn& map);
  /// Parameters for which the output is this picture of the state after `step` seams: grey values, energies and
  /// cumulative costs have one channel.
  ParamBox (*state)(const ParamBox&, const Shape& input, int step, SeamState state);
};

}  // namespace threadscape

#pragma once
// Where source and detector of a scanner stand, for algorithms with projections of an object as input or output.

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/params.h"

namespace threadscape {

/// How a scanner looks at an object. Lengths in the object's own unit, its middle at the origin, z up.
struct ScannerDiagram {
  struct Point {
    double x = 0.0, y = 0.0, z = 0.0;
  };
  struct View {
    double angle = 0.0;  ///< degrees
    Point source;        ///< of a parallel beam: where the ray of the detector's first pixel starts
    Point corner;        ///< middle of the detector's first pixel
    Point column, row;   ///< from a pixel to the next in its row, and to the same in the next row
  };
  /// What the slices of input and output are: layers of the object along y, or views.
  enum class Holds : std::uint8_t { voxels, views };
  Holds input = Holds::voxels, output = Holds::views;
  std::int64_t voxels_x = 1, voxels_y = 1, voxels_z = 1;
  Point voxel{1.0, 1.0, 1.0};  ///< sides
  int columns = 1, rows = 1;   ///< of the detector
  bool parallel = false;
  std::vector<View> views;
};

/// What one ray meets on its way through an object.
struct RayDiagram {
  struct Piece {
    int x = 0, y = 0, z = 0;  ///< voxel
    double length = 0.0, value = 0.0;
  };
  ScannerDiagram::Point from, to;
  ScannerDiagram::Point in, out;  ///< where it enters and leaves the object; the same where it misses
  std::vector<Piece> pieces;      ///< on the way
  double sum = 0.0;               ///< of length times value
};

struct ScannerFacet {
  /// Throws UsageError for an unfit input.
  std::optional<ScannerDiagram> (*diagram)(const ParamBox&, const Shape& input);
  /// The ray of a pixel of the detector through `voxels`, those of the object; nothing where there is no such pixel.
  std::optional<RayDiagram> (*ray)(const ParamBox&, const HostIn& voxels, int view, int row, int column);
};

}  // namespace threadscape

#pragma once
// Where source and detector of a scanner stand, for algorithms with projections of an object as input or output.

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/params.h"

namespace threadscape {

/// The geometry of a scan. Lengths are in the unit of the object, whose middle is the origin; z points up.
struct ScannerDiagram {
  struct Point {
    double x = 0.0, y = 0.0, z = 0.0;
  };
  struct View {
    double angle = 0.0;  ///< Angle of the view in degrees.
    Point source;  ///< Position of the source; of a parallel beam, the start of the ray of the first detector pixel.
    Point corner;  ///< Middle of the first detector pixel.
    Point column, row;  ///< Vectors from a detector pixel to the next in its row, and to the next in its column.
  };
  /// What the slices of a volume are: layers of the object along y, or views.
  enum class Holds : std::uint8_t { voxels, views };
  Holds input = Holds::voxels, output = Holds::views;
  std::int64_t voxels_x = 1, voxels_y = 1, voxels_z = 1;
  Point voxel{1.0, 1.0, 1.0};  ///< Sides of a voxel along x, y and z.
  int columns = 1, rows = 1;   ///< Columns and rows of detector pixels.
  bool parallel = false;
  std::vector<View> views;
};

/// A ray from the source to a detector pixel, and the voxels of the object that it crosses.
struct RayDiagram {
  struct Piece {
    int x = 0, y = 0, z = 0;  ///< Indices of the voxel.
    double length = 0.0, value = 0.0;
  };
  ScannerDiagram::Point from, to;
  ScannerDiagram::Point in, out;  ///< Where the ray enters and leaves the object; equal if it misses the object.
  std::vector<Piece> pieces;      ///< One for each crossed voxel, in order.
  double sum = 0.0;               ///< Sum of length times value over the pieces.
};

struct ScannerFacet {
  /// Throws UsageError for an unfit input.
  std::optional<ScannerDiagram> (*diagram)(const ParamBox&, const Shape& input);
  /// The ray to a detector pixel through the object with these voxels; none if there is no such pixel.
  std::optional<RayDiagram> (*ray)(const ParamBox&, const HostIn& voxels, int view, int row, int column);
};

}  // namespace threadscape

#pragma once
// The positions of source and detector of a scanner, for algorithms that have projections of an object as input or
// output.

#include <cstdint>
#include <optional>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/params.h"

namespace threadscape {

/// The geometry of a scan. Lengths are in any unit, which is that of the parameter `voxel_size`. The middle of the
/// object is the origin, and z points up.
struct ScannerDiagram {
  struct Point {
    double x = 0.0, y = 0.0, z = 0.0;
  };
  struct View {
    double angle = 0.0;  ///< Angle of the view in degrees.
    /// Position of the source. For a parallel beam, it is the start of the ray to the first detector pixel.
    Point source;
    Point corner;  ///< Centre of the first detector pixel.
    /// Vectors from a detector pixel to the next one in its row, and to the next one in its column.
    Point column, row;
  };
  /// What the slices of a volume are: slices of the object, which are stacked along y, or views, which are projections
  /// onto the detector.
  enum class Holds : std::uint8_t { voxels, views };
  Holds input = Holds::voxels, output = Holds::views;
  std::int64_t voxels_x = 1, voxels_y = 1, voxels_z = 1;
  Point voxel{1.0, 1.0, 1.0};  ///< Lengths of a voxel's sides along x, y and z.
  int columns = 1, rows = 1;   ///< Numbers of columns and rows of detector pixels.
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
  std::vector<Piece> pieces;      ///< The crossed voxels in the order of the ray.
  double sum = 0.0;               ///< The line integral of the ray: the sum of length times value over the pieces.
};

struct ScannerFacet {
  /// What the input and the result hold.
  ScannerDiagram::Holds input = ScannerDiagram::Holds::voxels, output = ScannerDiagram::Holds::views;
  /// The geometry for these parameters and an input of this shape; none if it is unknown. Throws UsageError for an
  /// unsuitable input.
  std::optional<ScannerDiagram> (*diagram)(const ParamBox&, const Shape& input);
  /// The ray to a detector pixel through the object that consists of these voxels; none if there is no such pixel, or
  /// if only the file of the views would tell how many views there are.
  std::optional<RayDiagram> (*ray)(const ParamBox&, const HostIn& voxels, int view, int row, int column);
};

}  // namespace threadscape

#pragma once
// The inner loops of the serial filtered backprojection, whose lanes are neighbouring pixels or voxels of a row. They
// have the operations of scalar code in its order, none of them fused, so that a lane has the bits of a scalar.

#include <cstddef>

#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"

namespace threadscape::reconstruction {

/// Number of results of convolve_row() that are computed together.
inline constexpr int row_chunk = 32;

/// A filtered view of doubles in rows. Zeros stand around it, a row before and a row behind its rows, and a column
/// before and two behind its columns: they are the outside of the detector for an interpolation.
struct PaddedRows {
  int pitch = 0;              ///< Distance between neighbouring rows.
  std::size_t count = 0;      ///< Number of doubles with those around.
  std::ptrdiff_t origin = 0;  ///< Index of the pixel (0, 0).

  explicit PaddedRows(const Geometry& geometry)
      : pitch(geometry.columns + 3),
        count(static_cast<std::size_t>(pitch) * static_cast<std::size_t>(geometry.rows + 2)),
        origin(pitch + 1) {}
};

/// to[j] = sum over k < n of taps[j - k] * from[k], from k = 0 on, for 0 <= j < n. `taps` is readable from 1 - n to
/// n - 1 + row_chunk.
void convolve_row(const double* from, int n, const double* taps, double* to);

/// Adds the weighted values of a view to voxels of the layer y, of which voxel (x, z) is voxels[x + z * nx]. Returns
/// the x at which voxels are left over, less than a vector, to which nothing was added.
/// `pixels` is the pixel (0, 0) of a view with zeros around it (PaddedRows).
int back_project_layer(const Geometry& geometry, const ViewAngle& angle, const double* pixels, int y, double* voxels);

}  // namespace threadscape::reconstruction

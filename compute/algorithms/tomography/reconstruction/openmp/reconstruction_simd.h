#pragma once
// The inner loops of filtered backprojection on the CPU, in SIMD.

#include <span>

#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_memory.h"

namespace threadscape::reconstruction {

inline constexpr int max_lanes = 16;  ///< Maximum number of floats in a vector.
/// Number of outputs of add_convolved() that are computed together.
inline constexpr int convolution_chunk = 4 * max_lanes;

/// to[j] += sum over k < count of from[k] * taps[j - k], for 0 <= j < n. n is rounded up to convolution_chunk, so `to`
/// and `taps` have to extend as far.
void add_convolved(const float* from, int count, const float* taps, int n, float* to);

/// The arguments of back_project_tile().
struct BackTile {
  const Geometry* geometry;
  const float* views;  ///< Filtered views (FilteredLayout), readable 2 * max_lanes floats beyond the end.
  std::span<const ViewAngle> angles;  ///< The angles of all views.
  int x0, x1, y0, y1;                 ///< The tile: the voxels with x0 <= x < x1 and y0 <= y < y1.
  float* sums;   ///< The voxels of the tile in the order z, x, y, or x, z, y for lanes along x. They are added to.
  int pitch;     ///< Distance in floats between neighbours along the second axis of sums: whole vectors, or tile_width.
  bool along_x;  ///< The lanes of vectors are voxels along x. A view has less than 2^31 floats.
};
/// Adds the backprojection of all views to a tile of voxel columns.
void back_project_tile(const BackTile& job);

}  // namespace threadscape::reconstruction

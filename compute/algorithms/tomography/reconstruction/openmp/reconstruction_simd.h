#pragma once
// The inner loops of filtered backprojection on the CPU.

#include <span>

#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_memory.h"

namespace threadscape::reconstruction {

inline constexpr int most_lanes = 16;
/// Outputs of add_convolved() are made so many at a time.
inline constexpr int convolved_at_once = 4 * most_lanes;

/// to[j] += the sum over k < count of from[k] * taps[j - k], for j < n rounded up to convolved_at_once.
void add_convolved(const float* from, int count, const float* taps, int n, float* to);

/// Adds what the views say to a block of columns of voxels.
struct BackTile {
  const Geometry* geometry;
  const float* views;  ///< FilteredLayout; readable 2 * most_lanes floats beyond its end
  std::span<const ViewAngle> angles;
  int x0, x1, y0, y1;
  float* sums;  ///< (z, x, y), zeros at first
  int pitch;    ///< from one column of sums to the next: whole vectors
};
void back_project_tile(const BackTile& job);

}  // namespace threadscape::reconstruction

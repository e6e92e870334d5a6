#pragma once
// Memory for the paths and rows of detector columns on the CPU, and the steps of a path as a list, for projection and
// its transpose.
//
//   crossings of x   |    x0        x1        x2   |     one thread merges both ascending lists to the steps of a
//   crossings of y   |         y0        y1        |     path; all vectors of rows then follow the same steps
//   steps            | s0 | s1 | s2 | s3 | s4 | s5 |

#include <algorithm>
#include <cmath>
#include <span>

#include "compute/algorithms/tomography/projection/openmp/projection_rows.h"
#include "compute/algorithms/tomography/slab_memory.h"

namespace threadscape::projection {

/// Maximum number of steps of a path through `layers` layers, in any view and column.
inline std::size_t max_steps(const Geometry& geometry, int layers) {
  const double source_to_detector = geometry.source_distance + geometry.detector_distance;
  // No path moves slower than this many voxels per alpha along its faster axis; 1.42 is more than sqrt(2).
  const double across = source_to_detector / (1.42 * std::max(geometry.grid.voxel_x, geometry.grid.voxel_y));
  const double parts = std::min(2 + max_row_slope(geometry) / (0.99 * across), 1.0 * max_parts);
  return static_cast<std::size_t>((geometry.grid.nx + layers + 2) * std::floor(parts));
}

/// Writes the steps of a path in order and returns their number. It merges the crossings of x and y linearly, where
/// ExactPath::step() searches for one step.
inline int list_steps(const ExactPath& path, std::span<ColumnStep> steps) {
  const int count = path.steps();
  int i = 0, j = 0;
  for (int s = 0; s < count; s += path.parts) {
    for (int part = 0; part < path.parts; ++part)
      steps[static_cast<std::size_t>(s + part)] = path.step_after(i, j, part);
    if (i < path.x.count && (j == path.y.count || path.x.alpha(i) <= path.y.alpha(j)))
      ++i;
    else
      ++j;
  }
  return count;
}
/// Writes the steps of a path in order and returns their number.
inline int list_steps(const JosephPath& path, std::span<ColumnStep> steps) {
  for (int s = 0; s < path.steps(); ++s)
    steps[static_cast<std::size_t>(s)] = path.step(s);
  return path.steps();
}

/// Scratch memory in bytes of take_row_table().
[[nodiscard]] inline std::size_t row_table_bytes(const Geometry& geometry) {
  const auto rows = static_cast<std::size_t>(geometry.rows) + max_lanes;
  return HostScratch::padded(2 * rows * sizeof(double)) + HostScratch::padded(3 * rows * sizeof(float));
}
/// Fills a RowTable in scratch memory.
[[nodiscard]] inline RowTable take_row_table(const Geometry& geometry, HostScratch& scratch) {
  const auto rows = static_cast<std::size_t>(geometry.rows) + max_lanes;
  double* const doubles = scratch.take<double>(2 * rows).data();
  float* const floats = scratch.take<float>(3 * rows).data();
  for (std::size_t r = 0; r < rows; ++r) {
    const Axis z = row_axis(geometry, static_cast<int>(r));
    const double v = geometry.parallel ? 0.0 : geometry.v_of(static_cast<int>(r));
    doubles[r] = z.origin;
    doubles[rows + r] = z.direction;
    floats[r] = static_cast<float>(z.direction);
    floats[rows + r] = inverse_slope(z);
    floats[2 * rows + r] = static_cast<float>(v * v);
  }
  return {doubles, doubles + rows, floats, floats + rows, floats + 2 * rows};
}

}  // namespace threadscape::projection

#pragma once
// The transpose of the exact projector (siddon, incremental) with all cores and SIMD: every voxel gets the sum over the
// rays of a ray's value times its length in the voxel.

#include <functional>

#include "compute/algorithms/tomography/projection/projection_memory.h"
#include "compute/registry/algorithm.h"

namespace threadscape::projection {

/// Values of rays with the rows of a detector column next to each other: (row, column, view) stands at
/// row + (column + view * columns) * ray_pitch(). What lies beyond the rows has to be 0.
[[nodiscard]] std::size_t ray_pitch(const Geometry& geometry);
[[nodiscard]] inline std::size_t ray_count(const Geometry& geometry) {
  return ray_pitch(geometry) * static_cast<std::size_t>(geometry.columns) * static_cast<std::size_t>(geometry.views);
}

/// Threads share the volume, not the rays, so nothing is added to by two of them: each takes a few layers along y, goes
/// through all rays clipped to them, and calls done(box, columns) with the sums as columns of voxels
/// (projection_columns.h). The layers of a box depend on the geometry alone, so results do not depend on `run.threads`.
/// Scratch of back_scratch_bytes(); `done` must not throw.
void back_project(const Geometry& geometry, const float* rays, const HostRun& run,
                  const std::function<void(const Box&, const float* columns)>& done);
[[nodiscard]] std::size_t back_scratch_bytes(const Geometry& geometry);

}  // namespace threadscape::projection

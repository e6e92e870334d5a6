#pragma once
// The transpose of the exact projector (methods siddon and incremental) with all cores and SIMD: a voxel becomes the
// sum over all rays of the ray's value times its length in the voxel.
//
//   thread 0 | layers  0 ..  7  |      all rays of all views pass through every box, clipped to its layers;
//   thread 1 | layers  8 .. 15  |      a vector holds rows of one detector column, whose lengths in the voxels
//   thread 0 | layers 16 .. 23  |      it computes together and adds to the box lane by lane (back_rows.cpp)
//    ...        boxes along y

#include <functional>

#include "compute/algorithms/tomography/slab_memory.h"
#include "compute/registry/algorithm.h"

namespace threadscape::projection {

/// The pitch in floats of ray values in which the rows of a detector column are contiguous: the value of (row, column,
/// view) has the index row + (column + view * columns) * ray_pitch(). The padding after the rows has to be 0.
[[nodiscard]] std::size_t ray_pitch(const Geometry& geometry);
/// Number of floats of all ray values, with padding.
[[nodiscard]] inline std::size_t ray_count(const Geometry& geometry) {
  return ray_pitch(geometry) * static_cast<std::size_t>(geometry.columns) * static_cast<std::size_t>(geometry.views);
}

/// Calls done(box, columns) for boxes that together are the volume; `columns` are the sums as columns of voxels
/// (detector_columns.h). Threads share the volume, not the rays, so no two threads add to the same voxel: a thread
/// takes a box of a few layers along y and goes through all rays clipped to it. The boxes depend on the geometry alone,
/// so results do not depend on run.threads. `run` provides threads, stop, progress and scratch of back_scratch_bytes().
/// `done` is called from several threads and must not throw.
void back_project(const Geometry& geometry, const float* rays, const HostRun& run,
                  const std::function<void(const Box&, const float* columns)>& done);
[[nodiscard]] std::size_t back_scratch_bytes(const Geometry& geometry);

}  // namespace threadscape::projection

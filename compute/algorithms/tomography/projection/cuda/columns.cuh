#pragma once
// The rows of a detector column on the GPU, for projection_cuda.cu and its transpose, back_projection_cuda.cu.
//
//   thread = row of the detector    fraction, slope, inverse, index: constants of the row
//                                   z, floor, at: where the ray is at the end of the last step
//
//       +--------+ plane            In a step a ray crosses at most one plane along z. ExactRow::step() returns the
//       | next_at|  .-'             two voxels of the column and the length in the first, `before`; the length in the
//       +------.-+-'---- plane      second is step.length - before.
//       | at .-' |
//       +--.-'---+
//       |<before>|<- rest ->|

#include <algorithm>

#include "compute/algorithms/tomography/detector_columns.h"
#include "compute/gpu/check.h"

namespace threadscape::projection {

constexpr int steps_per_chunk = 512;  // Number of steps of a path that are in shared memory at a time.
constexpr int views_per_launch = 32;  // limited by the size of ViewBatch, a kernel argument

/// The angles of the views of one launch.
struct ViewBatch {
  ViewAngle angles[views_per_launch];
};

/// Calls launch(angles, first view, number of views) for the views first .. last - 1, in batches.
template <class Launch>
void in_batches(const Geometry& geometry, int first, int last, const Launch& launch) {
  for (int view = first; view < last; view += views_per_launch) {
    const int count = std::min(views_per_launch, last - view);
    ViewBatch batch;
    for (int i = 0; i < count; ++i)
      batch.angles[i] = geometry.position(view + i);
    launch(batch, view, count);
    TS_CUDA_LAUNCHED();
  }
}

/// Converts heights relative to the entry, rounded down, to indices into a column of voxels, clamped to -1..nz: index
/// -1 and index nz are the zeros below and above the column.
struct HeightIndex {
  float min_floor, max_floor;
  int base;

  __device__ HeightIndex(int entry, int nz)
      : min_floor(static_cast<float>(-1 - entry)),
        max_floor(static_cast<float>(nz - entry)),
        base(entry - 0x4B400000) {}
  /// An integral float below 2^22 appears in the low bits of its sum with 1.5 * 2^23. That avoids the conversion
  /// instruction, which has a low throughput.
  __device__ int operator()(float floor) const {
    return __float_as_int(fminf(fmaxf(floor, min_floor), max_floor) + 12582912.0f) + base;
  }
};

/// The ray of a row on an ExactPath: the voxels of the column that it passes through in a step, and the lengths in
/// them.
struct ExactRow {
  struct Lengths {
    int at, next_at;  ///< Indices of both voxels in the column; equal if the ray crosses no plane along z.
    float before;     ///< Length in the first voxel, in alpha.
  };
  float fraction, slope, inverse;
  HeightIndex index;
  float z, floor;  ///< Height relative to the entry at the end of the previous step, and the same rounded down.
  int at;          ///< Index of the voxel at the end of the previous step.

  __device__ ExactRow(const Axis& axis, const RowHeight& height, int nz)
      : fraction(height.fraction),
        slope(static_cast<float>(axis.direction)),
        inverse(inverse_slope(axis)),
        index(height.base, nz),
        z(height.fraction),
        floor(0.0f),
        at(index(0.0f)) {}

  __device__ Lengths step(const ColumnStep& step) {
    const float next = fmaf(step.end, slope, fraction), next_floor = floorf(next);
    const int next_at = index(next_floor);
    // The length before the plane that is crossed. If none is, both voxels are the same one, and it does not matter how
    // the length is divided between them.
    const float before = fminf(fmaxf((fmaxf(floor, next_floor) - z) * inverse, 0.0f), step.length);
    const Lengths on{at, next_at, before};
    z = next;
    floor = next_floor;
    at = next_at;
    return on;
  }
};

}  // namespace threadscape::projection

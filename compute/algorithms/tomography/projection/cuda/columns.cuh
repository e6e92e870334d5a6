#pragma once
// Rows of a detector column on the GPU: what projection_cuda.cu and its transpose, back_projection_cuda.cu, share.

#include <algorithm>

#include "compute/algorithms/tomography/projection/projection_columns.h"
#include "compute/cuda/check.h"

namespace threadscape::projection {

constexpr int steps_at_a_time = 512;  // in shared memory
constexpr int views_of_launch = 32;   // their angles are arguments of the kernel

struct ViewBatch {
  ViewAngle angles[views_of_launch];
};

/// Calls launch(angles, first view, number of views) for the views in batches.
template <class Launch>
void in_batches(const Geometry& geometry, int first, int last, const Launch& launch) {
  for (int view = first; view < last; view += views_of_launch) {
    const int count = std::min(views_of_launch, last - view);
    ViewBatch batch;
    for (int i = 0; i < count; ++i)
      batch.angles[i] = view_angle(geometry.angle_of(view + i));
    launch(batch, view, count);
    TS_CUDA_LAUNCHED();
  }
}

/// Indices into a column of voxels: from heights above the entry, rounded down.
struct HeightIndex {
  float lowest, highest;
  int base;

  __device__ HeightIndex(int entry, int nz)
      : lowest(static_cast<float>(-1 - entry)), highest(static_cast<float>(nz - entry)), base(entry - 0x4B400000) {}
  /// Whole floats below 2^22 are the low bits of their sum with 1.5 * 2^23; conversions have few units.
  __device__ int operator()(float floor) const {
    return __float_as_int(fminf(fmaxf(floor, lowest), highest) + 12582912.0f) + base;
  }
};

/// A row on an exact path: in which voxels of the column it is during a step, and how long in each.
struct ExactRow {
  struct Lengths {
    int at, next_at;  ///< heights; the same where no plane is crossed
    float before;     ///< length at the first
  };
  float fraction, slope, inverse;
  HeightIndex index;
  float z, floor;  ///< at the end of the step before
  int at;

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
    // The length on this side of the plane that is crossed; where none is, both values are the same.
    const float before = fminf(fmaxf((fmaxf(floor, next_floor) - z) * inverse, 0.0f), step.length);
    const Lengths on{at, next_at, before};
    z = next;
    floor = next_floor;
    at = next_at;
    return on;
  }
};

}  // namespace threadscape::projection

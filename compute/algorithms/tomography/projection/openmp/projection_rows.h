#pragma once
// The rows of one detector column, a vector of them at a time: the inner loop of projection and of its transpose on the
// CPU.

#include "compute/algorithms/tomography/detector_columns.h"

namespace threadscape::projection {

inline constexpr int max_lanes = 16;  ///< Maximum number of floats in a vector.

/// Properties of the rows that are the same in every view and column: arrays of geometry.rows + max_lanes elements.
struct RowTable {
  const double* origin;     ///< Axis::origin of z, without PathRows::lift.
  const double* direction;  ///< Axis::direction of z.
  const float* slope;       ///< Axis::direction of z as a float.
  const float* inverse;     ///< inverse_slope() of z.
  const float* length;      ///< Square of the length of the rays along z.

  [[nodiscard]] Axis z(int row) const {
    return {origin[row], direction[row], direction[row] != 0 ? 1 / direction[row] : 0};
  }
};

/// The rays of one detector column in one view, and their path through one slab.
struct PathRows {
  const ColumnStep* steps;
  int count;         ///< Number of steps.
  int nz;            ///< Voxels in a column of voxels.
  AlphaRange range;  ///< Interval of alpha of the path.
  RowTable table;
  double lift;        ///< What the view adds to the origins of the table, in voxels.
  float flat_length;  ///< Square of the length of the rays in the xy-plane.
  int rows;           ///< Rows of the detector.

  [[nodiscard]] Axis z(int row) const {
    Axis axis = table.z(row);
    axis.origin += lift;
    return axis;
  }
};

/// The arguments of project_rows().
struct ColumnRows : PathRows {
  const float* columns;  ///< Columns of voxels.
  float scale;           ///< Factor for the results.
  float* values;         ///< The results, one per row, rounded up to whole vectors.
};
/// Computes the values of all rays of a detector column; siddon is computed as incremental.
void project_rows(Method method, const ColumnRows& job);

/// The arguments of back_project_rows().
struct BackRows : PathRows {
  float* columns;       ///< Columns of voxels that are added to.
  const float* values;  ///< The values of the rays, rounded up to whole vectors with zeros.
};
/// Adds to every voxel on a ray the ray's value times its length in the voxel: the transpose of project_rows() for
/// siddon and incremental, with the same lengths.
void back_project_rows(const BackRows& job);

}  // namespace threadscape::projection

#pragma once
// The rows of one detector column: the inner loop of the OpenMP backend.

#include "compute/algorithms/tomography/projection/projection_columns.h"

namespace threadscape::projection {

inline constexpr int most_lanes = 16;  ///< of a vector

/// What a row has in every view and column; arrays of all rows, and of most_lanes more.
struct RowTable {
  const double* origin;     ///< of z, as Axis has it
  const double* direction;  ///< likewise
  const float* slope;
  const float* inverse;  ///< inverse_slope()
  const float* length;   ///< of the rays along z, squared

  [[nodiscard]] Axis z(int row) const {
    return {origin[row], direction[row], direction[row] != 0 ? 1 / direction[row] : 0};
  }
};

/// One column of the detector in one view, over one slab.
struct PathRows {
  const ColumnStep* steps;
  int count;
  int nz;
  AlphaRange range;  ///< of the path
  RowTable table;
  float flat_length;  ///< of the rays in the xy-plane, squared
  int rows;
};

/// From voxels to values.
struct ColumnRows : PathRows {
  const float* columns;  ///< of voxels
  float scale;           ///< of the results
  float* values;         ///< results, of whole vectors
};
/// siddon and incremental, or joseph.
void project_rows(Method method, const ColumnRows& job);

/// From values to voxels: every voxel that a ray goes through gets the ray's value times its length there. The
/// transpose of project_rows() for siddon and incremental, with the same lengths.
struct BackRows : PathRows {
  float* columns;       ///< of voxels, added to
  const float* values;  ///< of whole vectors, those beyond `rows` being 0
};
void back_project_rows(const BackRows& job);

}  // namespace threadscape::projection

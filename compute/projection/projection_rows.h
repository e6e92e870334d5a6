#pragma once
// The rows of one detector column: the inner loop of the OpenMP backend.

#include "compute/projection/projection_columns.h"

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
struct ColumnRows {
  const ColumnStep* steps;
  int count;
  const float* columns;  ///< of voxels
  int nz;
  AlphaRange range;  ///< of the path
  RowTable table;
  float flat_length;  ///< of the rays in the xy-plane, squared
  float scale;        ///< of the results
  int rows;
  float* values;  ///< results, of whole vectors
};

/// siddon and incremental, or joseph.
void project_rows(Method method, const ColumnRows& job);

}  // namespace threadscape::projection

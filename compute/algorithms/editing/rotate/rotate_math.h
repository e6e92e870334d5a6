#pragma once
// Where a pixel of a turned picture comes from, shared by all backends.

#include "compute/kernel/border.h"

namespace threadscape::rotate {

enum class Turn : int { none, right, half, left };
enum class Flip : int { none, horizontal, vertical };

/// The linear map from a pixel of the result to one of the input: column = column_0 + column_x x + column_y y, and the
/// same for the row. Passed to kernels by value.
struct Plan {
  int width = 0, height = 0;  ///< The size of the result.
  int column_0 = 0, column_x = 1, column_y = 0;
  int row_0 = 0, row_x = 0, row_y = 1;

  [[nodiscard]] TS_HD int column(int x, int y) const { return column_0 + column_x * x + column_y * y; }
  [[nodiscard]] TS_HD int row(int x, int y) const { return row_0 + row_x * x + row_y * y; }
};

}  // namespace threadscape::rotate

#pragma once
// Masks of rank 1: a column times a row. Found once per plan, on the host.

#include <cstdint>

namespace threadscape::convolution {

/// Whole numbers: true if units[y * size + x] = column[y] * row[x] for integers column and row, which are written.
/// Every mask of whole numbers that has rank 1 is such a product: the greatest common divisor of a row that is not
/// zero goes to the column, and every other row is a multiple of what is left. A mask of zeros has no factors.
[[nodiscard]] bool whole_factors(const int* units, int size, int* column, int* row);

/// Floats: true if every tap is within 2^-21 of itself of column[y] * row[x]. That is what rounding can make of a
/// product: the tap and the three taps of which its factors are made, half a unit each, and a division.
[[nodiscard]] bool real_factors(const float* taps, int size, float* column, float* row);

}  // namespace threadscape::convolution

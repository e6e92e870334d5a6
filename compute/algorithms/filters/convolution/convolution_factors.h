#pragma once
// Factors of masks of rank 1, a column times a row. They are computed once per plan, on the host.

#include <cstdint>

namespace threadscape::convolution {

/// Factors of an integer mask: returns whether units[y * size + x] = column[y] * row[x] for integers column and row,
/// and writes them. Every integer mask of rank 1 is such a product: the greatest common divisor of a row that is not
/// zero goes to the column, and every other row is a multiple of what is left. A mask of zeros has no factors.
[[nodiscard]] bool whole_factors(const int* units, int size, int* column, int* row);

/// Factors of a float mask: returns whether every tap differs from column[y] * row[x] by at most 2^-21 of itself, and
/// writes them. Rounding can move a product that far: by half a unit in the last place for the tap, for each of the
/// three taps that its factors are computed from, and for the division.
[[nodiscard]] bool real_factors(const float* taps, int size, float* column, float* row);

}  // namespace threadscape::convolution

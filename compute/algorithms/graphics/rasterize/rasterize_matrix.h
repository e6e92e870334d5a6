#pragma once
// Matrices that the user states as text: 16 numbers, row by row, with commas between them.

#include <array>
#include <optional>
#include <string>
#include <string_view>

#include "compute/algorithms/graphics/rasterize/rasterize_plan.h"

namespace threadscape::rasterize {

using Matrix4 = std::array<double, 16>;

/// Returns true if the text states no matrix, so that the one of the camera is taken.
[[nodiscard]] bool is_blank(std::string_view text);
/// The matrix that a text states; none if it is not 16 finite numbers.
[[nodiscard]] std::optional<Matrix4> parse_matrix(std::string_view text);
/// A text from which parse_matrix() makes the same matrix.
[[nodiscard]] std::string matrix_text(const Matrix& matrix);

/// Why a text is refused as the parameter `view_matrix`: not 16 numbers, not finite, a last row other than 0 0 0 1, or
/// singular. "" if it is accepted; a blank text is.
[[nodiscard]] std::string view_problem(std::string_view text);
/// Why a text is refused as the parameter `projection_matrix`: not 16 numbers, not finite, or singular. "" if it is
/// accepted; a blank text is.
[[nodiscard]] std::string projection_problem(std::string_view text);

[[nodiscard]] Matrix4 product(const Matrix4& a, const Matrix4& b);
/// The point (x, y, z, w) that the matrix maps to (0, 0, 1, 0): where all lines of sight of a projection meet, at
/// infinity if w is 0. The matrix is not singular.
[[nodiscard]] std::array<double, 4> centre_of_projection(const Matrix4& matrix);
/// Returns true if the lines of sight of a projection are parallel, up to rounding.
[[nodiscard]] bool is_parallel(const Matrix4& projection);

}  // namespace threadscape::rasterize

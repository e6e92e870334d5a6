#pragma once
// The matrix of winners in the lab.

#include <imgui.h>

#include <string>

#include "app/analysis/win_matrix.h"

namespace threadscape::app {

/// Draws the matrix as a table of cells in the colours of the backends, each with its name and factor.
void draw_matrix(const WinMatrix& matrix, ImVec2 size);
/// A table with a row for every cell of the matrix: row, items, winner, factor, tie.
[[nodiscard]] std::string matrix_csv(const WinMatrix& matrix);

}  // namespace threadscape::app

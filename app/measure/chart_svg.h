#pragma once
// The plots of the lab as files: tables for other programs, and drawings.

#include <string>

#include "app/lab/plot_data.h"

namespace threadscape::app {

/// A table with a row for every point: plot, line, category, x, y, low, high, samples. pandas.read_csv() reads it as it
/// is.
[[nodiscard]] std::string plot_csv(const PlotData& plot);
/// A table with a row for every cell of the matrix: row, items, winner, factor, tie.
[[nodiscard]] std::string matrix_csv(const WinMatrix& matrix);
/// A drawing with axes, lines, markers, intervals, guides and legend, in the colours of the light theme. It has 960 x
/// 540 units, or more where long labels or a long legend need them.
[[nodiscard]] std::string plot_svg(const PlotData& plot);

/// The colour of line `index` of a plot as 0xRRGGBB, from the palette of Okabe and Ito, which people with any of the
/// common forms of colour blindness can tell apart.
[[nodiscard]] unsigned line_colour(std::size_t index);

}  // namespace threadscape::app

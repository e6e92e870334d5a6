#pragma once
// Charts as tables: as text, and as CSV for other programs.

#include <string>

#include "app/measure/chart.h"

namespace threadscape::app {

/// Formats a number as axes show it: 3, 0.31, 3264.
[[nodiscard]] std::string axis_text(double value);
/// The figures of a chart: a row for every x and a column for every line, with a head, and "-" where a line has no
/// point.
[[nodiscard]] std::vector<std::vector<std::string>> chart_cells(const Chart& chart);
/// Formats the charts as text tables, with a row for every x and a column for every line.
[[nodiscard]] std::string chart_tables(const ChartPage& page);
/// A table with a row for every point: plot, line, category, x, y, low, high, samples. pandas.read_csv() reads it as it
/// is.
[[nodiscard]] std::string chart_csv(const Chart& chart);

}  // namespace threadscape::app

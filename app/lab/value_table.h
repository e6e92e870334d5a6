#pragma once
// The figures of a plot as a table below it.

#include <string>
#include <vector>

#include "app/measure/chart.h"

namespace threadscape::app {

/// A table with a head and a first column of names: a row for every line, or for every bar of a stacked chart.
using ValueCells = std::vector<std::vector<std::string>>;
/// The figures of a chart. Empty for a histogram, for a chart without points, and for one with more than 60 places.
[[nodiscard]] ValueCells value_cells(const Chart& chart);
/// The height that the whole table takes.
[[nodiscard]] float value_table_height(const ValueCells& cells);
/// Draws the table with this height; what does not fit scrolls.
void draw_value_table(const ValueCells& cells, float height);

}  // namespace threadscape::app

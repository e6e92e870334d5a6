#pragma once
// Texts among the lines of a plot. All functions are called between those of ImPlot that begin and end the plot.

#include "app/measure/chart.h"

namespace threadscape::app {

/// Names the ceilings beside their lines, where a name covers the fewest points and no other name.
void name_ceilings(const Chart& chart);
/// Draws the marks of lines as circles with a text beside them, and those of a histogram as vertical lines.
void draw_marks(const Chart& chart);

}  // namespace threadscape::app

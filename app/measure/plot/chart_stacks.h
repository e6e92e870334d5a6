#pragma once
// The bars of a chart of which each is stacked from the lines.

#include "app/measure/chart.h"

namespace threadscape::app {

/// Returns whether a part of the stacks is in any bar; one without time is not drawn.
[[nodiscard]] bool takes_time(const ChartLine& part);
/// Draws horizontal bars, of 100 % where totals differ by orders of magnitude: the parts of each one behind the other,
/// in the order of the categories from the top, with the intervals that are known. Call it between ImPlot::BeginPlot()
/// and EndPlot().
void draw_stacks(const Chart& chart);
/// Shows the parts of the bar under the mouse, with the spread and the number of samples where they are known, and
/// returns its row; null if there is none.
const Measurement* hover_stacks(const Chart& chart);

}  // namespace threadscape::app

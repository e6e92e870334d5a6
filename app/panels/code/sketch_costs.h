#pragma once
// What a sketch costs beside the algorithm that it is compared with.

#include <string>

#include "app/session/sketch_comparison.h"

namespace threadscape::app {

/// The comparison in a sentence: the verdict on the times, or how many times as much is counted.
[[nodiscard]] std::string cost_sentence(const SketchComparison& costs);
/// Draws a table of the counts of both sides, or of the times.
void draw_costs(const SketchComparison& costs);

}  // namespace threadscape::app

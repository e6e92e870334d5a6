#pragma once
// The count by which lines of a source are coloured.

#include <imgui.h>

#include <string>

#include "app/scenes/microscope/microscope_view.h"
#include "compute/warp/counts.h"

namespace threadscape::app {

/// A figure of a line with these counts.
[[nodiscard]] double figure_of(LineFigure figure, const warp::Counts& counts);
/// The colour behind a figure of that share of the largest one, 0..1. Where the figure is good while it is high, the
/// share is what is missing.
[[nodiscard]] ImU32 heat(double share);
[[nodiscard]] std::string figure_text(double value);

}  // namespace threadscape::app

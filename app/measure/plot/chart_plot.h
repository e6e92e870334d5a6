#pragma once
// Draws the plots of the lab with ImPlot: hover shows exact values, the legend hides lines, and the wheel zooms.

#include "app/lab/plot_data.h"
#include "app/window/widgets/theme.h"

namespace threadscape::app {

/// Which data the axes were fitted to last, so that they follow new points, but not while the user zooms.
struct FittedAxes {
  std::string title;
  std::size_t points = 0;
};

/// Returns true if no line has a point. The first note is then drawn in the middle of the plot.
[[nodiscard]] bool is_empty(const PlotData& plot);

/// Draws a plot into a rectangle of this size. Lines differ in colour and marker. Where nothing is measured yet, a
/// sentence says what to do.
void draw_plot(const PlotData& plot, ImVec2 size, FittedAxes& fitted);
/// Draws the matrix as a table of cells in the colours of the backends, each with its name and factor.
void draw_matrix(const WinMatrix& matrix, ImVec2 size);
/// Fills a rectangle of this size with a muted sentence in its middle.
void sentence_in_the_middle(const char* text, ImVec2 size);

}  // namespace threadscape::app

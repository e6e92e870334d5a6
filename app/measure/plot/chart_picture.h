#pragma once
// Draws the charts of a suite into one PNG, without a display.

#include <filesystem>

#include "app/bench/bench_chart.h"

namespace threadscape::app {

/// Throws what draw_charts() would throw for this path on this machine, so that callers can check it before they
/// measure: UsageError if it is no .png file, EnvironmentError if it cannot be written or if there is no OpenGL.
void require_plotting(const std::filesystem::path& path);

/// Draws a heading and below it a grid of charts, each of `width` x `height` pixels. Figures that a document states are
/// drawn as dashed lines with hollow markers, or as hollow bars. Throws UsageError if the picture would be too large.
void draw_charts(const ChartPage& page, const std::filesystem::path& path, int width, int height);

}  // namespace threadscape::app

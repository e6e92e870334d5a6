#pragma once
// Draws the charts of a suite into one PNG, without a display.

#include <filesystem>

#include "app/bench/bench_chart.h"

namespace threadscape::app {

/// Throws what draw_charts() would throw for this path on this machine, before hours are spent on the figures:
/// UsageError when it is no .png, EnvironmentError when it cannot be written or when there is no OpenGL.
void require_plotting(const std::filesystem::path& path);

/// A grid of charts, each `width` x `height` pixels, below a heading. What documents state is dashed and hollow.
void draw_charts(const ChartPage& page, const std::filesystem::path& path, int width, int height);

}  // namespace threadscape::app

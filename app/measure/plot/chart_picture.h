#pragma once
// Draws the charts of a suite into one PNG, without a display.

#include <filesystem>

#include "app/measure/chart.h"

namespace threadscape::app {

/// Throws EnvironmentError if there is no OpenGL, so that callers can check it before they measure.
void require_pictures();

/// Draws a heading and below it a grid of charts, each of `width` x `height` pixels. Throws UsageError if the picture
/// would be too large.
void save_page(const ChartPage& page, const std::filesystem::path& path, int width, int height);

}  // namespace threadscape::app

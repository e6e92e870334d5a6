#pragma once
// The histograms of the lab: of runs, and of the frames of the window.

#include <string>
#include <vector>

#include "app/measure/chart.h"
#include "app/shell/frame_costs.h"

namespace threadscape::app {

/// How many samples of a set lie in each of 40 intervals between its minimum and its 99th percentile, with marks at
/// percentiles. Samples are in milliseconds; empty gives an empty plot.
[[nodiscard]] Chart histogram(const std::string& title, std::vector<double> samples);
/// The histogram of a part of the window's frames, with a note on the median and the 99th percentile of every part.
[[nodiscard]] Chart frame_histogram(const FrameCosts& costs, FramePart part);

}  // namespace threadscape::app

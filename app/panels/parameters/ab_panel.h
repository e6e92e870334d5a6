#pragma once

#include <string>
#include <vector>

#include "app/shell/desk.h"

namespace threadscape::app {

/// Draws the comparison of the present setting, A, with the kept one, B: what differs, the times of both with their
/// ratio, and whether pictures are compared. Only while the slot of the workspace is filled.
void draw_ab(Desk& desk);

/// Which of two settings is faster by the times of their runs, by the rule of app/analysis/verdict.h, with the ratio of
/// the medians and that of all pairs of runs, or how many runs are missing for a verdict.
[[nodiscard]] std::string ab_sentence(const std::vector<double>& a, const std::vector<double>& b);

}  // namespace threadscape::app

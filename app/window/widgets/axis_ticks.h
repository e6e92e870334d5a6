#pragma once

#include <vector>

namespace threadscape::app {

/// The positions of tick marks on a logarithmic axis from `low` to `high`, both positive, in ascending order: at 1, 2
/// and 5 of each decade if those are at most `max_count`, else at each decade or at every few of them. A range without
/// two such values gets even steps, so that the axis has at least two ticks if `low` < `high`.
[[nodiscard]] std::vector<double> log_ticks(double low, double high, int max_count);

}  // namespace threadscape::app

#pragma once

#include <vector>

namespace threadscape::app {

/// The positions of tick marks on a logarithmic axis from `low` to `high`, both positive, in ascending order: at 1, 2
/// and 5 of each decade if those are at most `max_count`, else at each decade or at every few of them. A range without
/// two such values gets even steps, so that the axis has at least two ticks if `low` < `high`. Neighbours are at least
/// 0.6 times as far apart as `max_count` ticks at equal distances would be: labels that take half of that do not touch.
[[nodiscard]] std::vector<double> log_ticks(double low, double high, int max_count);

/// The multiples of 1, 2 or 5 times a power of ten in `low` to `high`, in ascending order: as many as possible, but at
/// most `max_count`, or two if that is less than two. Fewer than two if no such values are in the range; none if it is
/// empty.
[[nodiscard]] std::vector<double> linear_ticks(double low, double high, int max_count);

}  // namespace threadscape::app

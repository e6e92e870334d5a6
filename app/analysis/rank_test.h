#pragma once
// Comparison of two sets of measured times by ranks: the test of Mann and Whitney, and the estimator of Hodges and
// Lehmann for the ratio of the times with the confidence interval that belongs to the test (Hollander, Wolfe and
// Chicken, Nonparametric Statistical Methods, 3rd edition, chapter 4).

#include <vector>

#include "app/analysis/samples.h"

namespace threadscape::app {

/// The two-sided p-value of the test of Mann and Whitney that `a` and `b` come from the same distribution. It is exact
/// for up to 30 samples in each without equal values; otherwise the normal approximation with the corrections for ties
/// and continuity is used. Both sets contain at least one sample.
[[nodiscard]] double mann_whitney_p(const std::vector<double>& a, const std::vector<double>& b);

/// How much longer the times in `b` are than those in `a`.
struct RatioEstimate {
  double ratio = 1.0;  ///< The median of all quotients of a sample of `b` and a sample of `a`.
  /// The confidence interval of the ratio: those factors that the test of Mann and Whitney does not reject for `b`
  /// against `a` multiplied by the factor. It is 0 to infinity if there are too few samples for the confidence.
  Interval interval = {};
};
/// All samples are positive. `confidence` is between 0 and 1. The time grows as (n + m) log(n + m).
[[nodiscard]] RatioEstimate ratio_of_times(std::vector<double> a, std::vector<double> b, double confidence);

/// Adjusts p-values for the fact that there are several by the method of Holm: if rows are called different where the
/// adjusted value is at most x, the probability of any false call in the whole set is at most x.
[[nodiscard]] std::vector<double> holm_adjusted(const std::vector<double>& p_values);

}  // namespace threadscape::app

#pragma once
// Statistics of one set of measured times: quantiles, the confidence interval of the median, and outliers. Times have
// no known distribution, so that nothing here assumes one.

#include <cstddef>
#include <vector>

namespace threadscape::app {

/// An interval of real numbers with both ends.
struct Interval {
  double low = 0.0, high = 0.0;
  [[nodiscard]] bool contains(double value) const { return low <= value && value <= high; }
};

/// The value below which a standard normal variable lies with probability `p`, 0 < p < 1. The relative error is below
/// 1e-12.
[[nodiscard]] double normal_quantile(double p);
/// The probability that a standard normal variable exceeds `z`.
[[nodiscard]] double normal_tail(double z);

/// The value below which a variable with Student's t distribution of `degrees` degrees of freedom lies with probability
/// `p`, 0.5 <= p <= 0.9995. The relative error is below 1e-6.
[[nodiscard]] double student_quantile(double p, int degrees);

/// The quantile of `sorted` at `p`, 0..1, interpolated linearly between neighbouring samples (type 7 of Hyndman and
/// Fan, the default of NumPy). `sorted` is ascending and not empty.
[[nodiscard]] double quantile(const std::vector<double>& sorted, double p);

/// With fewer samples than this, no interval of a median has a confidence of 95 %.
inline constexpr std::size_t min_interval_samples = 6;

/// The confidence interval of the median between two order statistics: the narrowest symmetric pair of samples that
/// encloses the median with at least this confidence for any continuous distribution (binomial distribution of the
/// number of samples below the median). With too few samples, which is fewer than 6 at 95 %, the ends are the minimum
/// and the maximum, and `reached` is false.
struct MedianInterval {
  double median = 0.0;
  Interval interval = {};
  bool reached = false;  ///< If true, the interval has the confidence that was asked for.
  /// The larger distance from the median to an end of the interval, divided by the median.
  [[nodiscard]] double precision() const;
};
/// `samples` is not empty; its order does not matter.
[[nodiscard]] MedianInterval median_interval(std::vector<double> samples, double confidence = 0.95);

/// Numbers of samples that lie beyond the fences of Tukey's box plot: more than 1.5 times the interquartile range above
/// the upper quartile, or below the lower quartile.
struct Outliers {
  std::size_t high = 0, low = 0;
};
[[nodiscard]] Outliers outliers_of(std::vector<double> samples);

}  // namespace threadscape::app

#include "app/analysis/samples.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace threadscape::app {

double normal_tail(double z) {
  return 0.5 * std::erfc(z / std::numbers::sqrt2);
}

double normal_quantile(double p) {
  double low = -40.0, high = 40.0;
  for (int i = 0; i < 200; ++i) {
    const double middle = 0.5 * (low + high);
    // The smaller of both tails is compared, because 1 - p loses the digits of a small p.
    const bool below = p < 0.5 ? normal_tail(-middle) < p : normal_tail(middle) > 1.0 - p;
    (below ? low : high) = middle;
  }
  return 0.5 * (low + high);
}

double student_quantile(double p, int degrees) {
  const double n = degrees;
  // With t = sqrt(n) tan(x), the density becomes a power of the cosine, whose integral Simpson's rule gives over a
  // bounded interval.
  const double scale = std::exp(std::lgamma((n + 1.0) / 2.0) - std::lgamma(n / 2.0)) / std::sqrt(std::numbers::pi);
  const auto area_up_to = [&](double x) {
    constexpr int steps = 2000;
    const double width = x / steps;
    double sum = 0.0;
    for (int i = 0; i <= steps; ++i) {
      const double weight = i == 0 || i == steps ? 1.0 : (i % 2 == 1 ? 4.0 : 2.0);
      sum += weight * std::pow(std::cos(width * i), n - 1.0);
    }
    return scale * sum * width / 3.0;
  };
  double low = 0.0, high = std::numbers::pi / 2.0;
  for (int i = 0; i < 60; ++i) {
    const double middle = 0.5 * (low + high);
    (area_up_to(middle) < p - 0.5 ? low : high) = middle;
  }
  return std::sqrt(n) * std::tan(0.5 * (low + high));
}

double quantile(const std::vector<double>& sorted, double p) {
  const double at = p * static_cast<double>(sorted.size() - 1);
  const auto index = static_cast<std::size_t>(at);
  if (index + 1 >= sorted.size()) return sorted.back();
  const double share = at - static_cast<double>(index);
  return sorted[index] + share * (sorted[index + 1] - sorted[index]);
}

double MedianInterval::precision() const {
  return std::max(interval.high - median, median - interval.low) / median;
}

MedianInterval median_interval(std::vector<double> samples, double confidence) {
  std::ranges::sort(samples);
  const std::size_t count = samples.size();
  MedianInterval result{.median = quantile(samples, 0.5), .interval = {samples.front(), samples.back()}};
  // The interval from sample k to sample count - 1 - k misses the median with twice the probability that at most k
  // samples of `count` lie below the median.
  const double tail = (1.0 - confidence) / 2.0, n = static_cast<double>(count);
  double below = 0.0;
  for (std::size_t k = 0; 2 * k + 1 < count; ++k) {
    const auto x = static_cast<double>(k);
    below += std::exp(std::lgamma(n + 1.0) - std::lgamma(x + 1.0) - std::lgamma(n - x + 1.0) - n * std::numbers::ln2);
    if (below > tail) break;
    result.interval = {samples[k], samples[count - 1 - k]};
    result.reached = true;
  }
  return result;
}

Outliers outliers_of(std::vector<double> samples) {
  Outliers outliers;
  if (samples.empty()) return outliers;
  std::ranges::sort(samples);
  const double lower = quantile(samples, 0.25), upper = quantile(samples, 0.75), reach = 1.5 * (upper - lower);
  for (const double sample : samples) {
    if (sample > upper + reach) ++outliers.high;
    if (sample < lower - reach) ++outliers.low;
  }
  return outliers;
}

}  // namespace threadscape::app

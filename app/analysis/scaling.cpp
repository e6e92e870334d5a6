#include "app/analysis/scaling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <set>

namespace threadscape::app {

namespace {

constexpr double two_sided_95 = 0.975;

/// The 95 % confidence interval of a fraction, cut to what a fraction can be.
Interval fraction_interval(double fraction, double standard_error, int degrees) {
  const double reach = student_quantile(two_sided_95, degrees) * standard_error;
  return {std::clamp(fraction - reach, 0.0, 1.0), std::clamp(fraction + reach, 0.0, 1.0)};
}

/// The value of the curve at `x` within its range, interpolated in logarithms.
double log_value(const Curve& curve, double x) {
  const auto right = std::ranges::lower_bound(curve.x, x);
  const auto i = static_cast<std::size_t>(right - curve.x.begin());
  if (curve.x[i] == x || i == 0) return std::log(curve.y[i]);
  const double share = std::log(x / curve.x[i - 1]) / std::log(curve.x[i] / curve.x[i - 1]);
  return std::log(curve.y[i - 1]) + share * std::log(curve.y[i] / curve.y[i - 1]);
}

}  // namespace

double AmdahlFit::milliseconds(double threads) const {
  return one_thread_ms * (serial_fraction + (1.0 - serial_fraction) / threads);
}

double AmdahlFit::max_speed_up() const {
  return serial_fraction > 0.0 ? 1.0 / serial_fraction : std::numeric_limits<double>::infinity();
}

std::optional<AmdahlFit> fit_amdahl(const std::vector<ThreadPoint>& points) {
  std::set<double> different;
  for (const ThreadPoint& point : points)
    different.insert(point.threads);
  if (different.size() < 3) return {};
  // T(p) = a + b / p. Every equation is divided by its time, so that relative errors are weighted equally.
  double aa = 0.0, ab = 0.0, bb = 0.0, at = 0.0, bt = 0.0;
  for (const ThreadPoint& point : points) {
    const double u = 1.0 / point.milliseconds, v = u / point.threads;
    aa += u * u;
    ab += u * v;
    bb += v * v;
    at += u;
    bt += v;
  }
  const double determinant = aa * bb - ab * ab;
  const double a = (at * bb - bt * ab) / determinant, b = (bt * aa - at * ab) / determinant;
  double residual = 0.0;
  for (const ThreadPoint& point : points)
    residual += std::pow((a + b / point.threads) / point.milliseconds - 1.0, 2.0);
  const int degrees = static_cast<int>(points.size()) - 2;
  const double variance = residual / degrees;
  // The error of s = a / (a + b) follows from the covariance of a and b by the delta method.
  const double total = a + b, da = b / (total * total), db = -a / (total * total);
  const double spread = variance / determinant * (da * da * bb - 2.0 * da * db * ab + db * db * aa);
  AmdahlFit fit{.serial_fraction = a / total, .standard_error = std::sqrt(spread), .one_thread_ms = total};
  fit.interval = fraction_interval(fit.serial_fraction, fit.standard_error, degrees);
  return fit;
}

std::vector<double> scaled_speed_ups(const std::vector<ThreadPoint>& points) {
  const auto single = std::ranges::find(points, 1.0, &ThreadPoint::threads);
  std::vector<double> speed_ups;
  if (single == points.end()) return speed_ups;
  for (const ThreadPoint& point : points)
    speed_ups.push_back(point.items / point.milliseconds / (single->items / single->milliseconds));
  return speed_ups;
}

std::optional<GustafsonFit> fit_gustafson(const std::vector<ThreadPoint>& points) {
  const std::vector<double> speed_ups = scaled_speed_ups(points);
  // With q = 1 / p, the law divided by p says: speed-up / p - 1 = s * (q - 1).
  double square = 0.0, product = 0.0;
  int used = 0;
  for (std::size_t i = 0; i < speed_ups.size(); ++i) {
    if (points[i].threads <= 1.0) continue;
    const double x = 1.0 / points[i].threads - 1.0, y = speed_ups[i] / points[i].threads - 1.0;
    square += x * x;
    product += x * y;
    ++used;
  }
  if (used < 2) return {};
  GustafsonFit fit{.serial_fraction = product / square};
  double residual = 0.0;
  for (std::size_t i = 0; i < speed_ups.size(); ++i)
    if (points[i].threads > 1.0)
      residual += std::pow((speed_ups[i] - fit.speed_up(points[i].threads)) / points[i].threads, 2.0);
  fit.standard_error = std::sqrt(residual / (used - 1) / square);
  fit.interval = fraction_interval(fit.serial_fraction, fit.standard_error, used - 1);
  return fit;
}

std::vector<CrossOver> cross_overs(const Curve& first, const Curve& second) {
  std::vector<CrossOver> places;
  if (first.x.empty() || second.x.empty()) return places;
  const double low = std::max(first.x.front(), second.x.front());
  const double high = std::min(first.x.back(), second.x.back());
  std::set<double> knots;
  for (const Curve* curve : {&first, &second})
    for (const double x : curve->x)
      if (low <= x && x <= high) knots.insert(x);
  // Between two neighbouring knots both curves are straight lines. Knots at which the curves are equal are passed over,
  // and decide nothing by themselves.
  double last_x = 0.0, last_gap = 0.0;
  for (const double x : knots) {
    const double gap = log_value(first, x) - log_value(second, x);
    if (gap == 0.0) continue;
    if (last_gap != 0.0 && (gap < 0.0) != (last_gap < 0.0)) {
      const double share = last_gap / (last_gap - gap);
      const double place = std::exp(std::log(last_x) + share * std::log(x / last_x));
      places.push_back({place, std::exp(log_value(first, place)), gap < 0.0});
    }
    last_x = x;
    last_gap = gap;
  }
  return places;
}

}  // namespace threadscape::app

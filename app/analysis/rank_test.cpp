#include "app/analysis/rank_test.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>
#include <numeric>

namespace threadscape::app {

namespace {

constexpr std::size_t max_exact = 30;

/// The statistic U of the second set: the number of pairs in which its sample is the larger one, equal pairs counted
/// half. `ties` is the sum of t^3 - t over all groups of t equal samples.
struct RankSum {
  double u = 0.0, ties = 0.0;
};

RankSum rank_sum(const std::vector<double>& a, const std::vector<double>& b) {
  std::vector<std::pair<double, bool>> all;
  for (const double value : a)
    all.emplace_back(value, false);
  for (const double value : b)
    all.emplace_back(value, true);
  std::ranges::sort(all);
  RankSum sum;
  for (std::size_t begin = 0, end = 0; begin < all.size(); begin = end) {
    while (end < all.size() && all[end].first == all[begin].first)
      ++end;
    const auto size = static_cast<double>(end - begin);
    // Equal samples share the mean of their ranks, which are counted from 1.
    const double rank = (static_cast<double>(begin + end) + 1.0) / 2.0;
    for (std::size_t i = begin; i < end; ++i)
      if (all[i].second) sum.u += rank;
    sum.ties += size * (size * size - 1.0);
  }
  const auto count = static_cast<double>(b.size());
  sum.u -= count * (count + 1.0) / 2.0;
  return sum;
}

/// The probabilities of U = 0 .. n * m if both sets come from the same distribution: the coefficients of the Gaussian
/// binomial coefficient (n + m over n), divided by their sum.
std::vector<double> distribution_of_u(std::size_t n, std::size_t m) {
  std::vector<double> density(n * m + 1, 0.0);
  density[0] = 1.0;
  for (std::size_t i = 1; i <= n; ++i) {
    for (std::size_t u = density.size(); u-- > m + i;)
      density[u] -= density[u - m - i];
    for (std::size_t u = i; u < density.size(); ++u)
      density[u] += density[u - i];
  }
  const double sum = std::accumulate(density.begin(), density.end(), 0.0);
  for (double& value : density)
    value /= sum;
  return density;
}

double standard_deviation(double n, double m, double ties) {
  const double all = n + m;
  return std::sqrt(n * m / 12.0 * (all + 1.0 - ties / (all * (all - 1.0))));
}

/// The k-th smallest quotient of a sample of `b` and a sample of `a`, k = 1 .. n * m; both are sorted. The quotient is
/// found by bisection over the bit patterns of positive doubles, which have the order of their values, because there
/// may be too many quotients to make them all.
double nth_quotient(const std::vector<double>& a, const std::vector<double>& b, std::uint64_t k) {
  const auto count_up_to = [&](double factor) {
    std::uint64_t count = 0;
    std::size_t j = 0;
    for (const double value : a) {
      while (j < b.size() && b[j] / value <= factor)
        ++j;
      count += j;
    }
    return count;
  };
  auto low = std::bit_cast<std::uint64_t>(b.front() / a.back());
  auto high = std::bit_cast<std::uint64_t>(b.back() / a.front());
  while (low < high) {
    const std::uint64_t middle = low + (high - low) / 2;
    if (count_up_to(std::bit_cast<double>(middle)) >= k)
      high = middle;
    else
      low = middle + 1;
  }
  return std::bit_cast<double>(low);
}

/// The number of quotients to leave out at each end for the interval; 0 = the confidence cannot be reached.
std::uint64_t quotients_outside(std::size_t n, std::size_t m, double ties, double confidence) {
  const double tail = (1.0 - confidence) / 2.0;
  if (n <= max_exact && m <= max_exact && ties == 0.0) {
    const std::vector<double> density = distribution_of_u(n, m);
    double below = 0.0;
    std::uint64_t outside = 0;
    for (const double value : density) {
      below += value;
      if (below > tail) break;
      ++outside;
    }
    return outside;
  }
  // Equal samples make the deviation smaller, but do not tell more than different ones would.
  if (ties != 0.0 && quotients_outside(n, m, 0.0, confidence) == 0) return 0;
  const auto rows = static_cast<double>(n), columns = static_cast<double>(m);
  const double at = rows * columns / 2.0 - 0.5 - normal_quantile(1.0 - tail) * standard_deviation(rows, columns, ties);
  return at < 0.0 ? 0 : static_cast<std::uint64_t>(at) + 1;
}

}  // namespace

double mann_whitney_p(const std::vector<double>& a, const std::vector<double>& b) {
  const RankSum sum = rank_sum(a, b);
  const auto n = static_cast<double>(a.size()), m = static_cast<double>(b.size());
  const double larger = std::max(sum.u, n * m - sum.u);
  if (a.size() <= max_exact && b.size() <= max_exact && sum.ties == 0.0) {
    const std::vector<double> density = distribution_of_u(a.size(), b.size());
    double tail = 0.0;
    for (std::size_t u = density.size(); u-- > static_cast<std::size_t>(larger);)
      tail += density[u];
    return std::min(2.0 * tail, 1.0);
  }
  const double deviation = standard_deviation(n, m, sum.ties);
  if (deviation == 0.0) return 1.0;  // All samples are equal.
  return std::min(2.0 * normal_tail((larger - n * m / 2.0 - 0.5) / deviation), 1.0);
}

RatioEstimate ratio_of_times(std::vector<double> a, std::vector<double> b, double confidence) {
  const double ties = rank_sum(a, b).ties;
  std::ranges::sort(a);
  std::ranges::sort(b);
  const std::uint64_t pairs = std::uint64_t{a.size()} * b.size();
  RatioEstimate estimate{.ratio = nth_quotient(a, b, (pairs + 1) / 2),
                         .interval = {0.0, std::numeric_limits<double>::infinity()}};
  if (pairs % 2 == 0) estimate.ratio = (estimate.ratio + nth_quotient(a, b, pairs / 2 + 1)) / 2.0;
  // If all samples are equal the deviation is 0, and the quotient in the middle is both ends of the interval.
  const std::uint64_t outside = std::min(quotients_outside(a.size(), b.size(), ties, confidence), (pairs + 1) / 2);
  if (outside > 0) estimate.interval = {nth_quotient(a, b, outside), nth_quotient(a, b, pairs - outside + 1)};
  return estimate;
}

std::vector<double> holm_adjusted(const std::vector<double>& p_values) {
  std::vector<std::size_t> order(p_values.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::ranges::sort(order, {}, [&](std::size_t i) { return p_values[i]; });
  std::vector<double> adjusted(p_values.size());
  double largest = 0.0;
  for (std::size_t i = 0; i < order.size(); ++i) {
    largest = std::max(largest, std::min(1.0, static_cast<double>(order.size() - i) * p_values[order[i]]));
    adjusted[order[i]] = largest;
  }
  return adjusted;
}

}  // namespace threadscape::app

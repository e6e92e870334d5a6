#include "app/ui/axis_ticks.h"

#include <algorithm>
#include <cmath>
#include <span>

namespace threadscape::app {

namespace {

/// The least distance of two ticks as a share of the room that a label has if all are equally far apart. The values 1,
/// 2 and 5 of a decade, of which at most as many are taken as there is room for, are never nearer than that.
constexpr double least_gap = 0.6;

/// The values digit * 10^k within the range, for every `stride`-th k.
std::vector<double> decades(double low, double high, std::span<const double> digits, int stride) {
  std::vector<double> ticks;
  const int first = static_cast<int>(std::floor(std::log10(low)));
  const int last = static_cast<int>(std::floor(std::log10(high)));
  for (int exponent = first; exponent <= last; ++exponent) {
    if (exponent % stride != 0) continue;
    for (const double digit : digits)
      if (const double tick = digit * std::pow(10.0, exponent); tick >= low && tick <= high) ticks.push_back(tick);
  }
  return ticks;
}

/// Multiples of 1, 2 or 5 times a power of ten within the range: as many as possible, but at most `max_count`.
std::vector<double> even_steps(double low, double high, int max_count) {
  const double smallest = (high - low) / std::max(max_count, 2);
  const double power = std::pow(10.0, std::floor(std::log10(smallest)));
  for (const double digit : {1.0, 2.0, 5.0, 10.0}) {
    const double step = digit * power;
    std::vector<double> ticks;
    // The tolerance keeps a tick at an end of the range that rounding has moved by a few bits.
    // The 0.0 makes a negative zero a positive one, whose text has no sign.
    const double first = std::ceil(low / step - 1e-9) + 0.0, last = std::floor(high / step + 1e-9);
    for (double n = first; n <= last && ticks.size() < 1000; ++n)
      ticks.push_back(n * step);
    if (static_cast<int>(ticks.size()) <= std::max(max_count, 2)) return ticks;
  }
  return {};
}

}  // namespace

std::vector<double> linear_ticks(double low, double high, int max_count) {
  return high > low && std::isfinite(high - low) ? even_steps(low, high, max_count) : std::vector<double>{};
}

std::vector<double> log_ticks(double low, double high, int max_count) {
  if (!(low > 0.0) || !(high > low)) return {};
  constexpr double all[] = {1.0, 2.0, 5.0};
  constexpr double ones[] = {1.0};
  std::vector<double> ticks = decades(low, high, all, 1);
  for (int stride = 1; static_cast<int>(ticks.size()) > std::max(max_count, 2) && stride <= 64; ++stride)
    ticks = decades(low, high, ones, stride);
  if (ticks.size() >= 2) return ticks;
  if (const std::vector<double> powers = decades(low, high, ones, 1); powers.size() >= 2)
    return {powers.front(), powers.back()};
  // Values with equal steps move together towards the upper end of a logarithmic axis: those whose labels would touch
  // are left out.
  const double gap = least_gap * std::log(high / low) / std::max(max_count, 2);
  ticks.clear();
  for (const double tick : even_steps(low, high, max_count))
    if (ticks.empty() || std::log(tick / ticks.back()) >= gap) ticks.push_back(tick);
  if (ticks.size() >= 2) return ticks;
  return {low, high};
}

}  // namespace threadscape::app

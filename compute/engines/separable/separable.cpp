// Plans of separable filters: the weights, and how they are rounded for 8-bit pictures.

#include "compute/engines/separable/separable.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <stdexcept>
#include <string>
#include <vector>

#include "compute/core/run.h"
#include "compute/engines/planes/require_planes.h"

namespace threadscape::separable {

namespace {

/// Fraction bits of 8-bit weights. Up to coarse_radius they are few enough to keep all sums below 2^24, so that the GPU
/// may sum in floats; column sums lose column_shift of them.
constexpr int coarse_radius = 4, coarse_bits = 12, fine_weight_bits = 15;

/// Weights that add up to `total` as integers with `bits` fraction bits that add up to it as well: each is rounded to
/// the nearest integer, and the remainder is added to the middle one. Weights are clamped to -32767 .. 32767.
std::vector<std::int16_t> rounded(const std::vector<double>& weights, double total, int bits) {
  const double unit = std::ldexp(1.0, bits);
  std::vector<std::int16_t> result;
  long left = std::lround(total * unit);
  for (const double weight : weights) {
    const long whole = std::lround(weight * unit);
    left -= whole;
    result.push_back(static_cast<std::int16_t>(std::clamp(whole, -32767L, 32767L)));
  }
  auto& middle = result[weights.size() / 2];
  middle = static_cast<std::int16_t>(std::clamp(middle + left, -32767L, 32767L));
  return result;
}

/// exp(-x^2 / (2 sigma^2)) for x = -radius .. radius, divided by its sum.
std::vector<double> gaussian_weights(float sigma, int radius) {
  std::vector<double> weights;
  double sum = 0.0;
  for (int x = -radius; x <= radius; ++x) {
    const double at = static_cast<double>(x) / static_cast<double>(sigma);
    weights.push_back(std::exp(-0.5 * at * at));
    sum += weights.back();
  }
  for (double& weight : weights)
    weight /= sum;
  return weights;
}

void put(const std::vector<double>& weights, float* to) {
  std::transform(weights.begin(), weights.end(), to, [](double weight) { return static_cast<float>(weight); });
}

/// The plan of weights that add up to 1 and are the same along columns and rows. 8-bit weights get `bits` fraction
/// bits; column sums lose `shift` of them.
Plan smooth_plan(const std::vector<double>& weights, int bits, int shift) {
  Plan plan;
  plan.radius = static_cast<int>(weights.size()) / 2;
  const auto whole = rounded(weights, 1.0, bits);
  std::copy(whole.begin(), whole.end(), plan.whole.column[0]);
  std::copy(whole.begin(), whole.end(), plan.whole.row[0]);
  plan.shift = shift;
  plan.bits = 2 * bits - shift;
  plan.below_2_24 = plan.bits <= 16;  // 255 * 2^16 < 2^24
  put(weights, plan.real.column[0]);
  put(weights, plan.real.row[0]);
  plan.flat_error = static_cast<float>(flat_error(plan));
  return plan;
}
/// The plan of such weights with as many fraction bits as their number allows.
Plan smooth_plan(const std::vector<double>& weights) {
  const bool coarse = static_cast<int>(weights.size()) / 2 <= coarse_radius;
  return smooth_plan(weights, coarse ? coarse_bits : fine_weight_bits, column_shift);
}

}  // namespace

int gaussian_radius(float sigma, int radius) {
  return radius != 0 ? radius : std::clamp(static_cast<int>(std::ceil(4.0 * sigma)), 1, max_radius);
}

Plan mean_plan(int size) {
  Plan plan;
  plan.radius = size / 2;
  std::fill_n(plan.whole.column[0], size, std::int16_t{1});
  std::fill_n(plan.whole.row[0], size, std::int16_t{1});
  plan.equal = plan.below_2_24 = true;
  std::fill_n(plan.real.column[0], size, 1.0f);
  std::fill_n(plan.real.row[0], size, 1.0f);
  plan.scale = 1.0f / static_cast<float>(size * size);
  plan.flat_error = static_cast<float>(flat_error(plan));
  return plan;
}

Plan binomial_plan(int size) {
  std::vector<double> weights{1.0};
  while (static_cast<int>(weights.size()) < size) {
    weights.push_back(0.0);
    for (std::size_t i = weights.size() - 1; i > 0; --i)
      weights[i] = 0.5 * (weights[i] + weights[i - 1]);
    weights[0] *= 0.5;
  }
  // Up to size 7 the weights are whole numbers of 1 / 2^(size - 1), and exact column sums fit 16 bits.
  return size <= 7 ? smooth_plan(weights, size - 1, 0) : smooth_plan(weights);
}

Plan gaussian_plan(float sigma, int radius) {
  return smooth_plan(gaussian_weights(sigma, gaussian_radius(sigma, radius)));
}

Plan laplacian_of_gaussian_plan(float sigma) {
  const int radius = gaussian_radius(sigma, 0);
  const std::vector<double> smooth = gaussian_weights(sigma, radius);
  std::vector<double> second;  // sigma^2 times the second derivative of the Gaussian
  double sum = 0.0;
  for (int x = -radius; x <= radius; ++x) {
    const double at = static_cast<double>(x) / static_cast<double>(sigma);
    second.push_back((at * at - 1.0) * smooth[static_cast<std::size_t>(x + radius)]);
    sum += second.back();
  }
  for (std::size_t i = 0; i < second.size(); ++i)
    second[i] -= sum * smooth[i];

  Plan plan;
  plan.radius = radius;
  plan.terms = 2;
  plan.result = Result::signed_sum;
  const auto whole = rounded(smooth, 1.0, fine_weight_bits), whole_second = rounded(second, 0.0, fine_weight_bits);
  std::copy(whole.begin(), whole.end(), plan.whole.column[0]);
  std::copy(whole_second.begin(), whole_second.end(), plan.whole.row[0]);
  std::copy(whole_second.begin(), whole_second.end(), plan.whole.column[1]);
  std::copy(whole.begin(), whole.end(), plan.whole.row[1]);
  plan.shift = column_shift;
  plan.bits = 2 * fine_weight_bits - column_shift;
  put(smooth, plan.real.column[0]);
  put(second, plan.real.row[0]);
  put(second, plan.real.column[1]);
  put(smooth, plan.real.row[1]);
  plan.flat_error = static_cast<float>(flat_error(plan));
  return plan;
}

void check(const Plan& plan) {
  const auto require = [](bool holds, const char* what) {
    if (!holds) throw std::logic_error(std::string("separable plan: ") + what);
  };
  require(plan.radius >= 1 && plan.radius <= max_radius, "its radius is out of range");
  require(plan.terms >= 1 && plan.terms <= max_terms, "its number of terms is out of range");
  require(plan.result == Result::divided || (!plan.in_floats && !plan.wide),
          "floats or wide sums of bytes for a result that is not divided");
  require(plan.terms == 1 || plan.result == Result::signed_sum || plan.result == Result::divided,
          "two terms for a result that has one");
  const int taps = 2 * plan.radius + 1;
  if (plan.equal) {
    require(plan.result == Result::smooth && plan.shift == 0, "equal taps for a result that is no mean");
    const auto all = [&](const auto& line) {
      return std::all_of(line, line + taps, [](auto tap) { return tap == 1; });
    };
    require(all(plan.whole.column[0]) && all(plan.whole.row[0]) && all(plan.real.column[0]) && all(plan.real.row[0]),
            "taps that are not equal");
  } else if (plan.result != Result::divided) {
    require(plan.bits > (plan.result == Result::sharpen ? fine_bits : 0) && plan.bits <= 30,
            "its bits are out of range");
  } else {
    require(plan.shift == 0, "column sums that are rounded before they are divided");
  }
  std::int64_t window = 0;
  for (int term = 0; term < plan.terms; ++term) {
    const auto magnitude = [&](const std::int16_t* line) {
      return std::accumulate(line, line + taps, std::int64_t{0},
                             [](std::int64_t sum, std::int16_t tap) { return sum + std::abs(int{tap}); });
    };
    const std::int64_t column = magnitude(plan.whole.column[term]);
    require(column <= max_column_magnitude, "its column sums do not fit");
    // Column sums are largest where pixels are white under all positive taps, or all negative ones, and black
    // otherwise.
    const std::int64_t sum = std::accumulate(plan.whole.column[term], plan.whole.column[term] + taps, std::int64_t{0});
    require(plan.shift == 0 || (255 * (column + std::abs(sum)) / 2 >> plan.shift) < (1 << 15) - 1,
            "its rounded column sums do not fit 16 bits");
    window += (column >> plan.shift) * magnitude(plan.whole.row[term]) * 255;
  }
  require(!plan.below_2_24 || plan.in_floats || window <= std::int64_t{1} << 24, "its sums reach 2^24");
}

double error_bound(const Plan& plan) {
  if (plan.equal) return 0.0;
  // The errors d of the weights add up to 0, so the error of a sum is largest where pixels are 255 for positive d and 0
  // for negative ones: 255 * (sum of |d|) / 2, once along columns and once along rows.
  const double unit = std::ldexp(1.0, (plan.bits + plan.shift) / 2);
  double off = 0.0;
  for (int i = 0; i <= 2 * plan.radius; ++i)
    off += std::abs(plan.whole.column[0][i] / unit - static_cast<double>(plan.real.column[0][i]));
  const double column_rounding = plan.shift == 0 ? 0.0 : 0.5 * std::ldexp(1.0, plan.shift) / unit;
  // A weight of 1.0 with 15 fraction bits is clamped to 32767 / 32768, in both directions.
  return 2.0 * 255.0 * off / 2.0 + column_rounding + 255.0 * 2.0 / 32768.0;
}

double flat_error(const Plan& plan) {
  constexpr double unit = 0x1p-24;  // the relative error of one rounding
  struct Line {
    double sum = 0.0, magnitude = 0.0, error = 0.0;
  };
  // A product is off by at most `unit` times itself, an addition by `unit` times its result, and the first one is
  // exact.
  const auto line = [&](const float* taps) {
    Line all;
    for (int i = 0; i <= 2 * plan.radius; ++i) {
      const double tap = taps[i];
      all.sum += tap;
      all.magnitude += std::abs(tap);
      all.error += unit * ((plan.equal ? 0.0 : std::abs(tap)) + (i == 0 ? 0.0 : std::abs(all.sum)));
    }
    return all;
  };
  double sum = 0.0, error = 0.0;
  for (int term = 0; term < plan.terms; ++term) {
    const Line column = line(plan.real.column[term]), row = line(plan.real.row[term]);
    sum += column.sum * row.sum;
    error += row.magnitude * column.error + row.error * (std::abs(column.sum) + column.error);
  }
  const double scale = static_cast<double>(plan.scale), wanted = plan.result == Result::signed_sum ? 0.0 : 1.0;
  // The scale and its product round once each, as do the sum of two terms and the two operations of completed().
  return 1.001 * (std::abs(scale * sum - wanted) + scale * error + 5.0 * unit);
}

Shape output_shape(std::string_view algorithm, const Shape& input) {
  require_planes_of<std::uint8_t, float>(algorithm, "8-bit, 16-bit and float images, grey or RGBA", input);
  return input;
}

std::size_t intermediate_bytes(const Plan& plan, const Shape& input) {
  const int planes = input.channels == 4 && plan.channels == Channels::each ? 3 : 1;
  return DeviceScratch::padded(static_cast<std::size_t>(input.width * input.height) * sizeof(float) *
                               static_cast<std::size_t>(planes * plan.terms));
}

std::size_t scratch_bytes(const Plan& plan, const Shape& input, Backend backend, int variant) {
  if (backend != Backend::cuda || cuda_variants[static_cast<std::size_t>(variant)].name != "global") return 0;
  return intermediate_bytes(plan, input);
}

}  // namespace threadscape::separable

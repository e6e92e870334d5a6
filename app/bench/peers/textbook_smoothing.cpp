// Loops of a textbook for filters whose mask is a column times a row, and for those that choose among neighbours.

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <utility>
#include <vector>

#include "app/bench/peers/textbook_loops.h"
#include "compute/algorithms/edges/laplacian_of_gaussian/laplacian_of_gaussian.h"
#include "compute/algorithms/filters/sharpen/sharpen.h"
#include "compute/algorithms/smoothing/bilateral/bilateral.h"
#include "compute/algorithms/smoothing/gaussian/gaussian.h"
#include "compute/algorithms/smoothing/rotating_mask/rotating_mask.h"
#include "compute/algorithms/smoothing/weighted_mean/weighted_mean.h"

namespace threadscape::app::textbook {
namespace {

Byte rounded(float value) {
  value += 0.5f;
  return static_cast<Byte>(!(value > 0.0f) ? 0.0f : value > 255.0f ? 255.0f : value);
}

// ---- Columns, then rows

/// Adds to `sums`, a float for each pixel, the sums of the windows weighted by column[dy] * row[dx].
void add_separable(const Picture& in, int radius, const float* column, const float* row, std::vector<float>& sums) {
  const int size = 2 * radius + 1;
  std::vector<float> line(static_cast<std::size_t>(in.width));
  for (int y = 0; y < in.height; ++y) {
    std::ranges::fill(line, 0.0f);
    for (int k = 0; k < size; ++k) {
      const Byte* pixels = in.row(mirrored(y + k - radius, in.height));
      for (int x = 0; x < in.width; ++x)
        line[static_cast<std::size_t>(x)] += column[k] * static_cast<float>(pixels[x]);
    }
    float* to = sums.data() + static_cast<std::size_t>(y) * static_cast<std::size_t>(in.width);
    for (int x = 0; x < in.width; ++x) {
      float sum = 0.0f;
      if (x >= radius && x < in.width - radius)
        for (int k = 0; k < size; ++k)
          sum += row[k] * line[static_cast<std::size_t>(x + k - radius)];
      else
        for (int k = 0; k < size; ++k)
          sum += row[k] * line[static_cast<std::size_t>(mirrored(x + k - radius, in.width))];
      to[x] += sum;
    }
  }
}

/// Computes a separable filter; finish(sum, pixel) makes a byte of the scaled sum of a window.
template <class Finish>
void separable_filter(HostIn from, HostOut to, const separable::Plan& plan, const Finish& finish) {
  const Picture in = picture(from);
  std::vector<float> sums(static_cast<std::size_t>(in.width) * static_cast<std::size_t>(in.height), 0.0f);
  for (int term = 0; term < plan.terms; ++term)
    add_separable(in, plan.radius, plan.real.column[term], plan.real.row[term], sums);
  const float* sum = sums.data();
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x)
      row_of(to, y)[x] = finish(*sum++ * plan.scale, static_cast<float>(in.row(y)[x]));
}

template <class A>
void smooth(HostIn from, HostOut to, int, const ParamBox& params) {
  separable_filter(from, to, A::plan(params.as<typename A::Params>()), [](float mean, float) { return rounded(mean); });
}
void sharpen(HostIn from, HostOut to, int, const ParamBox& params) {
  const auto& p = params.as<Sharpen::Params>();
  separable_filter(from, to, Sharpen::plan(p),
                   [&](float mean, float pixel) { return rounded(pixel + p.amount * (pixel - mean)); });
}
void laplacian_of_gaussian(HostIn from, HostOut to, int, const ParamBox& params) {
  separable_filter(from, to, LaplacianOfGaussian::plan(params.as<LaplacianOfGaussian::Params>()),
                   [](float sum, float) { return rounded(std::abs(sum)); });
}
template <class A>
bool separable_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<typename A::Params>();
  if constexpr (requires { p.output; })
    if (p.output != Output::absolute) return false;
  return holds<std::uint8_t>(shape) && p.border == Border::mirror;
}

// ---- Bilateral filter

void bilateral(HostIn from, HostOut to, int, const ParamBox& params) {
  const auto& p = params.as<Bilateral::Params>();
  const int radius = Bilateral::plan(p).radius, size = 2 * radius + 1;
  const threadscape::bilateral::Weights weights = Bilateral::weights(p);
  filter_windows(from, to, radius, [&](int, int, const auto& pixel) {
    const int centre = pixel(0, 0);
    float sum = 0.0f, total = 0.0f;
    for (int dy = -radius; dy <= radius; ++dy)
      for (int dx = -radius; dx <= radius; ++dx) {
        const int value = pixel(dx, dy);
        const float weight =
            weights.space[(dy + radius) * size + dx + radius] * weights.range[std::abs(value - centre)];
        sum += weight * static_cast<float>(value);
        total += weight;
      }
    return rounded(sum / total);
  });
}
bool bilateral_supports(const ParamBox& params, const Shape& shape) {
  return holds<std::uint8_t>(shape) && params.as<Bilateral::Params>().border == Border::mirror;
}

// ---- Rotating mask

void rotating_mask(HostIn from, HostOut to, int, const ParamBox& params) {
  const threadscape::rotating_mask::Plan plan = RotatingMask::plan(params.as<RotatingMask::Params>());
  const int radius = plan.radius();
  std::vector<std::vector<std::pair<int, int>>> masks(
      static_cast<std::size_t>(threadscape::rotating_mask::mask_count(plan.method)));
  for (std::size_t i = 0; i < masks.size(); ++i) {
    const int mask = static_cast<int>(i);
    const auto rows = threadscape::rotating_mask::rows_of(plan.method, mask, radius);
    for (int dy = rows.first; dy <= rows.last; ++dy) {
      const auto columns = threadscape::rotating_mask::columns_of(plan.method, mask, radius, dy);
      for (int dx = columns.first; dx <= columns.last; ++dx)
        masks[i].emplace_back(dx, dy);
    }
  }
  filter_windows(from, to, radius, [&](int, int, const auto& pixel) {
    int best_sum = 0, best_count = 0;
    std::int64_t best_spread = 0;
    for (const auto& mask : masks) {
      int sum = 0, squares = 0;
      for (const auto& [dx, dy] : mask) {
        const int value = pixel(dx, dy);
        sum += value;
        squares += value * value;
      }
      // The variance is spread / count^2.
      const int count = static_cast<int>(mask.size());
      const std::int64_t spread = count * squares - sum * sum;
      if (best_count != 0 && spread * best_count * best_count >= best_spread * count * count) continue;
      best_sum = sum;
      best_count = count;
      best_spread = spread;
    }
    return static_cast<Byte>((2 * best_sum + best_count) / (2 * best_count));
  });
}
bool rotating_mask_supports(const ParamBox& params, const Shape& shape) {
  return holds<std::uint8_t>(shape) && params.as<RotatingMask::Params>().border == Border::mirror;
}

}  // namespace

std::span<const Peer> smoothing_peers() {
  static const std::array all{
      Peer{"gaussian", "textbook", smooth<Gaussian>, separable_supports<Gaussian>, Backend::serial},
      Peer{"weighted_mean", "textbook", smooth<WeightedMean>, separable_supports<WeightedMean>, Backend::serial},
      Peer{"sharpen", "textbook", sharpen, separable_supports<Sharpen>, Backend::serial},
      Peer{"laplacian_of_gaussian", "textbook", laplacian_of_gaussian, separable_supports<LaplacianOfGaussian>,
           Backend::serial},
      Peer{"bilateral", "textbook", bilateral, bilateral_supports, Backend::serial},
      Peer{"rotating_mask", "textbook", rotating_mask, rotating_mask_supports, Backend::serial}};
  return all;
}

}  // namespace threadscape::app::textbook

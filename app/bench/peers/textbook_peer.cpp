// Plain loops over plain arrays, with the interior and the border of the picture apart. They are compiled with the
// flags of the algorithms, on one thread, without intrinsics.

#include "app/bench/peers/textbook_peer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <vector>

#include "app/bench/peers/textbook_loops.h"
#include "compute/algorithms/edges/laplacian/laplacian.h"
#include "compute/algorithms/edges/prewitt/prewitt.h"
#include "compute/algorithms/edges/scharr/scharr.h"
#include "compute/algorithms/edges/sobel/sobel.h"
#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/algorithms/smoothing/mean/mean.h"
#include "compute/algorithms/smoothing/median/median.h"
#include "compute/algorithms/smoothing/threshold_mean/threshold_mean.h"

namespace threadscape::app {
namespace textbook {
namespace {

// ---- Convolution

Byte divided(float sum, const Finish& finish) {
  float value = sum / finish.divisor + finish.bias;
  if (finish.absolute) value = std::abs(value);
  value += 0.5f;
  return static_cast<Byte>(!(value > 0.0f) ? 0.0f : value > 255.0f ? 255.0f : value);
}

void convolve(HostIn from, HostOut to, int, const ParamBox& params) {
  const convolution::Plan plan = Convolution::plan(params.as<Convolution::Params>());
  const Picture in = picture(from);
  const int size = plan.size, radius = plan.radius;
  const Finish finish = plan.finish;
  for (int y = radius; y < in.height - radius; ++y) {
    Byte* out = row_of(to, y);
    for (int x = radius; x < in.width - radius; ++x) {
      float sum = 0.0f;
      for (int ky = 0; ky < size; ++ky) {
        const Byte* pixels = in.row(y + ky - radius) + x - radius;
        for (int kx = 0; kx < size; ++kx)
          sum += plan.taps[ky * size + kx] * static_cast<float>(pixels[kx]);
      }
      out[x] = divided(sum, finish);
    }
  }
  for_border(in, radius, [&](int x, int y) {
    float sum = 0.0f;
    for (int ky = 0; ky < size; ++ky)
      for (int kx = 0; kx < size; ++kx)
        sum += plan.taps[ky * size + kx] *
               static_cast<float>(in.row(mirrored(y + ky - radius, in.height))[mirrored(x + kx - radius, in.width)]);
    row_of(to, y)[x] = divided(sum, finish);
  });
}
bool convolve_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Convolution::Params>();
  return holds<std::uint8_t>(shape) && p.border == Border::mirror && p.size <= convolution::max_small_size;
}

// ---- Masks of 3 x 3: Sobel, Prewitt, Scharr and Laplacian

constexpr int laplacian_mask[3][3] = {{0, 1, 0}, {1, -4, 1}, {0, 1, 0}};

/// The sum of a window; pixel(kx, ky) returns the value under a weight.
template <class Pixel>
int sum_of(const int (&mask)[3][3], const Pixel& pixel) {
  int sum = 0;
  for (int ky = 0; ky < 3; ++ky)
    for (int kx = 0; kx < 3; ++kx)
      sum += mask[ky][kx] * pixel(kx, ky);
  return sum;
}

/// Applies 3x3 masks; result(pixel) computes a result from pixel(kx, ky), a value of the window.
template <class Result>
void filter_3x3(HostIn from, HostOut to, const Result& result) {
  const Picture in = picture(from);
  for (int y = 1; y < in.height - 1; ++y) {
    const Byte* const rows[3] = {in.row(y - 1), in.row(y), in.row(y + 1)};
    Byte* out = row_of(to, y);
    for (int x = 1; x < in.width - 1; ++x)
      out[x] = result([&](int kx, int ky) { return rows[ky][x + kx - 1]; });
  }
  for_border(in, 1, [&](int x, int y) {
    row_of(to, y)[x] =
        result([&](int kx, int ky) { return in.row(mirrored(y + ky - 1, in.height))[mirrored(x + kx - 1, in.width)]; });
  });
}

/// |gx| + |gy| of the mask with these weights at its corners and in the middle of its sides.
template <int corner, int side>
void gradient(HostIn from, HostOut to, int, const ParamBox&) {
  constexpr int across[3][3] = {{-corner, 0, corner}, {-side, 0, side}, {-corner, 0, corner}};
  constexpr int down[3][3] = {{-corner, -side, -corner}, {0, 0, 0}, {corner, side, corner}};
  filter_3x3(from, to, [&](const auto& pixel) {
    return saturated(std::abs(sum_of(across, pixel)) + std::abs(sum_of(down, pixel)));
  });
}
template <class A>
bool gradient_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<typename A::Params>();
  if constexpr (requires { p.size; })
    if (p.size != 3) return false;
  return holds<std::uint8_t>(shape) && p.border == Border::mirror && p.norm == threadscape::gradient::Norm::l1 &&
         p.directions == threadscape::gradient::Directions::two && p.output == threadscape::gradient::Result::absolute;
}

void laplacian(HostIn from, HostOut to, int, const ParamBox&) {
  filter_3x3(from, to, [](const auto& pixel) { return saturated(std::abs(sum_of(laplacian_mask, pixel))); });
}
bool laplacian_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Laplacian::Params>();
  return holds<std::uint8_t>(shape) && p.border == Border::mirror && p.kind == Laplacian::Neighbours::four &&
         p.output == Output::absolute;
}

// ---- Windows: mean, median, mean with a threshold

/// The mean of a window, rounded to the nearest integer.
template <class Pixel>
int mean_of(const Pixel& pixel, int radius) {
  int sum = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      sum += pixel(dx, dy);
  const int count = (2 * radius + 1) * (2 * radius + 1);
  return (sum + count / 2) / count;
}

void mean(HostIn from, HostOut to, int, const ParamBox& params) {
  const int radius = params.as<Mean::Params>().size / 2;
  filter_windows(from, to, radius,
                 [&](int, int, const auto& pixel) { return static_cast<Byte>(mean_of(pixel, radius)); });
}
bool mean_supports(const ParamBox& params, const Shape& shape) {
  return holds<std::uint8_t>(shape) && params.as<Mean::Params>().border == Border::mirror;
}

void threshold_mean(HostIn from, HostOut to, int, const ParamBox& params) {
  const auto& p = params.as<ThresholdMean::Params>();
  const int radius = p.size / 2;
  filter_windows(from, to, radius, [&](int, int, const auto& pixel) {
    const int old = pixel(0, 0), value = mean_of(pixel, radius);
    return static_cast<Byte>(static_cast<float>(std::abs(value - old)) <= p.threshold ? value : old);
  });
}
bool threshold_mean_supports(const ParamBox& params, const Shape& shape) {
  return holds<std::uint8_t>(shape) && params.as<ThresholdMean::Params>().border == Border::mirror;
}

void median(HostIn from, HostOut to, int, const ParamBox& params) {
  const int radius = params.as<Median::Params>().size / 2;
  std::vector<Byte> list(static_cast<std::size_t>((2 * radius + 1) * (2 * radius + 1)));
  filter_windows(from, to, radius, [&](int, int, const auto& pixel) {
    auto at = list.begin();
    for (int dy = -radius; dy <= radius; ++dy)
      for (int dx = -radius; dx <= radius; ++dx)
        *at++ = pixel(dx, dy);
    const auto middle = list.begin() + static_cast<std::ptrdiff_t>(list.size() / 2);
    std::nth_element(list.begin(), middle, list.end());
    return *middle;
  });
}
bool median_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Median::Params>();
  return holds<std::uint8_t>(shape) && p.border == Border::mirror && p.percentile == 50;
}

// ---- Morphology

/// The minimum (erosion) or maximum (dilation) of the part of each window that lies in the picture.
void extremes(const Picture& in, Byte* out, std::size_t pitch, int radius, bool erode) {
  for (int y = 0; y < in.height; ++y)
    for (int x = 0; x < in.width; ++x) {
      Byte result = erode ? 255 : 0;
      for (int row = std::max(y - radius, 0); row <= std::min(y + radius, in.height - 1); ++row)
        for (int column = std::max(x - radius, 0); column <= std::min(x + radius, in.width - 1); ++column) {
          const Byte value = in.row(row)[column];
          result = erode ? std::min(result, value) : std::max(result, value);
        }
      out[static_cast<std::size_t>(y) * pitch + static_cast<std::size_t>(x)] = result;
    }
}

void open_or_close(HostIn from, HostOut to, int, const ParamBox& params) {
  const auto& p = params.as<Morphology::Params>();
  const Picture in = picture(from);
  const bool open = p.operation == morphology::Operation::open;
  std::vector<Byte> between(static_cast<std::size_t>(in.width) * static_cast<std::size_t>(in.height));
  const auto pitch = static_cast<std::size_t>(in.width);
  extremes(in, between.data(), pitch, p.width / 2, open);
  extremes({between.data(), in.width, in.height, pitch}, row_of(to, 0), to.pitch, p.width / 2, !open);
}
bool open_or_close_supports(const ParamBox& params, const Shape& shape) {
  const auto& p = params.as<Morphology::Params>();
  return holds<std::uint8_t>(shape) &&
         (p.operation == morphology::Operation::open || p.operation == morphology::Operation::close) &&
         p.shape == morphology::Form::rect && p.width == p.height && p.width % 2 == 1 && p.origin_x < 0 &&
         p.origin_y < 0 && p.flat && p.iterations == 1 && p.border == Border::zero;
}

}  // namespace

std::span<const Peer> filter_peers() {
  static const std::array all{
      Peer{"convolution", "textbook", convolve, convolve_supports, Backend::serial},
      Peer{"sobel", "textbook", gradient<1, 2>, gradient_supports<Sobel>, Backend::serial},
      Peer{"prewitt", "textbook", gradient<1, 1>, gradient_supports<Prewitt>, Backend::serial},
      Peer{"scharr", "textbook", gradient<3, 10>, gradient_supports<Scharr>, Backend::serial},
      Peer{"laplacian", "textbook", laplacian, laplacian_supports, Backend::serial},
      Peer{"mean", "textbook", mean, mean_supports, Backend::serial},
      Peer{"threshold_mean", "textbook", threshold_mean, threshold_mean_supports, Backend::serial},
      Peer{"median", "textbook", median, median_supports, Backend::serial},
      Peer{"morphology", "textbook", open_or_close, open_or_close_supports, Backend::serial}};
  return all;
}

}  // namespace textbook

std::span<const Peer> textbook_peers() {
  static const std::vector<Peer> all = [] {
    using namespace textbook;  // NOLINT: its lists are what this is about
    std::vector<Peer> joined;
    for (const std::span<const Peer> some : {filter_peers(), smoothing_peers(), pixel_peers(), terrain_peers(),
                                             tomography_peers(), sequence_peers(), graphics_peers()})
      joined.insert(joined.end(), some.begin(), some.end());
    return joined;
  }();
  return all;
}

}  // namespace threadscape::app

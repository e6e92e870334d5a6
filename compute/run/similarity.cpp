#include "compute/run/similarity.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "compute/core/errors.h"

namespace threadscape {

namespace {

constexpr int radius = 5;  ///< Of the Gaussian window of SSIM.
constexpr int window = 2 * radius + 1;
constexpr double sigma = 1.5;
/// The quantities whose local means SSIM is made of: a, b, a^2, b^2 and a b.
constexpr std::size_t moments = 5;

template <class T>
void widen(const std::byte* row, std::int64_t width, int channels, int channel, double* to) {
  const auto* values = reinterpret_cast<const T*>(row) + channel;
  for (std::int64_t x = 0; x < width; ++x)
    to[x] = static_cast<double>(values[x * channels]);
}

std::array<double, window> gaussian_weights() {
  std::array<double, window> weights{};
  double sum = 0;
  for (int i = -radius; i <= radius; ++i)
    sum += weights[static_cast<std::size_t>(i + radius)] = std::exp(-0.5 * i * i / (sigma * sigma));
  for (double& weight : weights)
    weight /= sum;
  return weights;
}

/// The number of windows along an axis. Axes of length 1 are not filtered.
std::int64_t windows_along(std::int64_t extent) {
  return extent == 1 ? 1 : extent - window + 1;
}

/// Local means of the five moments: one row or slice of each, one after another.
using Means = std::vector<double>;

/// SSIM of one channel. Windows along x and y are summed for a slice at a time, and slices along z are kept in a ring
/// of 11, so that large volumes need memory for 11 slices only.
class SsimSum {
 public:
  SsimSum(HostIn a, HostIn b, int channel, double peak)
      : a_(a),
        b_(b),
        channel_(channel),
        c1_(0.01 * peak * 0.01 * peak),
        c2_(0.03 * peak * 0.03 * peak),
        columns_(windows_along(a.shape.width)),
        rows_(windows_along(a.shape.height)),
        weights_(gaussian_weights()) {}

  /// The mean over all windows.
  [[nodiscard]] double mean() {
    const std::int64_t depth = a_.shape.depth, taps = depth == 1 ? 1 : window;
    std::vector<Means> ring(static_cast<std::size_t>(taps));
    for (Means& slice : ring)
      slice.resize(moments * slice_items());
    double sum = 0;
    for (std::int64_t z = 0; z < depth; ++z) {
      filter_slice(z, ring[static_cast<std::size_t>(z % taps)]);
      if (z + 1 >= taps) sum += depth == 1 ? sum_of(ring.front()) : sum_of(along_z(ring, z + 1));
    }
    return sum / static_cast<double>(columns_ * rows_ * windows_along(depth));
  }

 private:
  [[nodiscard]] std::size_t slice_items() const { return static_cast<std::size_t>(columns_ * rows_); }

  /// The means along x of the five moments in a row.
  void filter_row(std::int64_t y, std::int64_t z, Means& means) const {
    const std::int64_t width = a_.shape.width;
    std::vector<double> a(static_cast<std::size_t>(width)), b(a.size());
    read_row(a_, y, z, channel_, a.data());
    read_row(b_, y, z, channel_, b.data());
    const std::size_t taps = width == 1 ? 1 : window;
    for (std::size_t x = 0; x < static_cast<std::size_t>(columns_); ++x) {
      std::array<double, moments> sums{};
      for (std::size_t i = 0; i < taps; ++i) {
        const double weight = taps == 1 ? 1.0 : weights_[i], va = a[x + i], vb = b[x + i];
        sums[0] += weight * va;
        sums[1] += weight * vb;
        sums[2] += weight * va * va;
        sums[3] += weight * vb * vb;
        sums[4] += weight * va * vb;
      }
      for (std::size_t m = 0; m < moments; ++m)
        means[m * static_cast<std::size_t>(columns_) + x] = sums[m];
    }
  }

  /// The means along x and y of a slice. Each thread keeps the last 11 filtered rows of its band.
  void filter_slice(std::int64_t z, Means& slice) const {
    const std::int64_t taps = a_.shape.height == 1 ? 1 : window;
    const auto columns = static_cast<std::size_t>(columns_);
    constexpr std::int64_t band = 64;
#pragma omp parallel for schedule(dynamic)
    for (std::int64_t top = 0; top < rows_; top += band) {
      std::vector<Means> ring(static_cast<std::size_t>(taps), Means(moments * columns));
      const std::int64_t bottom = std::min(rows_, top + band);
      for (std::int64_t y = top; y < bottom + taps - 1; ++y) {
        filter_row(y, z, ring[static_cast<std::size_t>(y % taps)]);
        const std::int64_t row = y - taps + 1;
        if (row < top) continue;
        for (std::size_t m = 0; m < moments; ++m) {
          double* out = slice.data() + m * slice_items() + static_cast<std::size_t>(row) * columns;
          std::fill_n(out, columns, 0.0);
          for (std::int64_t i = 0; i < taps; ++i) {
            const double weight = taps == 1 ? 1.0 : weights_[static_cast<std::size_t>(i)];
            const double* in = ring[static_cast<std::size_t>((row + i) % taps)].data() + m * columns;
            for (std::size_t x = 0; x < columns; ++x)
              out[x] += weight * in[x];
          }
        }
      }
    }
  }

  /// The means along z of the 11 slices in the ring, whose oldest one is at index `oldest` modulo 11.
  [[nodiscard]] Means along_z(const std::vector<Means>& ring, std::int64_t oldest) const {
    Means sums(ring.front().size(), 0.0);
    for (std::size_t i = 0; i < window; ++i) {
      const Means& slice = ring[(static_cast<std::size_t>(oldest) + i) % window];
      for (std::size_t k = 0; k < sums.size(); ++k)
        sums[k] += weights_[i] * slice[k];
    }
    return sums;
  }

  [[nodiscard]] double sum_of(const Means& means) const {
    const std::size_t items = slice_items();
    double sum = 0;
    for (std::size_t i = 0; i < items; ++i) {
      const double a = means[i], b = means[items + i];
      const double var_a = means[2 * items + i] - a * a, var_b = means[3 * items + i] - b * b;
      const double covariance = means[4 * items + i] - a * b;
      sum += (2 * a * b + c1_) * (2 * covariance + c2_) / ((a * a + b * b + c1_) * (var_a + var_b + c2_));
    }
    return sum;
  }

  HostIn a_, b_;
  int channel_;
  double c1_, c2_;  ///< The constants of Wang et al. that keep the fractions stable.
  std::int64_t columns_, rows_;
  std::array<double, window> weights_;
};

/// The sums over a part of the data.
struct Sums {
  std::int64_t different = 0;
  double squares = 0;
  LargestDifference largest;
  double low = std::numeric_limits<double>::infinity(), high = -std::numeric_limits<double>::infinity();

  void add(double a, double b, std::array<std::int64_t, 3> at, int channel) {
    low = std::min(low, a);
    high = std::max(high, a);
    if (a == b || (std::isnan(a) && std::isnan(b))) return;
    ++different;
    double difference = std::abs(a - b);
    if (std::isnan(difference)) difference = std::numeric_limits<double>::infinity();
    squares += difference * difference;
    if (difference > largest.value) largest = {difference, a, b, at, channel};
  }
  /// Adds the sums of rows that follow. Of equal differences the first one is kept.
  void add(const Sums& next) {
    different += next.different;
    squares += next.squares;
    if (next.largest.value > largest.value) largest = next.largest;
    low = std::min(low, next.low);
    high = std::max(high, next.high);
  }
};

Sums sums_of_row(HostIn a, HostIn b, std::int64_t line, int channels) {
  const std::int64_t width = a.shape.width, y = line % a.shape.height, z = line / a.shape.height;
  std::vector<double> row_a(static_cast<std::size_t>(width)), row_b(row_a.size());
  Sums sums;
  for (int channel = 0; channel < channels; ++channel) {
    read_row(a, y, z, channel, row_a.data());
    read_row(b, y, z, channel, row_b.data());
    for (std::int64_t x = 0; x < width; ++x)
      sums.add(row_a[static_cast<std::size_t>(x)], row_b[static_cast<std::size_t>(x)], {x, y, z}, channel);
  }
  return sums;
}

double default_peak(const Shape& shape, const Sums& sums) {
  if (shape.kind == Kind::image) {
    if (shape.element == Element::u8) return 255;
    if (shape.element == Element::u16) return 65535;
    return 1;
  }
  return sums.high > sums.low ? sums.high - sums.low : 0;
}

bool fits_window(const Shape& shape) {
  return std::ranges::all_of(std::array{shape.width, shape.height, shape.depth},
                             [](std::int64_t extent) { return extent == 1 || extent >= window; });
}

}  // namespace

void read_row(HostIn data, std::int64_t y, std::int64_t z, int channel, double* to) {
  const Shape& shape = data.shape;
  const std::byte* row = data.data + static_cast<std::size_t>(z * shape.height + y) * data.pitch;
  const auto read = [&]<class T>(T) { widen<T>(row, shape.width, shape.channels, channel, to); };
  switch (shape.element) {
    case Element::u8:
      return read(std::uint8_t{});
    case Element::u16:
      return read(std::uint16_t{});
    case Element::u32:
      return read(std::uint32_t{});
    case Element::i32:
      return read(std::int32_t{});
    case Element::i64:
      return read(std::int64_t{});
    case Element::f32:
      return read(float{});
    case Element::f64:
      return read(double{});
  }
}

Similarity measure_similarity(HostIn a, HostIn b, const SimilarityOptions& options) {
  if (a.shape != b.shape)
    throw UsageError("data of different shapes cannot be compared: " + to_string(a.shape) + " and " +
                     to_string(b.shape));
  const Shape& shape = a.shape;
  const int channels = options.channels > 0 ? std::min(options.channels, shape.channels) : shape.channels;
  // Rows are summed in their order, so that the result does not depend on the number of threads.
  std::vector<Sums> rows(static_cast<std::size_t>(shape.height * shape.depth));
#pragma omp parallel for schedule(static)
  for (std::int64_t line = 0; line < shape.height * shape.depth; ++line)
    rows[static_cast<std::size_t>(line)] = sums_of_row(a, b, line, channels);
  Sums sums;
  for (const Sums& row : rows)
    sums.add(row);

  Similarity result{.values = shape.items() * channels, .different = sums.different, .largest = sums.largest};
  result.rmse = std::sqrt(sums.squares / static_cast<double>(std::max<std::int64_t>(result.values, 1)));
  result.peak = options.peak.value_or(default_peak(shape, sums));
  result.psnr_db =
      result.rmse > 0 ? 20 * std::log10(result.peak / result.rmse) : std::numeric_limits<double>::infinity();
  if (!fits_window(shape) || result.peak <= 0) return result;
  double ssim = 0;
  for (int channel = 0; channel < channels; ++channel)
    ssim += SsimSum(a, b, channel, result.peak).mean();
  result.ssim = ssim / channels;
  return result;
}

}  // namespace threadscape

// The readable reference of morphology: for every row of the picture, every pixel of the element, in one thread.

#include <algorithm>
#include <vector>

#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/algorithms/morphology/morphology/morphology_memory.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_tile.h"
#include "compute/core/rows.h"

namespace threadscape {
namespace morphology {
namespace {

/// A pixel of the element, relative to its origin, with its grey level in units of the picture.
template <class Value>
struct Part {
  int dx, dy;
  Units<Value> units;
};

/// Rows are channels * width samples. All channels are treated alike; at the end alpha is copied from the input.
template <class Value>
class Serial {
 public:
  using Parts = std::vector<Part<Value>>;

  Serial(const Morphology::Params& params, const HostRun& run)
      : run_(run),
        channels_(run.in.shape.channels),
        width_(static_cast<int>(run.in.shape.width)),
        height_(static_cast<int>(run.in.shape.height)),
        border_(params.border),
        in_{const_cast<std::byte*>(run.in.data), static_cast<std::ptrdiff_t>(run.in.pitch)},
        out_{run.out.data, static_cast<std::ptrdiff_t>(run.out.pitch)} {
    const StructuringElement element = Morphology::element(params);
    flat_ = element.levels.empty();
    erosion_ = parts_of(for_erosion(element, params.erosion), element.part, 1);
    dilation_ = parts_of(element, element.part, -1);  // The element reflected through its origin.
    background_ = parts_of(element, element.background, 1);
    const std::size_t pitch = HostScratch::padded(run.in.shape.pixel_bytes() * static_cast<std::size_t>(width_));
    for (Samples& picture : spare_)
      picture = {run.scratch->take<std::byte>(pitch * static_cast<std::size_t>(height_)).data(),
                 static_cast<std::ptrdiff_t>(pitch)};
  }

  void operator()(Operation operation, int n) {
    const Samples intermediate = spare_[0];
    switch (operation) {
      case Operation::erode:
        erode(n, in_, out_);
        break;
      case Operation::dilate:
        dilate(n, in_, out_);
        break;
      case Operation::open:
      case Operation::tophat:
        erode(n, in_, intermediate);
        dilate(n, intermediate, out_);
        finish(operation == Operation::tophat ? Finish::original_minus_result : Finish::holes_of_original, out_);
        break;
      case Operation::close:
      case Operation::blackhat:
        dilate(n, in_, intermediate);
        erode(n, intermediate, out_);
        finish(operation == Operation::blackhat ? Finish::result_minus_original : Finish::holes_of_original, out_);
        break;
      case Operation::gradient:
        dilate(n, in_, intermediate);
        erode(n, in_, out_);
        finish(Finish::side_minus_result, intermediate);
        break;
      case Operation::hitmiss:
        erode(n, in_, out_);
        if (background_.empty()) break;
        repeat(n, in_, intermediate, background_, false);
        finish(Finish::hit_and_miss, intermediate);
        break;
      case Operation::open_reconstruct:
        erode(n, in_, out_);
        reconstruct();
        break;
    }
    if (channels_ == 4) keep_alpha();
  }

 private:
  static Parts parts_of(const StructuringElement& element, const std::vector<std::uint8_t>& chosen, int direction) {
    Parts parts;
    for (int y = 0; y < element.height; ++y)
      for (int x = 0; x < element.width; ++x)
        if (const std::size_t i = element.index(x, y); chosen[i])
          parts.push_back({direction * (x - element.origin_x), direction * (y - element.origin_y),
                           in_units<Value>(element.levels.empty() ? 0.0f : element.levels[i])});
    return parts;
  }

  void erode(int n, Samples from, Samples to) { repeat(n, from, to, erosion_, true); }
  void dilate(int n, Samples from, Samples to) { repeat(n, from, to, dilation_, false); }
  void repeat(int n, Samples from, Samples to, const Parts& parts, bool erode) {
    for (int left = n; left > 0 && !run_.stop.stop_requested(); --left) {
      const Samples next = left % 2 == 1 ? to : spare_[1];  // Alternates so that the last pass writes `to`.
      const double begun = static_cast<double>(n - left) / n;
      for_rows(
          run_, height_,
          [&](int y) {
            if (erode)
              flat_ ? extreme_row<true, true>(from, next, parts, y) : extreme_row<true, false>(from, next, parts, y);
            else
              flat_ ? extreme_row<false, true>(from, next, parts, y) : extreme_row<false, false>(from, next, parts, y);
          },
          begun, begun + 1.0 / n);
      from = next;
    }
  }

  /// Computes row y of one erosion or dilation: the minimum or maximum of the rows around it, each shifted by a pixel
  /// of the element.
  template <bool erode, bool flat>
  void extreme_row(Samples from, Samples to, const Parts& parts, int y) const {
    const auto take = [](Value& result, Value value, Units<Value> units) {
      result = extreme(result, flat ? value : shifted(value, units, erode), erode);
    };
    const int channels = channels_, width = width_;
    Value* __restrict__ result = to.row<Value>(y);
    std::fill_n(result, width * channels, neutral_value<Value>(erode));
    for (const Part<Value>& part : parts) {
      const int row = border_index(y + part.dy, height_, border_);
      if (row < 0) continue;  // Under a neutral border pixels outside are left out.
      const Value* __restrict__ values = from.row<Value>(row);
      const Units<Value> units = part.units;
      const int first = std::clamp(-part.dx, 0, width), last = std::clamp(width - part.dx, first, width);
      const Value* shifted_values = values + static_cast<std::ptrdiff_t>(part.dx) * channels;
      for (int i = first * channels; i < last * channels; ++i)
        take(result[i], shifted_values[i], units);
      if (border_ == Border::zero) continue;
      const auto from_outside = [&](int x) {
        const int column = border_index(x + part.dx, width, border_);
        for (int c = 0; c < channels; ++c)
          take(result[x * channels + c], values[column * channels + c], units);
      };
      for (int x = 0; x < first; ++x)
        from_outside(x);
      for (int x = last; x < width; ++x)
        from_outside(x);
    }
  }

  void finish(Finish finish, Samples side) {
    for_rows(run_, height_, [&](int y) {
      for (int i = 0; i < width_ * channels_; ++i) {
        Value& result = out_.row<Value>(y)[i];
        result = finished(finish, result, in_.row<Value>(y)[i], side.row<Value>(y)[i]);
      }
    });
  }
  void keep_alpha() {
    for (int y = 0; y < height_; ++y)
      for (int i = 3; i < width_ * channels_; i += channels_)
        out_.row<Value>(y)[i] = in_.row<Value>(y)[i];
  }

  /// Grows the eroded picture: each value becomes the maximum of its eight neighbours, limited by the original. Forward
  /// and backward sweeps alternate until nothing changes (Vincent 1993, sequential reconstruction).
  void reconstruct() {
    for (int y = 0; y < height_; ++y)
      for (int i = 0; i < width_ * channels_; ++i)
        out_.row<Value>(y)[i] = extreme(out_.row<Value>(y)[i], in_.row<Value>(y)[i], true);
    for (bool changed = true; changed && !run_.stop.stop_requested();) {
      changed = false;
      for (int y = 0; y < height_; ++y)
        for (int x = 0; x < width_; ++x)
          changed |= grow(x, y, -1);
      for (int y = height_ - 1; y >= 0; --y)
        for (int x = width_ - 1; x >= 0; --x)
          changed |= grow(x, y, 1);
    }
  }
  /// Grows a pixel from the four neighbours that a sweep has already passed: those in row y + side, and the one at x +
  /// side.
  bool grow(int x, int y, int side) {
    bool changed = false;
    for (int c = 0; c < channels_; ++c) {
      Value& own = out_.row<Value>(y)[x * channels_ + c];
      Value largest = own;
      const auto look = [&](int nx, int ny) {
        if (nx >= 0 && ny >= 0 && nx < width_ && ny < height_)
          largest = extreme(largest, out_.row<Value>(ny)[nx * channels_ + c], false);
      };
      for (int dx = -1; dx <= 1; ++dx)
        look(x + dx, y + side);
      look(x + side, y);
      largest = extreme(largest, in_.row<Value>(y)[x * channels_ + c], true);
      changed |= total_order_key(largest) != total_order_key(own);
      own = largest;
    }
    return changed;
  }

  const HostRun& run_;
  int channels_, width_, height_;
  Border border_;
  bool flat_ = true;
  Samples in_, out_;
  Parts erosion_, dilation_, background_;
  Samples spare_[serial_pictures];
};

}  // namespace

std::size_t serial_scratch_bytes(const Shape& input) {
  const std::size_t pitch = HostScratch::padded(input.pixel_bytes() * static_cast<std::size_t>(input.width));
  return serial_pictures * pitch * static_cast<std::size_t>(input.height);
}

}  // namespace morphology

void Morphology::serial(const Params& params, const HostRun& run) {
  if (const morphology::Plan plan = Morphology::plan(params, run.in.shape.element); has_vectors(plan, run.in.shape))
    return run_vectors(plan, run);
  morphology::with_sample(run.in.shape.element, [&](auto sample) {
    morphology::Serial<decltype(sample)> serial(params, run);
    serial(params.operation, params.iterations);
  });
}

}  // namespace threadscape

// Reconstruction by dilation with threads. Rows are grouped into bands. Even bands are processed while odd ones rest,
// then the other way round, so no thread reads what another one writes. A row is processed again only when the row
// above or below has changed.

#include "compute/algorithms/morphology/morphology/openmp/morphology_reconstruct.h"

#include <algorithm>
#include <atomic>

#include "compute/algorithms/morphology/morphology/morphology_math.h"
#include "compute/engines/planes/bands.h"

namespace threadscape::morphology {
namespace {

template <class Value>
class Reconstruction {
 public:
  Reconstruction(int channels, int width, int height, Samples original, Samples marker, std::byte* memory)
      : channels_(channels),
        width_(width),
        height_(height),
        original_(original),
        marker_(marker),
        from_above_(reinterpret_cast<unsigned char*>(memory)),
        from_below_(from_above_ + height) {
    std::fill_n(from_above_, 2 * height, static_cast<unsigned char>(1));
  }

  void start_row(int y) {
    Value* to = marker_.row<Value>(y);
    const Value* limit = original_.row<Value>(y);
    for (int i = 0; i < width_ * channels_; ++i)
      to[i] = channels_ == 4 && i % 4 == 3 ? limit[i] : extreme(to[i], limit[i], true);
  }

  /// Processes the rows of a band until it is consistent with itself and with the rows beside it. Returns whether any
  /// row was processed.
  bool settle(int y0, int y1) {
    bool any = false;
    for (bool again = true; again;) {
      again = false;
      for (int y = y0; y < y1; ++y)
        again |= look(from_above_, y, y - 1);
      for (int y = y1 - 1; y >= y0; --y)
        again |= look(from_below_, y, y + 1);
      any |= again;
    }
    return any;
  }

 private:
  bool look(unsigned char* flags, int y, int neighbour) {
    if (!flags[y]) return false;
    flags[y] = 0;
    const bool changed = channels_ == 1 ? grow_row<1, 1>(y, neighbour) : grow_row<4, 3>(y, neighbour);
    if (changed) {
      if (y + 1 < height_) from_above_[y + 1] = 1;
      if (y > 0) from_below_[y - 1] = 1;
    }
    return true;
  }

  /// Propagates values to row y from row `neighbour`, then from the left, then from the right. Returns whether the row
  /// has changed.
  template <int stride, int planes>
  bool grow_row(int y, int neighbour) {
    Value* own = marker_.row<Value>(y);
    const Value* limit = original_.row<Value>(y);
    const Value* beside = neighbour >= 0 && neighbour < height_ ? marker_.row<Value>(neighbour) : own;
    const int n = width_ * stride;
    bool changed = false;
    const auto grow = [&](int i, Value largest) {
      largest = extreme(largest, limit[i], true);
      if (total_order_key(largest) <= total_order_key(own[i])) return;
      own[i] = largest;
      changed = true;
    };
    for (int x = 0; x < n; x += stride)
      for (int i = x; i < x + planes; ++i) {
        Value largest = beside[i];
        if (x > 0) largest = extreme(extreme(largest, beside[i - stride], false), own[i - stride], false);
        if (x + stride < n) largest = extreme(largest, beside[i + stride], false);
        grow(i, largest);
      }
    for (int x = n - 2 * stride; x >= 0; x -= stride)
      for (int i = x; i < x + planes; ++i)
        grow(i, own[i + stride]);
    return changed;
  }

  int channels_, width_, height_;
  Samples original_, marker_;
  unsigned char *from_above_, *from_below_;  ///< By row: whether the row above or below has changed since.
};

template <class Value>
void reconstruct_as(const HostRun& run, int channels, int width, int height, Samples original, Samples marker,
                    int threads, std::byte* memory) {
  Reconstruction<Value> work(channels, width, height, original, marker, memory);
  const int bands = (height + band_height - 1) / band_height;
  const int team = std::max(1, std::min(threads, bands));
#pragma omp parallel for num_threads(team)
  for (int y = 0; y < height; ++y)
    work.start_row(y);
  std::atomic<bool> again = true;
  while (again.exchange(false) && !run.stop.stop_requested())
    for (int parity = 0; parity < 2; ++parity) {
#pragma omp parallel for schedule(dynamic) num_threads(team)
      for (int band = parity; band < bands; band += 2)
        if (work.settle(band * band_height, std::min((band + 1) * band_height, height)))
          again.store(true, std::memory_order_relaxed);
    }
}

}  // namespace

std::size_t reconstruct_bytes(int height) {
  return 2 * static_cast<std::size_t>(height);
}

void reconstruct(const HostRun& run, Element element, int channels, int width, int height, Samples original,
                 Samples marker, int threads, std::byte* memory) {
  with_sample(element, [&]<class Value>(Value) {
    reconstruct_as<Value>(run, channels, width, height, original, marker, threads, memory);
  });
}

}  // namespace threadscape::morphology

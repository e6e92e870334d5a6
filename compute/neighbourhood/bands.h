#pragma once
// How the OpenMP backends of neighbourhood filters share a picture: in bands of whole rows, which threads take one by
// one. A band's result depends on the input alone, so the number of threads changes nothing.

#include <algorithm>
#include <atomic>

#include "compute/core/algorithm.h"

namespace threadscape {

inline constexpr int band_height = 32;

/// Calls f(y0, y1) for bands y0 <= y < y1 of a picture of this height, on run.threads threads. `f` must not throw.
template <class F>
void for_each_band(const HostRun& run, int height, const F& f) {
  const int bands = (height + band_height - 1) / band_height;
  std::atomic<int> done = 0;
#pragma omp parallel for schedule(dynamic) num_threads(std::max(1, std::min(run.threads, bands)))
  for (int band = 0; band < bands; ++band) {
    if (run.stop.stop_requested()) continue;  // OpenMP loops cannot be left
    const int y0 = band * band_height;
    f(y0, std::min(y0 + band_height, height));
    const int finished = done.fetch_add(1, std::memory_order_relaxed) + 1;
    if (run.progress) run.progress->report(static_cast<double>(finished) / bands);
  }
}

}  // namespace threadscape

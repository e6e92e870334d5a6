#pragma once
// How the OpenMP backends of neighbourhood filters divide a picture between threads: in bands of whole rows or in
// tiles, which threads take one by one. The result of a band depends on the input alone, so the number of threads
// changes nothing.
//
//   +----------------------------+        +---------+---------+------+
//   | band 0, `rows` rows        |        | tile 0  | tile 1  |   2  |  tile_height rows
//   +----------------------------+        +---------+---------+------+
//   | band 1                     |        | tile 3  | tile 4  |   5  |
//   +----------------------------+        +---------+---------+------+
//   | band 2, the rows left      |          tile_width columns
//   +----------------------------+

#include <algorithm>
#include <atomic>

#include "compute/core/run.h"

namespace threadscape {

/// Usual height of a band in rows.
inline constexpr int band_height = 32;

/// Calls f(i) for 0 <= i < count on run.threads threads, in any order, and reports the progress. Parts are left out
/// once the run is asked to stop. `f` must not throw.
template <class F>
void for_each_part(const HostRun& run, int count, const F& f) {
  std::atomic<int> done = 0;
  if (run.progress) run.progress->report(0.0);
#pragma omp parallel for schedule(dynamic) num_threads(std::max(1, std::min(run.threads, count)))
  for (int i = 0; i < count; ++i) {
    if (run.stop.stop_requested()) continue;  // OpenMP loops cannot be left early
    f(i);
    const int finished = done.fetch_add(1, std::memory_order_relaxed) + 1;
    if (run.progress) run.progress->advance(static_cast<double>(finished) / count);
  }
}

/// Calls f(y0, y1) for bands of `rows` rows, y0 <= y < y1, of a picture of this height, on run.threads threads. `f`
/// must not throw.
template <class F>
void for_each_band(const HostRun& run, int height, const F& f, int rows = band_height) {
  for_each_part(run, (height + rows - 1) / rows, [&](int band) {
    const int y0 = band * rows;
    f(y0, std::min(y0 + rows, height));
  });
}

/// Calls f(x, y, width, height) for tiles that cover the input picture, of at most tile_width x tile_height pixels, on
/// run.threads threads. `f` must not throw.
template <class F>
void for_each_tile(const HostRun& run, int tile_width, int tile_height, const F& f) {
  const int width = static_cast<int>(run.in.shape.width), height = static_cast<int>(run.in.shape.height);
  const int across = (width + tile_width - 1) / tile_width, down = (height + tile_height - 1) / tile_height;
  for_each_part(run, across * down, [&](int tile) {
    const int x = tile % across * tile_width, y = tile / across * tile_height;
    f(x, y, std::min(tile_width, width - x), std::min(tile_height, height - y));
  });
}

}  // namespace threadscape

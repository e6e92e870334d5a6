#pragma once
// How the OpenMP backends of the algorithms in time divide the result between threads.

#include "compute/core/clip.h"
#include "compute/engines/planes/bands.h"

namespace threadscape::clips {

/// Calls rows(clip, y0, y1) for bands of rows of the clip of the newest `used` frames, on all threads of the run.
/// `rows` must not throw.
template <class Rows>
void compute_bands(const HostRun& run, int used, const Rows& rows) {
  const HostIn clip = newest_frames(run.in, used);
  for_each_band(run, static_cast<int>(clip.shape.height), [&](int y0, int y1) { rows(clip, y0, y1); });
}

}  // namespace threadscape::clips

// The mean over time, the readable reference: the values of a pixel are summed from the oldest frame to the newest. The
// loops over neighbouring values are inside of that over the frames, so that no sum waits for its last addition.

#include <algorithm>

#include "compute/algorithms/time/clip_cells.h"
#include "compute/algorithms/time/temporal_mean/temporal_mean.h"

namespace threadscape {
namespace temporal_mean {
namespace {

constexpr std::int64_t values_at_once = 1024;

/// The means of some neighbouring values of a row. `oldest` and `newest` are theirs in these frames, and `frame_bytes`
/// lie between a frame and the next.
template <class C, class Value = typename C::Value>
void mean_of_values(const std::byte* oldest, std::size_t frame_bytes, int frames, std::int64_t count, Value* results) {
  using Sum = clips::Wide<Value>;
  Sum sums[values_at_once];
  std::fill_n(sums, count, Sum{0});
  for (int t = 0; t < frames; ++t) {
    const auto* const values = reinterpret_cast<const Value*>(oldest + frame_bytes * static_cast<std::size_t>(t));
    for (std::int64_t i = 0; i < count; ++i)
      sums[i] += static_cast<Sum>(values[i]);
  }
  const auto* const newest =
      reinterpret_cast<const Value*>(oldest + frame_bytes * static_cast<std::size_t>(frames - 1));
  for (std::int64_t i = 0; i < count; ++i)
    results[i] = C::is_alpha(static_cast<int>(i % C::count)) ? newest[i] : mean_of<Value>(sums[i], newest[i], frames);
}

}  // namespace
}  // namespace temporal_mean

void TemporalMean::serial(const Params& params, const HostRun& run) {
  const HostIn frames = newest_frames(run.in, params.used());
  clips::with_cells(frames.shape, [&]<class C>(C) {
    using Value = typename C::Value;
    const std::int64_t width = frames.shape.width * C::count;
    for_rows(run, frames.shape.height, [&](int y) {
      const std::byte* const row = frames.data + frames.pitch * static_cast<std::size_t>(y);
      auto* const out = reinterpret_cast<Value*>(run.out.data + run.out.pitch * static_cast<std::size_t>(y));
      for (std::int64_t x = 0; x < width; x += temporal_mean::values_at_once)
        temporal_mean::mean_of_values<C>(row + static_cast<std::size_t>(x) * sizeof(Value),
                                         frames.pitch * static_cast<std::size_t>(frames.shape.height),
                                         static_cast<int>(frames.shape.depth),
                                         std::min(width - x, temporal_mean::values_at_once), out + x);
    });
  });
}

}  // namespace threadscape

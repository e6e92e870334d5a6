#pragma once
// The median over time: whatever covers a pixel in fewer than half of the frames disappears.

#include <string_view>
#include <tuple>

#include "compute/algorithms/time/clip_filter.h"
#include "compute/algorithms/time/temporal_median/temporal_median_math.h"

namespace threadscape {

namespace temporal_median {

struct Params {
  static constexpr std::string_view algorithm = "temporal_median";
  int frames = 9;

  /// The number of frames that are used.
  [[nodiscard]] int used() const { return frames; }
  static auto fields() {
    return std::tuple{
        Field{"frames", &Params::frames, 1, clips::max_frames - 1, "frames", "the newest frames that are compared", 2}};
  }
  bool operator==(const Params&) const = default;
};

}  // namespace temporal_median

struct TemporalMedian : clips::ClipFilter<temporal_median::Params> {
  static constexpr std::string_view title = "Median over time";
  static constexpr std::string_view summary =
      "The median of each pixel over the newest frames of a clip: removes noise and whatever passes through";
  static constexpr std::string_view source =
      "Gloyer et al.: Video-based freeway-monitoring system using recursive vehicle tracking, SPIE 2421, 1995";
  static constexpr std::array cuda_variants{
      Variant{"network", "values in registers, sorted by a network for up to 15 frames; bits for more"},
      Variant{"bits", "the median bit by bit, from the highest on: counts of values below a candidate"}};

  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape

#pragma once
// The mean over time: noise becomes less with every frame, and what moves leaves a pale trail.

#include <string_view>
#include <tuple>

#include "compute/algorithms/time/clip_filter.h"
#include "compute/algorithms/time/temporal_mean/temporal_mean_math.h"

namespace threadscape {

namespace temporal_mean {

struct Params {
  static constexpr std::string_view algorithm = "temporal_mean";
  int frames = 8;

  /// The number of frames that are used.
  [[nodiscard]] int used() const { return frames; }
  static auto fields() {
    return std::tuple{
        Field{"frames", &Params::frames, 1, clips::max_frames, "frames", "the newest frames that are averaged"}};
  }
  bool operator==(const Params&) const = default;
};

}  // namespace temporal_mean

struct TemporalMean : clips::ClipFilter<temporal_mean::Params> {
  static constexpr std::string_view title = "Mean over time";
  static constexpr std::string_view summary = "The mean of each pixel over the newest frames of a clip";
  static constexpr std::string_view source = "Gonzalez, Woods: Digital Image Processing, image averaging";

  [[nodiscard]] static temporal_mean::Plan plan(const Params&) { return {}; }

  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape

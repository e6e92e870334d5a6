#pragma once
// The mean over time: noise becomes less with every frame, and what moves leaves a pale trail.

#include <string_view>
#include <tuple>

#include "compute/algorithms/time/clip_filter.h"
#include "compute/algorithms/time/temporal_mean/temporal_mean_math.h"

namespace threadscape {

struct TemporalMean : clips::ClipFilter {
  static constexpr std::string_view title = "Mean over time";
  static constexpr std::string_view summary = "The mean of each pixel over the newest frames of a clip";
  static constexpr std::string_view source = "Gonzalez, Woods: Digital Image Processing, image averaging";

  struct Params {
    int frames = 8;

    static auto fields() {
      return std::tuple{
          Field{"frames", &Params::frames, 1, clips::max_frames, "frames", "the newest frames that are averaged"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// The number of frames that are used.
  [[nodiscard]] static int frames(const Params& params) { return params.frames; }
  [[nodiscard]] static temporal_mean::Plan plan(const Params&) { return {}; }

  static Shape input_shape(const Params& params) { return clips::scene_shape(frames(params)); }
  static HostArray make_input(const Params& params, std::uint64_t seed) { return clips::scene(frames(params), seed); }
  static bool same_input(const Params& a, const Params& b) { return frames(a) == frames(b); }

  static Shape output_shape(const Params&, const Shape& input);
  static std::size_t scratch_bytes(const Params&, const Shape& input, Backend, int variant);
  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape

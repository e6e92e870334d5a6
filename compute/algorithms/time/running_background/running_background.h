#pragma once
// A running estimate of the background, and what stands out from it: the classic detector of motion for a camera at
// rest.

#include <string_view>
#include <tuple>

#include "compute/algorithms/time/clip_filter.h"
#include "compute/algorithms/time/running_background/running_background_math.h"

namespace threadscape {

struct RunningBackground : clips::ClipFilter {
  static constexpr std::string_view title = "Running background";
  static constexpr std::string_view summary =
      "An exponential mean over the frames of a clip as the background, or what stands out from it";
  static constexpr std::string_view source =
      "Piccardi: Background subtraction techniques: a review, IEEE SMC 2004; OpenCV accumulateWeighted";
  static constexpr std::array<std::string_view, 2> show_names{"background", "foreground"};

  struct Params {
    int frames = 32;
    float alpha = 0.05f;
    running_background::Show show = running_background::Show::foreground;
    float threshold = 40.0f;

    static auto fields() {
      return std::tuple{
          Field{"frames", &Params::frames, 2, clips::max_frames, "frames", "the newest frames that are followed"},
          Field{"alpha", &Params::alpha, 1.0f / 256, 1.0f, "",
                "weight of a new frame, in steps of 1/256; the background forgets a frame within about 1/alpha frames"},
          EnumField{"show", &Params::show, show_names,
                    "the background, or white pixels where the newest frame differs from that of the frames before"},
          Field{"threshold", &Params::threshold, 0.0f, 255.0f, "grey levels",
                "foreground: the difference in any colour that a pixel must exceed; white is 255"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// The number of frames that are used.
  [[nodiscard]] static int frames(const Params& params) { return params.frames; }
  [[nodiscard]] static running_background::Plan plan(const Params& params) {
    return running_background::make_plan(params.alpha, params.show, params.threshold);
  }

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

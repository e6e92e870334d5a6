#pragma once
// A running estimate of the background, and what stands out from it: the classic detector of motion for a camera at
// rest.

#include <string_view>
#include <tuple>

#include "compute/algorithms/time/clip_filter.h"
#include "compute/algorithms/time/running_background/running_background_math.h"

namespace threadscape {

namespace running_background {

struct Params {
  static constexpr std::string_view algorithm = "running_background";
  static constexpr std::array<std::string_view, 2> show_names{"background", "foreground"};

  int frames = 32;
  float alpha = 0.05f;
  Show show = Show::foreground;
  float threshold = 40.0f;

  /// The number of frames that are used.
  [[nodiscard]] int used() const { return frames; }
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

}  // namespace running_background

struct RunningBackground : clips::ClipFilter<running_background::Params> {
  static constexpr std::string_view title = "Running background";
  static constexpr std::string_view summary =
      "An exponential mean over the frames of a clip as the background, or what stands out from it";
  static constexpr std::string_view source =
      "Piccardi: Background subtraction techniques: a review, IEEE SMC 2004; OpenCV accumulateWeighted";

  [[nodiscard]] static running_background::Plan plan(const Params& params) {
    return running_background::make_plan(params.alpha, params.show, params.threshold);
  }

  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape

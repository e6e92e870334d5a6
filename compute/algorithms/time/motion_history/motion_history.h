#pragma once
// The history of motion: the brighter a pixel, the less time has passed since it changed.

#include <string_view>
#include <tuple>

#include "compute/algorithms/time/clip_filter.h"
#include "compute/algorithms/time/motion_history/motion_history_math.h"

namespace threadscape {

namespace motion_history {

struct Params {
  static constexpr std::string_view algorithm = "motion_history";
  int duration = 20;
  float threshold = 25.0f;

  /// The number of frames that are used.
  [[nodiscard]] int used() const { return duration + 1; }
  static auto fields() {
    return std::tuple{Field{"duration", &Params::duration, 1, clips::max_frames - 1, "frames",
                            "motion is forgotten after so many frames"},
                      Field{"threshold", &Params::threshold, 0.0f, 255.0f, "grey levels",
                            "a pixel moves where any colour differs by more from the frame before; white is 255"}};
  }
  bool operator==(const Params&) const = default;
};

}  // namespace motion_history

struct MotionHistory : clips::ClipFilter<motion_history::Params> {
  static constexpr std::string_view title = "Motion history";
  static constexpr std::string_view summary =
      "How long ago each pixel of a clip has moved: white for the newest frame, darker with every frame since";
  static constexpr std::string_view source =
      "Bobick, Davis: The recognition of human movement using temporal templates, IEEE PAMI 23, 2001";

  [[nodiscard]] static motion_history::Plan plan(const Params& params) { return {params.duration, params.threshold}; }

  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape

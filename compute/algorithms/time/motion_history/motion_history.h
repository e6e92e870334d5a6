#pragma once
// The history of motion: the brighter a pixel, the less time has passed since it changed.

#include <string_view>
#include <tuple>

#include "compute/algorithms/time/clip_filter.h"
#include "compute/algorithms/time/motion_history/motion_history_math.h"

namespace threadscape {

struct MotionHistory : clips::ClipFilter {
  static constexpr std::string_view title = "Motion history";
  static constexpr std::string_view summary =
      "How long ago each pixel of a clip has moved: white for the newest frame, darker with every frame since";
  static constexpr std::string_view source =
      "Bobick, Davis: The recognition of human movement using temporal templates, IEEE PAMI 23, 2001";

  struct Params {
    int duration = 20;
    float threshold = 25.0f;

    static auto fields() {
      return std::tuple{Field{"duration", &Params::duration, 1, clips::max_frames - 1, "frames",
                              "motion is forgotten after so many frames"},
                        Field{"threshold", &Params::threshold, 0.0f, 255.0f, "grey levels",
                              "a pixel moves where any colour differs by more from the frame before; white is 255"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// The number of frames that are used.
  [[nodiscard]] static int frames(const Params& params) { return params.duration + 1; }
  [[nodiscard]] static motion_history::Plan plan(const Params& params) { return {params.duration, params.threshold}; }

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

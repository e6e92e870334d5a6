#pragma once
// The difference of the newest frame and an earlier one: what has moved between them.

#include <string_view>
#include <tuple>

#include "compute/algorithms/time/clip_filter.h"
#include "compute/algorithms/time/frame_difference/frame_difference_math.h"

namespace threadscape {

struct FrameDifference : clips::ClipFilter {
  static constexpr std::string_view title = "Frame difference";
  static constexpr std::string_view summary = "What differs between the newest frame of a clip and an earlier one";
  static constexpr std::string_view source = "Gonzalez, Woods: Digital Image Processing, image subtraction";
  static constexpr std::array<std::string_view, 3> mode_names{"absolute", "signed", "threshold"};

  struct Params {
    int distance = 1;
    frame_difference::Mode mode = frame_difference::Mode::absolute;
    float threshold = 25.0f;

    static auto fields() {
      return std::tuple{
          Field{"distance", &Params::distance, 1, clips::max_frames - 1, "frames",
                "how much older the earlier frame is"},
          EnumField{
              "mode", &Params::mode, mode_names,
              "the absolute difference, the signed one around grey, or white pixels where it exceeds the threshold"},
          Field{"threshold", &Params::threshold, 0.0f, 255.0f, "grey levels",
                "threshold: pixels are white where any colour differs by more; white is 255"}};
    }
    bool operator==(const Params&) const = default;
  };

  /// The number of frames that are used.
  [[nodiscard]] static int frames(const Params& params) { return params.distance + 1; }
  [[nodiscard]] static frame_difference::Plan plan(const Params& params) { return {params.mode, params.threshold}; }

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

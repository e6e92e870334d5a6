#pragma once
// The difference of the newest frame and an earlier one: what has moved between them.

#include <string_view>
#include <tuple>

#include "compute/algorithms/time/clip_filter.h"
#include "compute/algorithms/time/frame_difference/frame_difference_math.h"

namespace threadscape {

namespace frame_difference {

struct Params {
  static constexpr std::string_view algorithm = "frame_difference";
  static constexpr std::array<std::string_view, 3> mode_names{"absolute", "signed", "threshold"};

  int distance = 1;
  Mode mode = Mode::absolute;
  float threshold = 25.0f;

  /// The number of frames that are used.
  [[nodiscard]] int used() const { return distance + 1; }
  static auto fields() {
    return std::tuple{
        Field{"distance", &Params::distance, 1, clips::max_frames - 1, "frames", "how much older the earlier frame is"},
        EnumField{
            "mode", &Params::mode, mode_names,
            "the absolute difference, the signed one around grey, or white pixels where it exceeds the threshold"},
        Field{"threshold", &Params::threshold, 0.0f, 255.0f, "grey levels",
              "threshold: pixels are white where any colour differs by more; white is 255"}};
  }
  bool operator==(const Params&) const = default;
};

}  // namespace frame_difference

struct FrameDifference : clips::ClipFilter<frame_difference::Params> {
  static constexpr std::string_view title = "Frame difference";
  static constexpr std::string_view summary = "What differs between the newest frame of a clip and an earlier one";
  static constexpr std::string_view source = "Gonzalez, Woods: Digital Image Processing, image subtraction";

  [[nodiscard]] static frame_difference::Plan plan(const Params& params) { return {params.mode, params.threshold}; }

  static void serial(const Params&, const HostRun&);
  static void openmp(const Params&, const HostRun&);
  static void cuda(const Params&, const DeviceRun&);
};

}  // namespace threadscape

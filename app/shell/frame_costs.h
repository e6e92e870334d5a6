#pragma once
// What the frames of the window cost: the CPU time of each part of a frame, the GPU time of each pass, and waits.

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "app/session/elapsed.h"

namespace threadscape::app {

enum class FramePart : std::uint8_t {
  interval,       ///< From one frame to the next, which includes the time in which the window slept.
  results,        ///< CPU: taking results and inputs that other threads have finished.
  panels,         ///< CPU: building all panels, without the picture.
  picture,        ///< CPU: the calls that draw the picture.
  interface,      ///< CPU: the calls that draw the panels.
  shown,          ///< Waiting until the screen takes the frame; with vertical sync mostly sleep.
  picture_gpu,    ///< GPU: the pass that draws the picture.
  interface_gpu,  ///< GPU: the pass that draws the panels.
};
/// The parts as lists and files name them, indexed by FramePart.
inline constexpr std::array<std::string_view, 8> frame_part_names{
    "from frame to frame", "results, CPU",           "panels, CPU",  "picture, CPU",
    "interface, CPU",      "waiting for the screen", "picture, GPU", "interface, GPU"};

/// The times of the last frames in milliseconds. Times of the GPU arrive some frames later, and some are missing where
/// too many were pending.
class FrameCosts {
 public:
  static constexpr std::size_t kept = 600;

  void add(FramePart part, double milliseconds) {
    std::vector<double>& times = times_[static_cast<std::size_t>(part)];
    if (times.size() == kept) times.erase(times.begin());
    times.push_back(milliseconds);
  }
  /// The times of a part in their order; empty where it was never measured.
  [[nodiscard]] const std::vector<double>& of(FramePart part) const { return times_[static_cast<std::size_t>(part)]; }

 private:
  std::array<std::vector<double>, frame_part_names.size()> times_;
};

}  // namespace threadscape::app

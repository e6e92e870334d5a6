#pragma once
// The newest frames of a moving picture as a clip, for algorithms in time on sources that are read frame by frame.

#include <cstdint>

#include "compute/core/clip.h"

namespace threadscape {

/// Keeps copies of the last frames in one array, so that they are a clip without being copied for every new frame. Not
/// thread-safe.
class ClipWindow {
 public:
  /// A window of at most so many frames; at least one.
  explicit ClipWindow(std::int64_t frames) : frames_(frames < 1 ? 1 : frames) {}

  /// Adds a copy of a frame, and returns the clip of the newest frames with this one as the last. The first frames of a
  /// source give shorter clips, because nothing is made up for the time before them: after the first frame the clip has
  /// one frame, after the second two, up to the number of the window. A frame of another size or format than the one
  /// before begins again with a clip of one frame. The clip is valid until the next call. Throws EnvironmentError if
  /// the memory cannot be allocated.
  [[nodiscard]] HostIn push(HostIn frame);

 private:
  std::int64_t frames_;
  HostArray memory_;         ///< A clip of half as many frames again as the window, in which the window moves.
  std::int64_t begin_ = 0;   ///< The oldest frame of the window in memory_.
  std::int64_t length_ = 0;  ///< The number of frames in the window.
};

}  // namespace threadscape

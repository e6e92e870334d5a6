#pragma once
// The newest frames of a moving picture as a clip, for algorithms in time on sources that are read frame by frame.

#include <cstdint>
#include <memory>

#include "compute/core/clip.h"

namespace threadscape {

/// Keeps copies of the last frames in one array, so that they are a clip without being copied for every new frame. Not
/// thread-safe; clips that were lent may be read by any thread.
class ClipWindow {
 public:
  /// A window of at most so many frames; at least one.
  explicit ClipWindow(std::int64_t frames) : frames_(frames < 1 ? 1 : frames) {}

  /// The most frames that the window holds.
  [[nodiscard]] std::int64_t frames() const { return frames_; }
  /// Holds at most so many frames from now on, and keeps the newest ones that it has.
  void resize(std::int64_t frames);

  /// Adds a copy of a frame, and returns the clip of the newest frames with this one as the last. The first frames of a
  /// source give shorter clips, because nothing is made up for the time before them: after the first frame the clip has
  /// one frame, after the second two, up to the number of the window. A frame of another size or format than the one
  /// before begins again with a clip of one frame. The clip is valid until the next call. Throws EnvironmentError if
  /// the memory cannot be allocated.
  HostIn push(HostIn frame);
  /// The clip that the last push() returned, as an array that stays valid and unchanged whatever becomes of the window.
  [[nodiscard]] HostArray lend();

 private:
  [[nodiscard]] HostIn clip() const;
  [[nodiscard]] std::size_t frame_bytes() const;

  std::int64_t frames_;
  /// A clip of half as many frames again as the window, in which the window moves. Lent clips share it; what they hold
  /// is not written again.
  std::shared_ptr<HostArray> memory_;
  std::int64_t begin_ = 0;   ///< The oldest frame of the window in memory_.
  std::int64_t length_ = 0;  ///< The number of frames in the window.
  bool lent_ = false;        ///< If true, clips in memory_ were lent.
};

}  // namespace threadscape

#pragma once
// Rendering of several frames: the moving input that they come from, and the file that they go to.

#include <cstdint>
#include <memory>
#include <string>

#include "app/cli/commands/render.h"
#include "compute/io/video/frame_writer.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape::app {

/// Returns true if the input is a moving picture, whose frames are drawn one after another. Numbered pictures are one
/// clip for an algorithm in time, as they are in the window.
[[nodiscard]] bool is_moving_render(const RenderOptions& options, const AlgorithmInfo& algorithm);

/// Returns true if the output is an animation. A single frame is a picture in formats that hold both.
[[nodiscard]] bool wants_animation(const RenderOptions& options);

/// Replaces the numbers of frames and of frames per second that are not stated. Throws Error.
void set_frames(RenderOptions& options, const AlgorithmInfo& algorithm);

/// The file of the drawn frames. Those of a moving input keep their times and the sound, unless the user states another
/// speed.
class Animation {
 public:
  /// Sound of the input that does not go along is told on stderr. Throws Error.
  Animation(const RenderOptions& options, const AlgorithmInfo& algorithm);

  /// Adds a frame, which a moving input shows so many seconds after its first one.
  void add(HostIn picture, double seconds);
  void finish();
  [[nodiscard]] std::string note() const { return writer_->note(); }

 private:
  std::unique_ptr<io::FrameWriter> writer_;
  bool keeps_times_ = false;
  double frames_per_second_;
  std::int64_t added_ = 0;
  std::int64_t frames_ = -1;  ///< The exact number of frames of the moving input; -1 without one.
};

}  // namespace threadscape::app

#pragma once
// The newest frames of a moving picture as an input of algorithms in time.

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>

#include "app/session/work.h"
#include "compute/core/clip_window.h"

namespace threadscape::app {

/// Keeps the newest frames of a moving picture, each in host memory and, if it was uploaded ahead, on the device. One
/// thread.
class MovingClip {
 public:
  /// At most so many frames; at least one.
  explicit MovingClip(std::int64_t frames) : window_(frames) {}

  [[nodiscard]] std::int64_t frames() const { return window_.frames(); }
  /// Holds at most so many frames from now on, and keeps the newest ones that it has.
  void resize(std::int64_t frames);
  /// Adds a frame. One of another size or format than the frame before begins a new clip. Throws EnvironmentError if
  /// the memory cannot be allocated.
  void push(const Source& frame);
  /// The frames, of which there is at least one, as a source without an id. It is on the device if all of its frames
  /// are.
  [[nodiscard]] std::shared_ptr<Source> source();

 private:
  ClipWindow window_;
  /// Source::on_device of the frames in the window, and perhaps of frames before them; the newest one is the last.
  std::deque<std::shared_ptr<cuda::DeviceFrame>> on_device_;
  std::filesystem::path path_;  ///< The file that the newest frame is from.
  io::FileColour colour_ = io::FileColour::grey;
};

}  // namespace threadscape::app

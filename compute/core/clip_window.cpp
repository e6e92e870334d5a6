#include "compute/core/clip_window.h"

#include <cstring>
#include <utility>

namespace threadscape {

HostIn ClipWindow::push(HostIn frame) {
  const Shape shape = clip_shape(frame.shape, frames_ + (frames_ + 1) / 2);
  if (memory_.shape() != shape) {
    memory_ = {};
    memory_ = HostArray(shape);
    begin_ = length_ = 0;
  }
  if (length_ == frames_) {
    ++begin_;
    --length_;
  }
  const std::size_t frame_bytes = memory_.pitch() * static_cast<std::size_t>(shape.height);
  if (begin_ + length_ == shape.depth) {
    // The window has reached the end of the memory and moves back to its beginning, once in many frames.
    std::memmove(memory_.data(), memory_.data() + frame_bytes * static_cast<std::size_t>(begin_),
                 frame_bytes * static_cast<std::size_t>(length_));
    begin_ = 0;
  }
  copy(frame, frame_of(memory_.view(), begin_ + length_++));
  HostIn clip = std::as_const(memory_).view();
  clip.data += frame_bytes * static_cast<std::size_t>(begin_);
  clip.shape.depth = length_;
  return clip;
}

}  // namespace threadscape

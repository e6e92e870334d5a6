#include "compute/core/clip_window.h"

#include <algorithm>
#include <cstring>
#include <utility>

namespace threadscape {

std::size_t ClipWindow::frame_bytes() const {
  return memory_->pitch() * static_cast<std::size_t>(memory_->shape().height);
}

HostIn ClipWindow::clip() const {
  HostIn clip = std::as_const(*memory_).view();
  clip.data += frame_bytes() * static_cast<std::size_t>(begin_);
  clip.shape.depth = length_;
  return clip;
}

HostIn ClipWindow::push(HostIn frame) {
  const Shape shape = clip_shape(frame.shape, frames_ + (frames_ + 1) / 2);
  if (!memory_ || memory_->shape() != shape) {
    memory_.reset();
    memory_ = std::make_shared<HostArray>(shape);
    begin_ = length_ = 0;
    lent_ = false;
  }
  if (length_ == frames_) {
    ++begin_;
    --length_;
  }
  if (begin_ + length_ == shape.depth) {
    // The window has reached the end of the memory and moves back to its beginning, once in many frames: to that of
    // other memory if somebody may read this one.
    const std::shared_ptr<HostArray> before = memory_;
    if (std::exchange(lent_, false)) memory_ = std::make_shared<HostArray>(shape);
    std::memmove(memory_->data(), before->data() + frame_bytes() * static_cast<std::size_t>(begin_),
                 frame_bytes() * static_cast<std::size_t>(length_));
    begin_ = 0;
  }
  copy(frame, frame_of(memory_->view(), begin_ + length_++));
  return clip();
}

HostArray ClipWindow::lend() {
  lent_ = true;
  const HostIn newest = clip();
  return HostArray::lent(memory_, newest.data, newest.shape);
}

void ClipWindow::resize(std::int64_t frames) {
  ClipWindow resized(frames);
  if (length_ > 0) {
    const HostIn kept = newest_frames(clip(), resized.frames_);
    for (std::int64_t i = 0; i < kept.shape.depth; ++i)
      resized.push(frame_of(kept, i));
  }
  *this = std::move(resized);
}

}  // namespace threadscape

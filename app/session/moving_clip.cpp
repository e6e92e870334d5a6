#include "app/session/moving_clip.h"

#include <algorithm>
#include <vector>

#include "compute/engines/yuv/device_clip.h"

namespace threadscape::app {

void MovingClip::resize(std::int64_t frames) {
  window_.resize(frames);
  while (on_device_.size() > static_cast<std::size_t>(window_.frames()))
    on_device_.pop_front();
}

void MovingClip::push(const Source& frame) {
  window_.push(frame.picture.pixels.view());
  on_device_.push_back(frame.on_device);
  if (on_device_.size() > static_cast<std::size_t>(window_.frames())) on_device_.pop_front();
  path_ = frame.path;
  colour_ = frame.picture.colour;
}

std::shared_ptr<Source> MovingClip::source() {
  auto clip = std::make_shared<Source>();
  clip->path = path_;
  clip->picture.colour = colour_;
  clip->picture.pixels = window_.lend();
  // A frame of another size has begun a new clip, which is shorter.
  const auto length = static_cast<std::size_t>(clip->picture.pixels.shape().depth);
  std::vector frames(on_device_.end() - static_cast<std::ptrdiff_t>(length), on_device_.end());
  if (std::ranges::all_of(frames, [](const auto& frame) { return frame != nullptr; }))
    clip->on_device = cuda::make_device_clip(std::move(frames));
  return clip;
}

}  // namespace threadscape::app

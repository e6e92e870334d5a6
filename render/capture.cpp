#include "render/capture.h"

#include <cstring>

namespace threadscape::render {

HostArray capture(const gl::Framebuffer& framebuffer) {
  gl::PendingRead read = begin_capture(framebuffer);
  return flip_rows(read.wait());
}

gl::PendingRead begin_capture(const gl::Framebuffer& framebuffer) {
  return gl::PendingRead(framebuffer.colour());
}

HostArray flip_rows(HostIn picture) {
  HostArray flipped(picture.shape);
  const auto height = static_cast<std::size_t>(picture.shape.height);
  const std::size_t row = static_cast<std::size_t>(picture.shape.width) * picture.shape.pixel_bytes();
  for (std::size_t y = 0; y < height; ++y)
    std::memcpy(flipped.data() + flipped.pitch() * y, picture.data + picture.pitch * (height - 1 - y), row);
  return flipped;
}

}  // namespace threadscape::render

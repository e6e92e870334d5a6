#include "render/capture.h"

#include <cstring>

#include "render/gl/buffer.h"

namespace threadscape::render {

HostArray capture(const gl::Framebuffer& framebuffer) {
  const int width = framebuffer.width(), height = framebuffer.height();
  const std::size_t row = static_cast<std::size_t>(width) * 4;
  const gl::Buffer pixels(gl::BufferUse::download, row * static_cast<std::size_t>(height));

  glBindBuffer(GL_PIXEL_PACK_BUFFER, pixels.id());
  glGetTextureSubImage(framebuffer.colour().id(), 0, 0, 0, 0, width, height, 1, GL_RGBA, GL_UNSIGNED_BYTE,
                       static_cast<GLsizei>(pixels.size()), nullptr);
  glBindBuffer(GL_PIXEL_PACK_BUFFER, 0);
  gl::Fence done;
  done.place();
  done.wait();

  HostArray picture(Shape::image(Element::u8, 4, width, height));
  for (int y = 0; y < height; ++y)  // the first row of GL is at the bottom
    std::memcpy(picture.data() + picture.pitch() * static_cast<std::size_t>(y),
                pixels.data() + row * static_cast<std::size_t>(height - 1 - y), row);
  return picture;
}

}  // namespace threadscape::render

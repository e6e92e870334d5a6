#include "tests/support/render/gl_test.h"

#include <random>

namespace threadscape::testing {

HostArray random_picture(const Shape& shape, unsigned seed) {
  HostArray picture(shape);
  std::mt19937 random(seed);
  const std::size_t row = static_cast<std::size_t>(shape.width) * shape.pixel_bytes();
  for (std::int64_t y = 0; y < shape.height; ++y) {
    std::byte* bytes = picture.data() + picture.pitch() * static_cast<std::size_t>(y);
    if (shape.element == Element::f32) {
      auto* values = reinterpret_cast<float*>(bytes);
      for (std::size_t i = 0; i < row / sizeof(float); ++i)
        values[i] = static_cast<float>(random()) * 0x1p-32f * 4.0f - 2.0f;
    } else {
      for (std::size_t i = 0; i < row; ++i)
        bytes[i] = static_cast<std::byte>(random());
    }
  }
  return picture;
}

HostArray random_picture(gl::Format format, int width, int height, unsigned seed) {
  const auto& info = gl::info_of(format);
  return random_picture(Shape::image(info.element, info.channels, width, height), seed);
}

gl::Texture texture_of(HostIn pixels) {
  gl::Texture texture(pixels.shape);
  texture.write(pixels);
  return texture;
}

}  // namespace threadscape::testing

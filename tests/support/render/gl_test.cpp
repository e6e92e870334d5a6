#include "tests/support/render/gl_test.h"

#include <cstring>
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

::testing::AssertionResult same_pixels(HostIn a, HostIn b) {
  if (!(a.shape == b.shape))
    return ::testing::AssertionFailure() << to_string(a.shape) << " and " << to_string(b.shape);
  const std::size_t pixel = a.shape.pixel_bytes();
  for (std::int64_t y = 0; y < a.shape.height * a.shape.depth; ++y)
    for (std::int64_t x = 0; x < a.shape.width; ++x) {
      const std::byte* in_a = a.data + a.pitch * static_cast<std::size_t>(y) + pixel * static_cast<std::size_t>(x);
      const std::byte* in_b = b.data + b.pitch * static_cast<std::size_t>(y) + pixel * static_cast<std::size_t>(x);
      if (std::memcmp(in_a, in_b, pixel) == 0) continue;
      auto failure = ::testing::AssertionFailure() << "pixel " << x << "," << y << " differs:";
      for (std::size_t i = 0; i < pixel; ++i)
        failure << " " << int(in_a[i]) << "/" << int(in_b[i]);
      return failure;
    }
  return ::testing::AssertionSuccess();
}

gl::Texture texture_of(HostIn pixels) {
  gl::Texture texture(pixels.shape);
  texture.write(pixels);
  return texture;
}

}  // namespace threadscape::testing

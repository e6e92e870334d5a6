#include "app/shell/thumbnail.h"

#include <algorithm>
#include <cstdint>

namespace threadscape::app {

namespace {

Rgba8 as_rgba(std::uint8_t grey) {
  return {grey, grey, grey, 255};
}
Rgba8 as_rgba(Rgba8 pixel) {
  return pixel;
}

template <class Pixel>
HostArray shrink_pixels(ImageView<const Pixel> picture, glm::ivec2 corner, glm::ivec2 extent, glm::ivec2 size) {
  HostArray small(Shape::image(Element::u8, 4, size.x, size.y));
  const ImageView<Rgba8> out = small.image<Rgba8>();
  const auto edge = [](int i, int from, int to) { return static_cast<int>(static_cast<std::int64_t>(i) * from / to); };
  const auto end = [&](int i, int from, int to) { return std::max(edge(i + 1, from, to), edge(i, from, to) + 1); };
  for (int y = 0; y < size.y; ++y)
    for (int x = 0; x < size.x; ++x) {
      std::uint64_t r = 0, g = 0, b = 0, count = 0;
      for (int v = edge(y, extent.y, size.y); v < end(y, extent.y, size.y); ++v)
        for (int u = edge(x, extent.x, size.x); u < end(x, extent.x, size.x); ++u, ++count) {
          const Rgba8 pixel = as_rgba(picture(corner.x + u, corner.y + v));
          r += pixel.r;
          g += pixel.g;
          b += pixel.b;
        }
      const auto mean = [count](std::uint64_t sum) { return static_cast<std::uint8_t>((sum + count / 2) / count); };
      out(x, y) = {mean(r), mean(g), mean(b), 255};
    }
  return small;
}

}  // namespace

HostArray shrink(HostIn picture, glm::ivec2 corner, glm::ivec2 extent, glm::ivec2 size) {
  return picture.shape.channels == 1 ? shrink_pixels(picture.image<std::uint8_t>(), corner, extent, size)
                                     : shrink_pixels(picture.image<Rgba8>(), corner, extent, size);
}

}  // namespace threadscape::app

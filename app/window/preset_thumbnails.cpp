#include "app/window/preset_thumbnails.h"

#include <algorithm>
#include <exception>

#include "compute/io/image_file.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// Files of thumbnails are smaller. A larger file is something else, whose reading could take long.
constexpr std::uintmax_t max_file_bytes = std::uintmax_t{256} << 10;

Rgba8 as_rgba(std::uint8_t grey) {
  return {grey, grey, grey, 255};
}
Rgba8 as_rgba(Rgba8 pixel) {
  return pixel;
}

template <class Pixel>
HostArray shrink(ImageView<const Pixel> picture, int width, int height) {
  HostArray small(Shape::image(Element::u8, 4, width, height));
  const ImageView<Rgba8> out = small.image<Rgba8>();
  const auto edge = [](int i, int from, int to) { return static_cast<int>(static_cast<std::int64_t>(i) * from / to); };
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; ++x) {
      std::uint64_t r = 0, g = 0, b = 0, count = 0;
      for (int v = edge(y, picture.height, height); v < edge(y + 1, picture.height, height); ++v)
        for (int u = edge(x, picture.width, width); u < edge(x + 1, picture.width, width); ++u, ++count) {
          const Rgba8 pixel = as_rgba(picture(u, v));
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

fs::path thumbnail_path(const fs::path& preset) {
  return preset.parent_path() / (preset.stem().string() + ".thumbnail.png");
}

HostArray make_thumbnail(HostIn picture) {
  const Shape& shape = picture.shape;
  const double scale = std::min({1.0, static_cast<double>(thumbnail_width) / static_cast<double>(shape.width),
                                 static_cast<double>(thumbnail_height) / static_cast<double>(shape.height)});
  const auto scaled = [scale](auto length) {
    return std::max(1, static_cast<int>(static_cast<double>(length) * scale));
  };
  const int width = scaled(shape.width), height = scaled(shape.height);
  return shape.channels == 1 ? shrink(picture.image<std::uint8_t>(), width, height)
                             : shrink(picture.image<Rgba8>(), width, height);
}

const gl::Texture* PresetThumbnails::of(const fs::path& preset) {
  const fs::path path = thumbnail_path(preset);
  std::error_code missing;
  const fs::file_time_type written = fs::last_write_time(path, missing);
  if (missing) return nullptr;
  const auto found = kept_.find(path);
  if (found != kept_.end() && found->second.written == written)
    return found->second.texture.empty() ? nullptr : &found->second.texture;
  if (kept_.size() >= max_kept) kept_.clear();
  Kept& kept = kept_[path];
  kept = {.written = written, .texture = {}};
  try {
    if (fs::file_size(path, missing) > max_file_bytes || missing) return nullptr;
    const io::Picture picture = io::load_picture(path);
    const Shape& shape = picture.pixels.shape();
    if (shape.element != Element::u8 || shape.width > thumbnail_width || shape.height > thumbnail_height)
      return nullptr;
    const HostArray small = make_thumbnail(picture.pixels.view());
    kept.texture = gl::Texture(small.shape());
    kept.texture.write(small.view());
    kept.texture.set_filter(gl::Filter::linear);
  } catch (const std::exception&) {  // A damaged picture is no reason not to list the preset.
    return nullptr;
  }
  return &kept.texture;
}

}  // namespace threadscape::app

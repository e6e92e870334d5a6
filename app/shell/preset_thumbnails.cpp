#include "app/shell/preset_thumbnails.h"

#include <algorithm>
#include <exception>

#include "app/shell/thumbnail.h"
#include "compute/io/pictures/image_file.h"

namespace threadscape::app {

namespace fs = std::filesystem;

namespace {

/// Files of thumbnails are smaller. A larger file is something else, whose reading could take long.
constexpr std::uintmax_t max_file_bytes = std::uintmax_t{256} << 10;

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
  return shrink(picture, {0, 0}, {static_cast<int>(shape.width), static_cast<int>(shape.height)},
                {scaled(shape.width), scaled(shape.height)});
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
    const io::Loaded picture = io::load_picture(path);
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

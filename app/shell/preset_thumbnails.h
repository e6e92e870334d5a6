#pragma once

#include <cstdint>
#include <filesystem>
#include <map>

#include "compute/core/data.h"
#include "render/gl/texture.h"

namespace threadscape::app {

/// The largest size of the thumbnail of a preset in pixels.
inline constexpr int thumbnail_width = 160, thumbnail_height = 120;

/// The picture that is stored beside a preset: NAME.thumbnail.png for NAME.json.
[[nodiscard]] std::filesystem::path thumbnail_path(const std::filesystem::path& preset);

/// A picture of 8-bit numbers, scaled down so that it is at most thumbnail_width x thumbnail_height pixels large. Its
/// pixels are averages of those that they cover; smaller pictures keep their size. Returns RGBA.
[[nodiscard]] HostArray make_thumbnail(HostIn picture);

/// The thumbnails of presets that were shown, as textures.
class PresetThumbnails {
 public:
  /// The texture with the thumbnail of this preset; null if it has none. It is read in the first call and when the file
  /// has changed. A picture that is larger than a thumbnail is ignored.
  [[nodiscard]] const gl::Texture* of(const std::filesystem::path& preset);

 private:
  struct Kept {
    std::filesystem::file_time_type written;
    gl::Texture texture;  ///< Empty if the picture cannot be shown.
  };
  static constexpr std::size_t max_kept = 200;
  std::map<std::filesystem::path, Kept> kept_;
};

}  // namespace threadscape::app

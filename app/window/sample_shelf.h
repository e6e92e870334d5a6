#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <vector>

#include "render/gl/texture.h"

namespace threadscape::app {

/// Thumbnails of the sample photos. One is loaded per frame, so that the window opens at once.
class SampleShelf {
 public:
  SampleShelf();

  /// Loads one more; returns false when there is nothing left to load.
  bool load_next();
  /// Draws them in rows over the available width; returns the one that was clicked.
  [[nodiscard]] std::optional<std::filesystem::path> draw(const std::filesystem::path& current) const;
  [[nodiscard]] bool empty() const { return samples_.empty(); }

 private:
  struct Sample {
    std::filesystem::path path;
    std::string name;
    gl::Texture thumbnail;
    bool tried = false;
  };
  std::vector<Sample> samples_;
};

}  // namespace threadscape::app

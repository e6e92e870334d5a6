#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/data.h"
#include "render/gl/texture.h"

namespace threadscape::app {

/// Thumbnails of the sample photos. They are loaded one after another on a thread of their own, so that the window
/// opens at once.
class SampleShelf {
 public:
  SampleShelf();

  /// Takes the thumbnail that was loaded, if any, and starts to load the next. Never waits. Returns false when all are
  /// loaded.
  bool load_next();
  /// Waits until all are loaded.
  void load_all();
  /// Draws the thumbnails in rows over the available width, `current` framed. Returns the one that was clicked.
  [[nodiscard]] std::optional<std::filesystem::path> draw(const std::filesystem::path& current) const;
  [[nodiscard]] bool empty() const { return samples_.empty(); }

 private:
  struct Sample {
    std::filesystem::path path;
    std::string name;
    gl::Texture thumbnail;
    bool tried = false;  ///< Whether loading was started.
  };
  std::vector<Sample> samples_;
  Sample* loading_ = nullptr;  ///< The one that loaded_ is about.
  /// Valid while one is being loaded. Empty when the photo cannot be read.
  std::future<std::optional<HostArray>> loaded_;
};

}  // namespace threadscape::app

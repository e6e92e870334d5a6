#pragma once

#include <filesystem>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "compute/core/data.h"
#include "render/gl/texture.h"

namespace threadscape::app {

/// Thumbnails of the sample photos. They are loaded one after another on a separate thread, so that the window opens
/// without delay.
class SampleShelf {
 public:
  SampleShelf();

  /// Takes the thumbnail that was loaded, if any, and starts to load the next one. Never waits. Returns false if all
  /// are loaded.
  bool load_next();
  /// Waits until all are loaded.
  void load_all();
  /// Draws the thumbnails in rows over the available width, and frames `current`. Returns the one that was clicked.
  [[nodiscard]] std::optional<std::filesystem::path> draw(const std::filesystem::path& current) const;
  [[nodiscard]] bool empty() const { return samples_.empty(); }

 private:
  struct Sample {
    std::filesystem::path path;
    std::string name;
    gl::Texture thumbnail;
    bool tried = false;  ///< If true, loading was started.
  };
  std::vector<Sample> samples_;
  Sample* loading_ = nullptr;  ///< The sample that loaded_ belongs to.
  /// The thumbnail that is being loaded; invalid if there is none. The result is empty if the photo cannot be read.
  std::future<std::optional<HostArray>> loaded_;
};

}  // namespace threadscape::app

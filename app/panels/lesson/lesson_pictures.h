#pragma once
// The pictures of a lesson, which are read on another thread when they are seen first.

#include <filesystem>
#include <future>
#include <map>
#include <optional>

#include "compute/core/data.h"
#include "render/gl/texture.h"

namespace threadscape::app {

class LessonPictures {
 public:
  /// Draws a picture as an item that is at most so wide, and keeps its proportions. Returns false while it is not
  /// there, and if it cannot be read.
  bool draw(const std::filesystem::path& file, float width);
  /// Returns whether a picture is being read.
  [[nodiscard]] bool loading() const { return loading_.valid(); }
  void clear() { shown_.clear(); }

 private:
  std::map<std::filesystem::path, gl::Texture> shown_;  ///< Empty for what is being read, or cannot be read.
  std::filesystem::path next_;                          ///< The picture that is being read.
  std::future<std::optional<HostArray>> loading_;
};

}  // namespace threadscape::app

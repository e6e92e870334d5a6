#pragma once

#include <filesystem>
#include <future>
#include <map>
#include <optional>

#include "compute/core/data.h"
#include "render/gl/texture.h"

namespace threadscape::app {

/// Small pictures of the picture files in a list, which another thread reads one after another.
class FilePictures {
 public:
  /// The small picture of a file; null until it has been read, and for what is no picture or larger than 8 MiB. The
  /// file is read again when it has changed.
  [[nodiscard]] const gl::Texture* of(const std::filesystem::path& path);
  /// Takes what has been read. Called once a frame. Returns whether something is being read.
  bool update();

 private:
  struct Kept {
    std::filesystem::file_time_type written;
    bool asked = false;   ///< It has been read, or is being read.
    gl::Texture picture;  ///< Empty if there is none.
  };
  static constexpr std::size_t max_kept = 300;
  std::map<std::filesystem::path, Kept> kept_;
  std::filesystem::path reading_;  ///< "" if nothing is read.
  std::future<std::optional<HostArray>> read_;
};

}  // namespace threadscape::app

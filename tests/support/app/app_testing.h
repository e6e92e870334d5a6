#pragma once
// What the tests of the program share: a display for windows, folders that vanish, a photo that is the same everywhere.

#include <filesystem>
#include <string>

#include "compute/io/image_file.h"

namespace threadscape::testing {

/// A display for a window: the one that DISPLAY names, else an Xvfb of our own, started once and ended with the
/// process.
/// "" when there is one, otherwise why not.
[[nodiscard]] std::string require_display();

/// An empty folder, removed with all it holds.
class TemporaryFolder {
 public:
  TemporaryFolder();
  ~TemporaryFolder();
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  [[nodiscard]] const std::filesystem::path& path() const { return path_; }

 private:
  std::filesystem::path path_;
};

/// 96 x 64 RGBA with smooth shades, edges and one bright spot; needs no sample photos.
[[nodiscard]] io::Picture test_photo();

}  // namespace threadscape::testing

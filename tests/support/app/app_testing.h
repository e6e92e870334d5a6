#pragma once
// Shared by the tests of app/: a display for windows, temporary folders, and a photo that does not depend on files.

#include <filesystem>
#include <string>

#include "compute/io/image_file.h"

namespace threadscape::testing {

/// Makes sure that there is a display for a window: the one that DISPLAY names, else an Xvfb that is started once and
/// ends with the process. Returns "" on success, otherwise the reason why there is none.
[[nodiscard]] std::string require_display();

/// A new, empty folder that the destructor removes with all its contents.
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

/// A picture of 96 x 64 RGBA pixels with smooth shades, edges and one bright spot. It is computed, so no sample photos
/// are needed.
[[nodiscard]] io::Picture test_photo();

}  // namespace threadscape::testing

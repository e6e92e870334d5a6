#pragma once
// Shared by the tests of app/: platforms for windows and without one, temporary folders, and a photo that does not
// depend on files.

#include <filesystem>
#include <memory>
#include <string>

#include "app/platform/platform.h"
#include "compute/io/pictures/image_file.h"

namespace threadscape::testing {

/// Makes sure that there is a display for a window: the one that DISPLAY names, else an Xvfb that is started once and
/// ends with the process. Returns "" on success, otherwise the reason why there is none.
[[nodiscard]] std::string require_display();

/// Makes a platform without a window, on the GPU of this CUDA device or, if it is -1, on the default one. If there is
/// no OpenGL, marks the running test as skipped with the reason and returns null; the caller returns then.
[[nodiscard]] std::unique_ptr<app::Platform> headless_or_skip(int width, int height, int cuda_device = -1);

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
[[nodiscard]] io::Loaded test_photo();

}  // namespace threadscape::testing

#include "compute/io/frame_source.h"

#include <chrono>
#include <system_error>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/camera.h"
#include "compute/io/numbered_pictures.h"
#include "compute/io/test_scene.h"

namespace threadscape::io {

namespace fs = std::filesystem;

bool FrameSource::next(Frame& frame) {
  const auto start = std::chrono::steady_clock::now();
  if (!advance()) return false;
  picture(frame);
  frame.decode_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return true;
}

bool is_moving(const fs::path& name) {
  const std::string text = name.string();
  return is_test_scene(text) || is_camera(text) || is_number_pattern(text);
}

std::unique_ptr<FrameSource> open_frames(const fs::path& name, const FrameOptions& options) {
  const std::string text = name.string();
  std::error_code ignored;
  if (is_test_scene(text)) return open_test_scene(text);
  if (is_camera(text)) return open_camera(text, options);
  if (fs::is_directory(name, ignored)) return open_picture_folder(name, options);
  if (is_number_pattern(text)) return open_numbered_pictures(text, options);
  throw UsageError("'" + text +
                   "' does not move: test:, numbered pictures (frame_%04d.png), a folder or /dev/video0 do");
}

std::vector<FrameSourceKind> frame_source_kinds() {
  std::vector<FrameSourceKind> kinds{{"test scene", "test:", ""}, {"numbered pictures", "", ""}};
  for (FrameSourceKind& camera : camera_kinds())
    kinds.push_back(std::move(camera));
  return kinds;
}

}  // namespace threadscape::io

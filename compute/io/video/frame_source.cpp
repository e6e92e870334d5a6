#include "compute/io/video/frame_source.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <system_error>

#include "compute/core/errors.h"
#include "compute/io/file_extension.h"
#include "compute/io/video/camera.h"
#include "compute/io/video/numbered_pictures.h"
#include "compute/io/video/test_scene.h"
#include "compute/io/video/video_reader.h"
#include "compute/io/video/webp_frames.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view webp_extension = ".webp";
constexpr std::array<std::string_view, 17> extensions{".mp4", ".mkv",  ".webm", ".mov",  ".avi", ".m4v",
                                                      ".mpg", ".mpeg", ".mjpg", ".ts",   ".ogv", ".gif",
                                                      ".ivf", ".y4m",  ".flv",  ".h264", ".apng"};

}  // namespace

bool FrameSource::next(Frame& frame) {
  const auto start = std::chrono::steady_clock::now();
  if (!advance()) return false;
  picture(frame);
  frame.decode_ms = std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - start).count();
  return true;
}

std::vector<std::string_view> video_extensions() {
  return {extensions.begin(), extensions.end()};
}

bool is_moving(const fs::path& name) {
  const std::string text = name.string();
  return is_test_scene(text) || is_camera(text) || reads_numbered_files(name) ||
         std::ranges::count(extensions, extension_of(name)) > 0;
}

bool may_move(const fs::path& name) {
  return is_moving(name) || extension_of(name) == webp_extension;
}

std::unique_ptr<FrameSource> open_frames(const fs::path& name, const FrameOptions& options) {
  const std::string text = name.string();
  std::error_code ignored;
  if (is_test_scene(text)) return open_test_scene(text);
  if (is_camera(text)) return open_camera(text, options);
  if (fs::is_directory(name, ignored)) return open_picture_folder(name, options);
  // A file whose name only looks like a pattern is a file.
  if (reads_numbered_files(name)) return open_numbered_pictures(text, options);
  if (extension_of(name) == webp_extension) return open_animated_webp(name, options);
  return open_video(name, options);
}

bool has_several_frames(const fs::path& name) {
  try {
    return open_frames(name)->count() > 1;
  } catch (const Error&) {
    return false;
  }
}

std::vector<FrameSourceKind> frame_source_kinds() {
  std::vector<FrameSourceKind> kinds{
      {"test scene", "test:", ""}, {"numbered pictures", "", ""}, {"video files", "", video_reader_absent()}};
  for (FrameSourceKind& camera : camera_kinds())
    kinds.push_back(std::move(camera));
  return kinds;
}

}  // namespace threadscape::io

#include <algorithm>
#include <array>

#include "compute/core/errors.h"
#include "compute/io/file_extension.h"
#include "compute/io/video/video_writer.h"

namespace threadscape::io {

bool is_video(const std::filesystem::path& path) {
  constexpr std::array<std::string_view, 5> extensions{".mp4", ".m4v", ".mov", ".webm", ".mkv"};
  return std::ranges::count(extensions, extension_of(path)) > 0;
}

std::vector<std::string_view> written_video_extensions() {
  return {};
}

std::string video_writer_absent(const std::filesystem::path&) {
  return "needs a build with FFmpeg's libraries (packages libavformat-dev, libavcodec-dev, libavutil-dev and "
         "libswscale-dev)";
}

std::unique_ptr<FrameWriter> make_video_writer(const std::filesystem::path& path, const FrameWriterOptions&) {
  throw UsageError("cannot write '" + path.string() + "': a video " + video_writer_absent(path));
}

}  // namespace threadscape::io

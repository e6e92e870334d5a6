#include "compute/io/video/frame_source.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <fstream>
#include <system_error>

#include "compute/core/errors.h"
#include "compute/io/data_file.h"
#include "compute/io/file_extension.h"
#include "compute/io/video/camera.h"
#include "compute/io/video/numbered_pictures.h"
#include "compute/io/video/test_scene.h"
#include "compute/io/video/tiff_frames.h"
#include "compute/io/video/video_reader.h"
#include "compute/io/video/webp_frames.h"
#include "generated/file_libraries.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view webp_extension = ".webp";
constexpr std::array<std::string_view, 24> extensions{
    ".mp4", ".mkv", ".webm", ".mov",  ".avi",  ".m4v", ".mpg", ".mpeg", ".mjpg", ".ts",  ".ogv", ".gif",
    ".ivf", ".y4m", ".flv",  ".h264", ".apng", ".3gp", ".3g2", ".mts",  ".m2ts", ".mxf", ".wmv", ".asf"};

/// Returns true if a file begins as a video does. Formats without a signature are left out.
bool begins_as_video(const fs::path& name) {
  constexpr std::size_t packet = 188, timed_packet = 192;  // Bytes of a transport packet, without and with a time.
  std::array<char, 2 * timed_packet> bytes{};
  std::ifstream(name, std::ios::binary).read(bytes.data(), bytes.size());
  const auto has = [&](std::size_t at, std::string_view text) {
    return std::string_view(bytes.data() + at, text.size()) == text;
  };
  using namespace std::string_view_literals;
  const bool iso = has(4, "ftyp") && !has(8, "avif") && !has(8, "heic") && !has(8, "mif1");
  const bool transport = (has(0, "G") && has(packet, "G")) || (has(4, "G") && has(4 + timed_packet, "G"));
  const bool riff = has(0, "RIFF") && has(8, "AVI ");
  constexpr std::array starts{"\x1a\x45\xdf\xa3"sv,
                              "\0\0\1\xba"sv,
                              "\0\0\1\xb3"sv,
                              "OggS"sv,
                              "GIF8"sv,
                              "FLV\1"sv,
                              "\x30\x26\xb2\x75\x8e\x66\xcf\x11"sv,
                              "\x06\x0e\x2b\x34\x02\x05\x01\x01"sv,
                              "DKIF"sv,
                              "YUV4MPEG2"sv};
  return iso || transport || riff || std::ranges::any_of(starts, [&](std::string_view start) { return has(0, start); });
}

/// Returns true if the name does not say what the file is, and its content is a video.
bool is_unnamed_video(const fs::path& name) {
  std::error_code error;
  if (!fs::is_regular_file(name, error)) return false;
  const std::vector<std::string_view> known = data_extensions(FormatUse::read);
  return std::ranges::count(known, extension_of(name)) == 0 && begins_as_video(name);
}

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
         std::ranges::count(extensions, extension_of(name)) > 0 || is_unnamed_video(name);
}

bool may_move(const fs::path& name) {
  return is_moving(name) || extension_of(name) == webp_extension;
}

bool has_page_extension(const fs::path& name) {
  return TS_HAS_TIFF && (extension_of(name) == ".tif" || extension_of(name) == ".tiff");
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
#if TS_HAS_TIFF
  if (has_page_extension(name)) return open_tiff_frames(name, options);
#endif
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

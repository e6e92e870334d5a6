#include "compute/io/video/animation.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <string_view>
#include <vector>

#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/video/video_writer.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

using Make = std::unique_ptr<AnimationWriter> (*)(const fs::path& path, const AnimationOptions& options);

/// What writes a format: a library for it, FFmpeg's libraries, or where they cannot, the program ffmpeg.
enum class By : std::uint8_t { own_library, ffmpeg_libraries, ffmpeg };

struct AnimationFormat {
  std::string_view extension;
  Make make;              ///< Null if this build was made without the library.
  std::string_view need;  ///< What the format needs, with the way to get it.
  By by = By::own_library;
};

/// A video that FFmpeg's libraries write.
class LibraryVideo final : public AnimationWriter {
 public:
  LibraryVideo(const fs::path& path, const AnimationOptions& options)
      : writer_(make_video_writer(
            path, {.frames_per_second = options.frames_per_second, .sound_from = options.sound_from})) {}
  void add(HostIn picture) override {
    // The alpha of an animation is ignored, and FFV1 would keep it.
    if (opaque_.shape() != picture.shape) opaque_ = HostArray(picture.shape);
    const auto from = picture.image<Rgba8>();
    const auto to = opaque_.image<Rgba8>();
    for (int y = 0; y < from.height; ++y)
      for (int x = 0; x < from.width; ++x)
        to(x, y) = {from(x, y).r, from(x, y).g, from(x, y).b, 255};
    writer_->add(opaque_.view());
  }
  void finish() override { writer_->finish(); }
  [[nodiscard]] std::string note() const override { return writer_->note(); }

 private:
  std::unique_ptr<FrameWriter> writer_;
  HostArray opaque_;
};

bool libraries_write(std::string_view extension) {
  return video_writer_absent("video" + std::string(extension)).empty();
}

/// The program ffmpeg writes what the libraries lack an encoder for.
std::unique_ptr<AnimationWriter> make_any_video(const fs::path& path, const AnimationOptions& options) {
  if (libraries_write(extension_of(path))) return std::make_unique<LibraryVideo>(path, options);
  return make_video(path, options);
}

#if TS_HAS_GIF
constexpr Make gif_maker = make_gif;
#else
constexpr Make gif_maker = nullptr;
#endif
#if TS_HAS_WEBPMUX
constexpr Make webp_maker = make_webp_animation;
#else
constexpr Make webp_maker = nullptr;
#endif

constexpr std::string_view video_need = "needs the program ffmpeg in PATH (package ffmpeg)";
constexpr std::array animation_formats{
    AnimationFormat{".gif", gif_maker, "needs a build with giflib (package libgif-dev)"},
    AnimationFormat{".apng", make_apng, ""},
    AnimationFormat{".webp", webp_maker, "needs a build with libwebpmux (package libwebp-dev)"},
    AnimationFormat{".mp4", make_any_video, video_need, By::ffmpeg},
    AnimationFormat{".webm", make_any_video, video_need, By::ffmpeg},
    AnimationFormat{".mkv", make_any_video, "needs a build with FFmpeg's libraries (package libavformat-dev)",
                    By::ffmpeg_libraries},
};

bool usable(const AnimationFormat& format) {
  if (format.by == By::own_library) return format.make != nullptr;
  return libraries_write(format.extension) || (format.by == By::ffmpeg && has_ffmpeg());
}

const AnimationFormat* animation_format_of(const fs::path& path) {
  const auto* const found = std::ranges::find(animation_formats, extension_of(path), &AnimationFormat::extension);
  return found == animation_formats.end() ? nullptr : found;
}

const AnimationFormat& usable_format(const fs::path& path) {
  const AnimationFormat* format = animation_format_of(path);
  if (format == nullptr)
    throw UsageError("cannot write '" + path.string() + "': animations are written as " + animation_names());
  if (!usable(*format))
    throw UsageError("cannot write '" + path.string() + "': " + std::string(format->extension) + " " +
                     std::string(format->need) + "; animations are written as " + animation_names());
  return *format;
}

const std::byte* pixel_row(HostIn picture, std::int64_t y) {
  return picture.data + static_cast<std::size_t>(y) * picture.pitch;
}

}  // namespace

bool is_animation(const fs::path& path) {
  return animation_format_of(path) != nullptr;
}

std::string animation_names() {
  std::vector<std::string_view> names;
  for (const AnimationFormat& format : animation_formats)
    if (usable(format)) names.push_back(format.extension);
  return enumerated(names);
}

void require_animation_path(const fs::path& path) {
  (void)usable_format(path);
  require_writable(path);
}

std::string why_no_sound(const fs::path& path) {
  if (!is_video(path)) return extension_of(path) + " holds no sound";
  if (!libraries_write(extension_of(path)))
    return "a build with FFmpeg's libraries is needed (packages libavformat-dev and libavcodec-dev)";
  return {};
}

std::unique_ptr<AnimationWriter> make_animation(const fs::path& path, const AnimationOptions& options) {
  return usable_format(path).make(path, options);
}

FrameBox changed_box(const std::optional<HostArray>& before, HostIn picture) {
  const auto width = static_cast<int>(picture.shape.width), height = static_cast<int>(picture.shape.height);
  if (!before) return {0, 0, width, height};
  const std::size_t bytes = picture.shape.pixel_bytes();
  const auto differs = [&](int x, int y) {
    const std::size_t at = static_cast<std::size_t>(x) * bytes;
    return std::memcmp(pixel_row(before->view(), y) + at, pixel_row(picture, y) + at, bytes) != 0;
  };
  int left = width, right = -1, top = height, bottom = -1;
  for (int y = 0; y < height; ++y) {
    if (std::memcmp(pixel_row(before->view(), y), pixel_row(picture, y), static_cast<std::size_t>(width) * bytes) == 0)
      continue;
    top = std::min(top, y);
    bottom = y;
    int x = 0;
    while (x < left && !differs(x, y))
      ++x;
    left = std::min(left, x);
    x = width - 1;
    while (x > right && !differs(x, y))
      --x;
    right = std::max(right, x);
  }
  if (bottom < 0) return {};
  return {left, top, right - left + 1, bottom - top + 1};
}

}  // namespace threadscape::io

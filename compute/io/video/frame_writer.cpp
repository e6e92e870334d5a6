#include "compute/io/video/frame_writer.h"

#include <algorithm>
#include <array>
#include <utility>

#include "compute/core/errors.h"
#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/numbered_files.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/video/animation.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/video/tiff_frames.h"
#include "compute/io/video/video_writer.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

using MakeWriter = std::unique_ptr<FrameWriter> (*)(const fs::path& path, const FrameWriterOptions& options);

/// A format that a library of its own writes.
struct AnimationFormat {
  std::string_view extension;
  MakeWriter make;        ///< Null if this build was made without the library.
  std::string_view need;  ///< What is missing then.
};
#if TS_HAS_GIF
constexpr MakeWriter gif_maker = make_gif;
#else
constexpr MakeWriter gif_maker = nullptr;
#endif
#if TS_HAS_WEBPMUX
constexpr MakeWriter webp_maker = make_webp_animation;
#else
constexpr MakeWriter webp_maker = nullptr;
#endif
constexpr std::array animation_formats{
    AnimationFormat{".gif", gif_maker, "needs a build with giflib (package libgif-dev)"},
    AnimationFormat{".apng", make_apng, ""},
    AnimationFormat{".webp", webp_maker, "needs a build with libwebpmux (package libwebp-dev)"},
};

const AnimationFormat* animation_format_of(const fs::path& path) {
  const auto* const found = std::ranges::find(animation_formats, extension_of(path), &AnimationFormat::extension);
  return found == animation_formats.end() ? nullptr : found;
}

/// The videos that the program ffmpeg writes where FFmpeg's libraries lack an encoder.
constexpr std::array<std::string_view, 2> program_extensions{".mp4", ".webm"};

bool is_for_program(const fs::path& path) {
  return std::ranges::count(program_extensions, extension_of(path)) > 0;
}

/// Why no frames are written to a file of this extension here, with the cure; "" if they are.
std::string why_not_written(const fs::path& path) {
  if (const AnimationFormat* const format = animation_format_of(path))
    return format->make != nullptr ? "" : extension_of(path) + " " + std::string(format->need);
  if (!is_video(path)) return "it is no animation";
  std::string why = video_writer_absent(path);
  if (why.empty() || !is_for_program(path)) return why.empty() ? "" : extension_of(path) + " " + why;
  return has_ffmpeg() ? "" : extension_of(path) + " needs the program ffmpeg in PATH (package ffmpeg), or " + why;
}

class PictureWriter final : public FrameWriter {
 public:
  PictureWriter(std::function<fs::path(std::int64_t)> name, const FrameWriterOptions& options)
      : name_(std::move(name)), options_(options) {}
  void add(HostIn picture) override {
    const bool grey = picture.shape.channels == 1;
    save_picture(name_(next_), picture, grey ? FileColour::grey : options_.colour, options_.quality);
    ++next_;
  }
  void finish() override {}

 private:
  std::function<fs::path(std::int64_t)> name_;
  FrameWriterOptions options_;
  std::int64_t next_ = 0;
};

}  // namespace

void refuse_size(const fs::path& path, const FrameWriterOptions& options, std::int64_t frames, const Shape& shape,
                 const Shape& first) {
  const bool stays = options.only_whole;
  throw UsageError("'" + path.string() + (stays ? "' stays as it was: after " : "' ends after ") +
                   std::to_string(frames) + (stays ? " frames comes one" : " frames, at one") + " that is a " +
                   to_string(shape) + " and not a " + to_string(first) + "; frame_%04d.png takes frames of any size");
}

bool is_animation(const fs::path& path) {
  return animation_format_of(path) != nullptr || is_video(path);
}

bool writes_frames(const fs::path& path) {
  return is_number_pattern(path) || is_animation(path) || has_page_extension(path);
}

bool may_be_still(const fs::path& path) {
  return !is_number_pattern(path) && writes_frames(path) &&
         std::ranges::count(format_extensions(FormatUse::written), extension_of(path)) > 0;
}

std::vector<std::string_view> frame_extensions() {
  std::vector<std::string_view> all = written_video_extensions();
  for (const std::string_view extension : program_extensions)
    if (std::ranges::count(all, extension) == 0 && has_ffmpeg()) all.push_back(extension);
  for (const AnimationFormat& format : animation_formats)
    if (format.make != nullptr) all.push_back(format.extension);
  return all;
}

void require_frame_path(const fs::path& path) {
  if (is_number_pattern(path)) return require_picture_path(number_name(path, 0));
  if (has_page_extension(path)) return require_picture_path(path);
  if (const std::string why = why_not_written(path); !why.empty())
    throw UsageError("cannot write '" + path.string() + "': " + why + "; frames are written as " +
                     enumerated(frame_extensions()) + " and as numbered pictures (frame_%04d.png)");
  require_writable(path);
}

std::string why_no_sound(const fs::path& path) {
  if (!is_video(path)) return extension_of(path) + " holds no sound";
  if (!video_writer_absent(path).empty())
    return "a build with FFmpeg's libraries is needed (packages libavformat-dev and libavcodec-dev)";
  return {};
}

std::unique_ptr<FrameWriter> make_picture_writer(std::function<fs::path(std::int64_t)> name,
                                                 const FrameWriterOptions& options) {
  return std::make_unique<PictureWriter>(std::move(name), options);
}

std::unique_ptr<FrameWriter> make_frame_writer(const fs::path& path, const FrameWriterOptions& options) {
  require_frame_path(path);
  if (is_number_pattern(path))
    return make_picture_writer([path](std::int64_t number) { return fs::path(number_name(path, number)); }, options);
#if TS_HAS_TIFF
  if (has_page_extension(path)) return make_tiff_frames(path, options);
#endif
  if (const AnimationFormat* const format = animation_format_of(path)) return format->make(path, options);
  return video_writer_absent(path).empty() ? make_video_writer(path, options) : make_ffmpeg_video(path, options);
}

}  // namespace threadscape::io

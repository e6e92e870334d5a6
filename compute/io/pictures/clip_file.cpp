#include "compute/io/pictures/clip_file.h"

#include <algorithm>
#include <string>
#include <system_error>
#include <utility>

#include "compute/core/clip.h"
#include "compute/core/convert.h"
#include "compute/io/input_file.h"
#include "compute/io/numbered_files.h"
#include "compute/io/pictures/clip_codecs.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/standard_stream.h"
#include "compute/io/video/frame_writer.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

constexpr double frames_per_second = 25;

/// Converts the frames to another type of numbers.
Loaded with_element(Loaded clip, Element element) {
  const Shape& shape = clip.pixels.shape();
  if (shape.element == element) return clip;
  Shape frame = frame_shape(shape);
  frame.element = element;
  HostArray converted(clip_shape(frame, shape.depth));
  for (std::int64_t i = 0; i < shape.depth; ++i)
    copy(convert_picture(frame_of(std::as_const(clip.pixels).view(), i), element).view(),
         frame_of(converted.view(), i));
  clip.pixels = std::move(converted);
  return clip;
}

/// A picture as a clip of one frame.
Loaded one_frame(const Loaded& picture) {
  ClipBuilder clip(1);
  clip.add(picture, "");
  return clip.take();
}

/// The function that reads several frames from files with this extension; null for all others.
auto clip_decoder(const std::string& extension) -> Loaded (*)(Bytes) {
  if (extension == ".npy" || extension == ".npz") return decode_npy_clip;
#if TS_HAS_TIFF
  if (extension == ".tif" || extension == ".tiff") return decode_tiff_clip;
#endif
  return nullptr;
}

}  // namespace

void require_frame_count(std::int64_t frames) {
  if (frames < 1) throw DecodeFailure{"it has no frames"};
  if (frames > limit_of(Limit::frames))
    throw DecodeFailure{"it has " + std::to_string(frames) + " frames; " + limit_text(Limit::frames)};
}

void ClipBuilder::add(const Loaded& frame, const std::string& name) {
  const Shape& shape = frame.pixels.shape();
  if (added_ == 0) clip_ = {HostArray(clip_shape(shape, frames_)), frame.colour};
  if (const Shape first = frame_shape(clip_.pixels.shape()); shape != first)
    throw DecodeFailure{name + " is a " + to_string(shape) + ", the first frame a " + to_string(first) +
                        ": the frames of a clip have one size and format"};
  copy(frame.pixels.view(), frame_of(clip_.pixels.view(), added_++));
}

Loaded load_clip(const fs::path& path, const LoadOptions& options) {
  std::error_code error;
  const bool folder = fs::is_directory(path, error);
  try {
    if (folder || reads_numbered_files(path)) {
      const std::vector<fs::path> pictures = stack_of_pictures(path);
      if (pictures.empty()) throw DecodeFailure{folder ? "there are no pictures in it" : "there are no such pictures"};
      return load_clip(pictures, options);
    }
    const auto decode = clip_decoder(extension_of(path));
    if (decode == nullptr) return one_frame(load_picture(path, options));
    const std::vector<std::byte> file = load_bytes(path, Limit::file_bytes, options.stop);
    Loaded clip = decode(file);
    return options.element ? with_element(std::move(clip), *options.element) : std::move(clip);
  } catch (const DecodeFailure& failure) {
    cannot_read(path, failure.cause);
  }
}

Loaded load_clip(std::span<const fs::path> pictures, const LoadOptions& options) {
  fs::path path;
  try {
    ClipBuilder clip(static_cast<std::int64_t>(pictures.size()));
    for (const fs::path& picture : pictures) {
      if (options.stop.stop_requested()) throw Cancelled();
      path = picture;
      clip.add(load_picture(picture, options), "it");
    }
    return clip.take();
  } catch (const DecodeFailure& failure) {
    cannot_read(path, failure.cause);
  }
}

std::vector<std::string_view> clip_extensions(FormatUse use) {
  return format_extensions(use);
}

void require_clip_path(const fs::path& path) {
  if (is_animation(path)) return require_frame_path(path);
  if (is_standard_stream(path) && extension_of(path) != ".npy")
    throw UsageError("cannot write '" + path.string() + "': a clip takes several pictures; npy:- takes all frames");
  require_picture_path(path);
}

void save_clip(const fs::path& path, HostIn clip, FileColour colour, int quality) {
  if (clip.shape.kind != Kind::clip || clip.shape.items() == 0)
    throw UsageError("cannot write '" + path.string() + "': " + to_string(clip.shape) + " is no clip");
  require_clip_path(path);
  if (extension_of(path) != ".npy") {
    const bool animated = is_animation(path);
    const FrameWriterOptions options{
        .frames_per_second = frames_per_second, .colour = colour, .quality = quality, .frames = clip.shape.depth};
    const auto writer =
        animated ? make_frame_writer(path, options)
                 : make_picture_writer([&](std::int64_t number) { return numbered_path(path, number); }, options);
    for (std::int64_t i = 0; i < clip.shape.depth; ++i) {
      const HostIn frame = frame_of(clip, i);
      if (animated && frame.shape.element != Element::u8)
        writer->add(convert_picture(frame, Element::u8).view());
      else
        writer->add(frame);
    }
    return writer->finish();
  }
  const FileColour written = require_encodable(path, written_format(path), frame_of(clip, 0), colour);
  FileWriter writer(path);
  encode_npy_clip(writer, clip, written);
  writer.commit();
}

}  // namespace threadscape::io

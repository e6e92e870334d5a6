#include "compute/io/pictures/image_file.h"

#include <algorithm>
#include <string>
#include <utility>

#include "compute/core/convert.h"
#include "compute/core/parameter_file.h"
#include "compute/io/file_extension.h"
#include "compute/io/input_file.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/standard_stream.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

[[maybe_unused]] const bool pictures_provided =
    provide_parameter_files(ParameterFile::picture, [](const fs::path& path) { return load_picture(path).pixels; });

/// Returns true if a pixel of a picture of four channels is not opaque.
bool is_transparent(HostIn picture) {
  const auto any = [&]<class Value>(Value opaque) {
    const auto pixels = picture.image<RgbaOf<Value>>();
    for (int y = 0; y < pixels.height; ++y)
      for (int x = 0; x < pixels.width; ++x)
        if (pixels(x, y).a < opaque) return true;
    return false;
  };
  if (picture.shape.channels != 4) return false;
  if (picture.shape.element == Element::f32) return any(1.0f);
  return picture.shape.element == Element::u16 ? any(std::uint16_t{65535}) : any(std::uint8_t{255});
}

}  // namespace

bool has_picture_extension(const fs::path& path) {
  return std::ranges::count(format_extensions(FormatUse::read), extension_of(path)) > 0;
}

void state_alpha(Loaded& picture) {
  if (is_transparent(std::as_const(picture.pixels).view())) picture.settings.emplace_back("alpha", "weighted");
}

Loaded load_picture(const fs::path& path, const LoadOptions& options) {
  try {
    Loaded picture = decode_picture(read_picture_file(path, options), options.watch);
    if (!picture.note.empty()) picture.note = readable_name(path) + ": " + picture.note;
    state_alpha(picture);
    if (options.element && *options.element != picture.pixels.shape().element)
      picture.pixels = convert_picture(picture.pixels.view(), *options.element);
    return picture;
  } catch (const DecodeFailure& failure) {
    cannot_read(path, failure.cause);
  }
}

void require_picture_path(const fs::path& path) {
  (void)written_format(path);
  require_writable(path);
}

void save_picture(const fs::path& path, HostIn pixels, FileColour colour, int quality, const PictureFacts& facts) {
  const ImageFormat& format = written_format(path);
  const Shape& shape = pixels.shape;
  if (shape.kind != Kind::image || shape.items() == 0 ||
      (shape.element != Element::u8 && shape.element != Element::u16 && shape.element != Element::f32) ||
      (shape.channels != 1 && shape.channels != 4))
    throw UsageError("cannot write '" + path.string() + "': " + to_string(shape) + " is no picture");
  const FileColour written = require_encodable(path, format, pixels, colour);
  FileWriter writer(path);
  format.encode(writer, pixels,
                {.colour = written, .quality = quality, .facts = written_facts(format, facts, shape, written)});
  writer.commit();
}

std::string facts_left_out(const fs::path& path, HostIn pixels, FileColour colour, const PictureFacts& facts) {
  const ImageFormat& format = written_format(path);
  std::string note;
  (void)written_facts(format, facts, pixels.shape, require_encodable(path, format, pixels, colour), &note);
  return note.empty() ? note : readable_name(path) + ": " + note;
}

}  // namespace threadscape::io

#include "compute/io/pictures/image_file.h"

#include <algorithm>
#include <string>

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

}  // namespace

bool has_picture_extension(const fs::path& path) {
  return std::ranges::count(format_extensions(FormatUse::read), extension_of(path)) > 0;
}

Loaded load_picture(const fs::path& path, const LoadOptions& options) {
  try {
    Loaded picture = decode_picture(read_picture_file(path, options));
    if (!picture.note.empty()) picture.note = readable_name(path) + ": " + picture.note;
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

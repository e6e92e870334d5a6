#include "compute/io/image_file.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <memory>
#include <vector>

#include "compute/core/machine.h"
#include "compute/io/convert.h"
#include "compute/io/file_extension.h"
#include "compute/io/image_format.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void cannot_read(const fs::path& path, const std::string& cause) {
  throw EnvironmentError("cannot read '" + path.string() + "': " + cause);
}

}  // namespace

std::vector<std::byte> read_file(const fs::path& path) {
  std::error_code error;
  if (fs::is_directory(path, error)) cannot_read(path, "it is a directory, a picture is wanted");
  struct Close {
    void operator()(std::FILE* file) const { std::fclose(file); }
  };
  const std::unique_ptr<std::FILE, Close> file(std::fopen(path.c_str(), "rb"));
  if (!file) cannot_read(path, std::strerror(errno));
  std::vector<std::byte> bytes;
  const std::uintmax_t size = fs::file_size(path, error);  // fails for pipes: they grow below
  if (!error) {
    if (size > free_host_bytes()) cannot_read(path, "its " + std::to_string(size) + " bytes do not fit into memory");
    bytes.reserve(size + 1);
  }
  for (std::size_t used = 0;;) {
    bytes.resize(std::max<std::size_t>(bytes.capacity(), used + (std::size_t{1} << 16)));
    const std::size_t got = std::fread(bytes.data() + used, 1, bytes.size() - used, file.get());
    used += got;
    if (got == 0) {
      bytes.resize(used);
      break;
    }
  }
  if (std::ferror(file.get())) cannot_read(path, std::strerror(errno));
  return bytes;
}

bool has_picture_extension(const fs::path& path) {
  return std::ranges::count(format_extensions(FormatUse::read), extension_of(path)) > 0;
}

Picture load_picture(const fs::path& path, const LoadOptions& options) {
  const std::vector<std::byte> file = read_file(path);
  if (file.empty()) cannot_read(path, "it is empty");
  try {
    Picture picture = decode_picture(file, options);
    if (options.element && *options.element != picture.pixels.shape().element)
      picture.pixels = convert(picture.pixels.view(), *options.element);
    return picture;
  } catch (const DecodeFailure& failure) {
    cannot_read(path, failure.cause);
  }
}

void require_picture_path(const fs::path& path) {
  (void)written_format(path);
  require_writable(path);
}

void save_picture(const fs::path& path, HostIn pixels, FileColour colour) {
  const ImageFormat& format = written_format(path);
  const Shape& shape = pixels.shape;
  if (shape.kind != Kind::image || shape.items() == 0 ||
      (shape.element != Element::u8 && shape.element != Element::u16 && shape.element != Element::f32) ||
      (shape.channels != 1 && shape.channels != 4))
    throw UsageError("cannot write '" + path.string() + "': " + to_string(shape) + " is no picture");
  const FileColour written = require_encodable(path, format, pixels, colour);
  FileWriter writer(path);
  format.encode(writer, pixels, written);
  writer.commit();
}

}  // namespace threadscape::io

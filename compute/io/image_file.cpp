#include "compute/io/image_file.h"

#include <algorithm>
#include <array>
#include <cctype>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <limits>
#include <memory>
#include <vector>

#include "compute/io/codecs.h"
#include "compute/io/convert.h"
#include "compute/io/file_writer.h"
#include "compute/run/runner.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void cannot_read(const fs::path& path, const std::string& cause) {
  throw EnvironmentError("cannot read '" + path.string() + "': " + cause);
}

std::string extension_of(const fs::path& path) {
  std::string text = path.extension().string();
  std::ranges::transform(text, text.begin(), [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return text;
}

bool is_colourful(HostIn pixels) {
  const auto any = [&]<class T>(ImageView<const T> view) {
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x)
        if (const T p = view(x, y); p.r != p.g || p.g != p.b) return true;
    return false;
  };
  return pixels.shape.element == Element::u8 ? any(pixels.image<Rgba8>()) : any(pixels.image<Rgba16>());
}

/// What to write for these pixels when the input was of `colour`: nothing that matters may get lost.
FileColour writable(HostIn pixels, FileColour colour) {
  if (pixels.shape.channels == 1) return FileColour::grey;
  if (colour == FileColour::grey) return is_colourful(pixels) ? FileColour::rgb : FileColour::grey;
  if (colour == FileColour::grey_alpha && is_colourful(pixels)) return FileColour::rgba;
  return colour;
}

enum class Format : std::uint8_t { png, pgm, ppm, pfm };

Format format_of(const fs::path& path) {
  const std::string extension = extension_of(path);
  if (extension == ".png") return Format::png;
  if (extension == ".pgm") return Format::pgm;
  if (extension == ".ppm") return Format::ppm;
  if (extension == ".pfm") return Format::pfm;
  throw UsageError("cannot write '" + path.string() + "': pictures are written as .png, .pgm, .ppm or .pfm");
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

void check_header(std::int64_t width, std::int64_t height, std::size_t pixel_bytes, const LoadOptions& options) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  if (width <= 0 || height <= 0) throw DecodeFailure{"its header says " + size + " pixels"};
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
  if (width > limit || height > limit || width > options.max_pixels / height)
    throw DecodeFailure{"its header says " + size + " pixels, the limit is " + std::to_string(options.max_pixels) +
                        " (--max-pixels)"};
  const std::size_t bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * pixel_bytes;
  if (const std::size_t free = free_host_bytes(); bytes > free)
    throw DecodeFailure{"its " + size + " pixels need " + std::to_string(bytes) + " bytes, " + std::to_string(free) +
                        " are free"};
}

static Picture decode(Bytes file, const LoadOptions& options) {
  if (is_png(file)) return decode_png(file, options);
  if (is_pnm(file)) return decode_pnm(file, options);
  if (is_pfm(file)) return decode_pfm(file, options);
  return decode_with_stb(file, options);
}

std::span<const std::string_view> picture_endings() {
  static constexpr std::array<std::string_view, 9> endings{".png", ".jpg", ".jpeg", ".bmp", ".tga",
                                                           ".pgm", ".ppm", ".pnm",  ".pfm"};
  return endings;
}

bool has_picture_ending(const fs::path& path) {
  return std::ranges::count(picture_endings(), extension_of(path)) > 0;
}

Picture load_picture(const fs::path& path, const LoadOptions& options) {
  const std::vector<std::byte> file = read_file(path);
  if (file.empty()) cannot_read(path, "it is empty");
  try {
    Picture picture = decode(file, options);
    if (options.element && *options.element != picture.pixels.shape().element)
      picture.pixels = convert(picture.pixels.view(), *options.element);
    return picture;
  } catch (const DecodeFailure& failure) {
    cannot_read(path, failure.cause);
  }
}

void require_picture_path(const fs::path& path) {
  (void)format_of(path);
  require_writable(path);
}

void save_picture(const fs::path& path, HostIn pixels, FileColour colour) {
  const Format format = format_of(path);
  const Shape& shape = pixels.shape;
  const bool floats = shape.element == Element::f32;
  if (shape.kind != Kind::image || shape.items() == 0 ||
      (shape.element != Element::u8 && shape.element != Element::u16 && !floats) ||
      (shape.channels != 1 && shape.channels != 4))
    throw UsageError("cannot write '" + path.string() + "': " + to_string(shape) + " is no picture");
  if (floats != (format == Format::pfm))
    throw UsageError(
        "cannot write '" + path.string() +
        "': " + (floats ? "float pictures are written as .pfm" : ".pfm holds floats; .png and .pnm hold integers"));
  if (floats) {
    FileWriter writer(path);
    encode_pfm(writer, pixels);
    return writer.commit();
  }
  const FileColour written = writable(pixels, colour);
  if (format == Format::pgm && written != FileColour::grey)
    throw UsageError("cannot write '" + path.string() + "': .pgm holds grey only; .ppm and .png hold colours");
  if (format == Format::ppm && (written == FileColour::grey_alpha || written == FileColour::rgba))
    throw UsageError("cannot write '" + path.string() + "': .ppm holds no alpha; .png does");
  FileWriter writer(path);
  if (format == Format::png)
    encode_png(writer, pixels, written);
  else
    encode_pnm(writer, pixels, format == Format::ppm);
  writer.commit();
}

}  // namespace threadscape::io

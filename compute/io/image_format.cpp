#include "compute/io/image_format.h"

#include <algorithm>
#include <array>
#include <limits>

#include "compute/core/machine.h"
#include "compute/io/file_extension.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// Whether a pixel of RGBA data has three different colour channels.
bool is_colourful(HostIn pixels) {
  const auto any = [&]<class T>(ImageView<const T> view) {
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x)
        if (const T p = view(x, y); p.r != p.g || p.g != p.b) return true;
    return false;
  };
  return pixels.shape.element == Element::u8 ? any(pixels.image<Rgba8>()) : any(pixels.image<Rgba16>());
}

/// The colour to write for these integer pixels when the input was of `colour`: nothing that differs may get lost.
FileColour needed_colour(HostIn pixels, FileColour colour) {
  if (pixels.shape.channels == 1) return FileColour::grey;
  if (colour == FileColour::grey) return is_colourful(pixels) ? FileColour::rgb : FileColour::grey;
  if (colour == FileColour::grey_alpha && is_colourful(pixels)) return FileColour::rgba;
  return colour;
}

bool has_alpha(FileColour colour) {
  return colour == FileColour::grey_alpha || colour == FileColour::rgba;
}

/// The extensions of the formats that can be written and that `accept(format)` is true for, as text.
template <class Accept>
std::string written_extensions(std::span<const ImageFormat> formats, std::string_view last, const Accept& accept) {
  std::vector<std::string_view> found;
  for (const ImageFormat& format : formats)
    if (format.encode && accept(format)) found.insert(found.end(), format.extensions.begin(), format.extensions.end());
  return enumerated(found, last);
}

}  // namespace

std::span<const ImageFormat> image_formats() {
#define THREADSCAPE_FORMAT_ROW(name) name##_format(),
  static const std::array formats{THREADSCAPE_IMAGE_FORMATS(THREADSCAPE_FORMAT_ROW)};
#undef THREADSCAPE_FORMAT_ROW
  return formats;
}

const ImageFormat* sniffed_format(Bytes file, std::span<const ImageFormat> formats) {
  const auto found = std::ranges::find_if(formats, [&](const ImageFormat& format) { return format.sniff(file); });
  return found == formats.end() ? nullptr : &*found;
}

const ImageFormat& written_format(const fs::path& path, std::span<const ImageFormat> formats) {
  const std::string extension = extension_of(path);
  for (const ImageFormat& format : formats)
    if (format.encode && std::ranges::count(format.extensions, extension) > 0) return format;
  throw UsageError("cannot write '" + path.string() + "': pictures are written as " +
                   written_extensions(formats, "or", [](const ImageFormat&) { return true; }));
}

std::string format_names(FormatUse use, std::string_view last, std::span<const ImageFormat> formats) {
  std::vector<std::string_view> names;
  for (const ImageFormat& format : formats)
    if (use == FormatUse::read || format.encode) names.push_back(format.name);
  return enumerated(names, last);
}

std::vector<std::string_view> format_extensions(FormatUse use, std::span<const ImageFormat> formats) {
  std::vector<std::string_view> extensions;
  for (const ImageFormat& format : formats)
    if (use == FormatUse::read || format.encode)
      extensions.insert(extensions.end(), format.extensions.begin(), format.extensions.end());
  return extensions;
}

Picture decode_picture(Bytes file, const LoadOptions& options, std::span<const ImageFormat> formats) {
  const ImageFormat* format = sniffed_format(file, formats);
  if (!format) throw DecodeFailure{"it is no " + format_names(FormatUse::read, "or", formats) + " picture"};
  return format->decode(file, options);
}

FileColour require_encodable(const fs::path& path, const ImageFormat& format, HostIn pixels, FileColour colour,
                             std::span<const ImageFormat> formats) {
  const auto refuse = [&](const std::string& why) { throw UsageError("cannot write '" + path.string() + "': " + why); };
  const std::string extension(format.extensions.front());
  const bool floats = pixels.shape.element == Element::f32;
  if (floats && !format.floats)
    refuse("float pictures are written as " +
           written_extensions(formats, "or", [](const ImageFormat& other) { return other.floats; }));
  if (!floats && format.floats)
    refuse(extension + " holds floats; integers are written as " +
           written_extensions(formats, "or", [](const ImageFormat& other) { return !other.floats; }));
  if (floats) return colour;  // alpha is left out
  const FileColour needed = needed_colour(pixels, colour);
  if (needed != FileColour::grey && !format.colour && !format.alpha)
    refuse(extension + " holds grey only; colours are written as " +
           written_extensions(formats, "or", [](const ImageFormat& other) { return other.colour && !other.floats; }));
  if (has_alpha(needed) && !format.alpha)
    refuse(extension + " holds no alpha; alpha is written as " +
           written_extensions(formats, "or", [](const ImageFormat& other) { return other.alpha && !other.floats; }));
  return needed;
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

}  // namespace threadscape::io

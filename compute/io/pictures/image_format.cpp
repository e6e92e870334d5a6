#include "compute/io/pictures/image_format.h"

#include <algorithm>
#include <array>
#include <limits>
#include <utility>

#include "compute/core/machine.h"
#include "compute/io/file_extension.h"
#include "compute/io/input_file.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// Returns true if a pixel of RGBA data has three different colour channels.
bool is_colourful(HostIn pixels) {
  const auto any = [&]<class T>(ImageView<const T> view) {
    for (int y = 0; y < view.height; ++y)
      for (int x = 0; x < view.width; ++x)
        if (const T p = view(x, y); p.r != p.g || p.g != p.b) return true;
    return false;
  };
  switch (pixels.shape.element) {
    case Element::u8:
      return any(pixels.image<Rgba8>());
    case Element::u16:
      return any(pixels.image<Rgba16>());
    default:
      return any(pixels.image<Rgba32f>());
  }
}

/// The colour to write for these pixels when the input was of `colour`: nothing that differs may get lost.
FileColour needed_colour(HostIn pixels, FileColour colour) {
  if (pixels.shape.channels == 1) return FileColour::grey;
  if (colour == FileColour::grey) return is_colourful(pixels) ? FileColour::rgb : FileColour::grey;
  if (colour == FileColour::grey_alpha && is_colourful(pixels)) return FileColour::rgba;
  return colour;
}

bool has_alpha(FileColour colour) {
  return colour == FileColour::grey_alpha || colour == FileColour::rgba;
}

/// The colour space that a profile is for, as its header names it; "?" if it is no profile.
std::string profile_space(Bytes profile) {
  constexpr std::size_t at = 16, header_bytes = 128;
  std::string space = "?";
  if (profile.size() >= header_bytes) space.assign(reinterpret_cast<const char*>(profile.data()) + at, 4);
  return std::ranges::all_of(space, [](char c) { return c >= ' ' && c <= '~'; }) ? space : "?";
}

/// The extensions of the formats that can be written and that `accept(format)` is true for, as text.
template <class Accept>
std::string written_extensions(std::span<const ImageFormat> formats, std::string_view last, const Accept& accept) {
  std::vector<std::string_view> found;
  for (const ImageFormat& format : formats)
    if (format.encode && accept(format)) found.insert(found.end(), format.extensions.begin(), format.extensions.end());
  return enumerated(found, last);
}

/// Why the beginning of a file is no picture that is read, with its format where that is a known one.
std::string picture_refusal(Bytes file, std::span<const ImageFormat> formats) {
  struct Known {
    std::size_t at;
    std::string_view sign, name;
  };
  using namespace std::string_view_literals;
  constexpr std::array<Known, 21> all{{{0, "\0\0\0\x0CjP  "sv, "JPEG 2000"},
                                       {0, "\xFF\x4F\xFF\x51"sv, "JPEG 2000"},
                                       {0, "\xFF\x0A"sv, "JPEG XL"},
                                       {0, "\0\0\0\x0CJXL "sv, "JPEG XL"},
                                       {4, "ftypavif"sv, "AVIF"},
                                       {4, "ftypavis"sv, "AVIF"},
                                       {4, "ftypheic"sv, "HEIC"},
                                       {4, "ftypmif1"sv, "HEIC"},
                                       {4, "ftyp"sv, "MP4"},
                                       {0, "\x1A\x45\xDF\xA3"sv, "Matroska"},
                                       {0, "GIF8"sv, "GIF"},
                                       {0, "8BPS"sv, "Photoshop"},
                                       {0, "DDS "sv, "DDS"},
                                       {0, "\0\0\1\0"sv, "ICO"},
                                       {0, "qoif"sv, "QOI"},
                                       {0, "#?RADIANCE"sv, "Radiance HDR"},
                                       {0, "\x01\xDA"sv, "SGI"},
                                       {0, "SIMPLE  ="sv, "FITS"},
                                       {0, "%PDF"sv, "PDF"},
                                       {0, "\x89HDF"sv, "HDF5"},
                                       {0, "<svg"sv, "SVG"}}};
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  const auto* const known = std::ranges::find_if(all, [&](const Known& format) {
    return text.size() >= format.at && text.substr(format.at).starts_with(format.sign);
  });
  if (known == all.end()) return "it is no " + format_names(FormatUse::read, "or", formats) + " picture";
  const bool moves = known->name == "MP4" || known->name == "Matroska" || known->name == "GIF";
  return "it is a file of " + std::string(known->name) +
         (moves ? ", whose name does not end as that of a moving picture does: rename it"
                : ", which is not read: save it as PNG or TIFF");
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

Loaded decode_picture(Bytes file, const ReadingWatch& watch, std::span<const ImageFormat> formats) {
  const ImageFormat* format = sniffed_format(file, formats);
  if (!format) throw DecodeFailure{picture_refusal(file, formats)};
  return format->decode(file, watch);
}

FileColour require_encodable(const fs::path& path, const ImageFormat& format, HostIn pixels, FileColour colour,
                             std::span<const ImageFormat> formats) {
  const auto refuse = [&](const std::string& why) { throw UsageError("cannot write '" + path.string() + "': " + why); };
  const std::string extension(format.extensions.front());
  const Element element = pixels.shape.element;
  const bool floats = element == Element::f32;
  const auto holders = [&](const auto& accept) {
    return written_extensions(formats, "or",
                              [&](const ImageFormat& other) { return other.numbers.hold(element) && accept(other); });
  };
  if (!format.numbers.hold(element)) {
    const std::string numbers = floats ? "float pictures" : element == Element::u16 ? "16-bit pictures" : "integers";
    const std::string depth = format.numbers.u8 ? "8" : format.numbers.u16 ? "16" : "float";
    refuse(extension + " holds no " + numbers + ", which are written as " +
           holders([](const ImageFormat&) { return true; }) + "; --depth " + depth +
           " converts the picture to numbers that " + extension + " holds");
  }
  const FileColour needed = needed_colour(pixels, colour);
  if (needed != FileColour::grey && !format.colour && !format.alpha)
    refuse(extension + " holds grey only; colours are written as " +
           holders([](const ImageFormat& other) { return other.colour; }));
  if (has_alpha(needed) && !format.alpha) {
    if (floats) return format.colour && needed == FileColour::rgba ? FileColour::rgb : FileColour::grey;
    refuse(extension + " holds no alpha; alpha is written as " +
           holders([](const ImageFormat& other) { return other.alpha; }));
  }
  return needed;
}

PictureFacts written_facts(const ImageFormat& format, const PictureFacts& facts, const Shape& shape, FileColour colour,
                           std::string* note) {
  PictureFacts kept = facts;
  const auto leave_out = [&](const std::string& what) {
    if (note != nullptr) *note += (note->empty() ? "" : "; ") + what;
  };
  const std::string extension(format.extensions.front());
  if (!facts.profile.empty()) {
    const std::string space = profile_space(facts.profile);
    const bool grey = format.grey_profiles && (colour == FileColour::grey || colour == FileColour::grey_alpha);
    kept.profile.clear();
    if (!format.profiles)
      leave_out("the colour profile of the input is left out, since " + extension + " holds none");
    else if (space != (grey ? "GRAY" : "RGB "))
      leave_out("the colour profile of the input (" + space + ") is left out, since the result is " +
                (grey ? "grey" : "RGB"));
    else if (format.takes_profile && !format.takes_profile(facts.profile, colour))
      leave_out("the colour profile of the input is left out, since it is damaged");
    else
      kept.profile = facts.profile;
  }
  if (facts.windows) {
    const auto& data = facts.windows->data;
    kept.windows.reset();
    if (!format.windows)
      leave_out("the windows of the input are left out, since " + extension + " holds none");
    else if (std::int64_t{data[2]} - data[0] + 1 != shape.width || std::int64_t{data[3]} - data[1] + 1 != shape.height)
      leave_out("the windows of the input are left out, since the result has another size");
    else
      kept.windows = facts.windows;
  }
  return kept;
}

std::vector<std::byte> read_picture_file(const fs::path& path, const LoadOptions& options,
                                         std::span<const ImageFormat> formats) {
  InputFile file(path, options.stop);
  std::vector<std::byte> content;
  file.read_on(content, picture_beginning);
  if (content.empty()) throw DecodeFailure{"it is empty"};
  const ImageFormat* format = sniffed_format(content, formats);
  if (!format) throw DecodeFailure{picture_refusal(content, formats)};
  const std::int64_t limit = limit_of(Limit::file_bytes);
  const std::int64_t wanted = format->max_bytes ? format->max_bytes(content) : limit + 1;
  file.read_on(content, std::min(wanted, limit + 1));
  if (std::cmp_greater(content.size(), limit)) throw DecodeFailure{"it is too long; " + limit_text(Limit::file_bytes)};
  return content;
}

void check_header(std::int64_t width, std::int64_t height, std::size_t pixel_bytes) {
  const std::string size = std::to_string(width) + "x" + std::to_string(height);
  if (width <= 0 || height <= 0) throw DecodeFailure{"its header says " + size + " pixels"};
  constexpr std::int64_t limit = std::numeric_limits<std::int32_t>::max();
  if (width > limit || height > limit || width > limit_of(Limit::pixels) / height)
    throw DecodeFailure{"its header says " + size + " pixels; " + limit_text(Limit::pixels)};
  const std::size_t bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * pixel_bytes;
  if (const auto free = free_host_bytes_below(bytes))
    throw DecodeFailure{"its " + size + " pixels need " + std::to_string(bytes) + " bytes, " + std::to_string(*free) +
                        " are free"};
}

void check_header(std::int64_t width, std::int64_t height, std::size_t pixel_bytes, std::size_t file_bytes) {
  check_header(width, height, pixel_bytes);
  const std::size_t bytes = static_cast<std::size_t>(width) * static_cast<std::size_t>(height) * pixel_bytes;
  if (bytes > justified_bytes(file_bytes))
    throw DecodeFailure{"its " + std::to_string(width) + "x" + std::to_string(height) + " pixels are too many for " +
                        std::to_string(file_bytes) + " bytes; " + limit_text(Limit::expansion)};
}

std::int64_t max_compressed_bytes(std::int64_t width, std::int64_t height, std::size_t pixel_bytes) {
  check_header(width, height, pixel_bytes);
  const std::int64_t pixels = width * height * static_cast<std::int64_t>(pixel_bytes);
  return pixels + pixels / 2 + (std::int64_t{64} << 20);
}

}  // namespace threadscape::io

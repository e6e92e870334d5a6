// BMP and TGA through stb_image, which pads a truncated file with zeros and reports no error, so it reads through
// callbacks that notice when it asks for bytes beyond the end. BMP is written here.

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <memory>
#include <string>
#include <utility>

#include "compute/io/pictures/image_format.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#include <stb_image.h>

namespace threadscape::io {

namespace {

/// The size of stb_image's buffer in bytes. A read of this size refills it and may return less; a read of any other
/// size asks for data that must be there.
constexpr int refill = 128;

/// A file in memory that stb_image reads through callbacks.
struct Source {
  Bytes file;
  std::size_t at = 0;
  bool starved = false;  ///< A read went beyond the end of the file.

  static int read(void* user, char* to, int wanted) {
    auto& self = *static_cast<Source*>(user);
    const std::size_t got = std::min(static_cast<std::size_t>(wanted), self.file.size() - self.at);
    if (got > 0) std::memcpy(to, self.file.data() + self.at, got);
    self.at += got;
    if (got == 0 || (got < static_cast<std::size_t>(wanted) && wanted != refill)) self.starved = true;
    return static_cast<int>(got);
  }
  static void skip(void* user, int count) {
    auto& self = *static_cast<Source*>(user);
    // stb_image skips backwards (a negative count) to return bytes that it has read ahead.
    const auto to = static_cast<std::int64_t>(self.at) + count;
    self.at = static_cast<std::size_t>(std::clamp<std::int64_t>(to, 0, static_cast<std::int64_t>(self.file.size())));
  }
  static int eof(void* user) {
    const auto& self = *static_cast<Source*>(user);
    return self.at == self.file.size();
  }
};

constexpr stbi_io_callbacks callbacks{&Source::read, &Source::skip, &Source::eof};

unsigned byte_at(Bytes file, std::size_t i) {
  return std::to_integer<unsigned>(file[i]);
}
/// A little-endian integer of this many bytes.
std::int64_t integer_at(Bytes file, std::size_t i, int bytes) {
  std::int64_t value = 0;
  for (int b = bytes - 1; b >= 0; --b)
    value = value * 256 + byte_at(file, i + static_cast<std::size_t>(b));
  return value;
}

bool is_bmp(Bytes file) {
  return file.size() >= 2 && byte_at(file, 0) == 'B' && byte_at(file, 1) == 'M';
}

/// TGA has no signature: every field of its header must have a valid value.
bool is_tga(Bytes file) {
  if (file.size() < 18) return false;
  const unsigned map = byte_at(file, 1), type = byte_at(file, 2), depth = byte_at(file, 16);
  const bool known = type == 1 || type == 2 || type == 3 || type == 9 || type == 10 || type == 11;
  const bool mapped = type == 1 || type == 9;
  const bool bits = depth == 8 || depth == 15 || depth == 16 || depth == 24 || depth == 32;
  return known && bits && map <= 1 && (map == 1 || !mapped) && (byte_at(file, 17) & 0xC0) == 0;
}

/// The minimum length in bytes of a TGA with this header: all pixels of an uncompressed one. stb_image reads the last
/// row in one piece, which may be as long as a refill, so Source cannot tell a truncated row from a short refill.
std::size_t min_tga_bytes(Bytes file, std::size_t width, std::size_t height) {
  if (byte_at(file, 2) > 3) return 18;
  return 18 + byte_at(file, 0) + width * height * ((byte_at(file, 16) + 7) / 8);
}

const char* cause_of(const Source& source) {
  if (source.starved) return "it is truncated";
  const char* reason = stbi_failure_reason();
  return reason ? reason : "it is corrupt";
}

/// Decodes a BMP or TGA: stb_image tells them apart by itself. An uncompressed file must have `min_bytes(width,
/// height)` bytes.
template <class MinBytes>
Loaded decode_with_stb(Bytes file, const MinBytes& min_bytes) {
  int width = 0, height = 0, channels = 0;
  Source header{file};
  if (!stbi_info_from_callbacks(&callbacks, &header, &width, &height, &channels)) throw DecodeFailure{cause_of(header)};
  // While decoding, stb_image holds planes and a packed copy beside our own picture: three times four bytes.
  check_header(width, height, 12);
  if (file.size() < min_bytes(static_cast<std::size_t>(width), static_cast<std::size_t>(height)))
    throw DecodeFailure{"it is truncated"};

  const bool grey = channels == 1;
  struct Free {
    void operator()(stbi_uc* pixels) const { stbi_image_free(pixels); }
  };
  Source source{file};
  const std::unique_ptr<stbi_uc, Free> pixels(
      stbi_load_from_callbacks(&callbacks, &source, &width, &height, &channels, grey ? 1 : 4));
  if (!pixels || source.starved) throw DecodeFailure{cause_of(source)};

  Loaded picture;
  const Shape shape = Shape::image(Element::u8, grey ? 1 : 4, width, height);
  picture.pixels = HostArray(shape);
  copy(HostIn{reinterpret_cast<const std::byte*>(pixels.get()), shape,
              static_cast<std::size_t>(width) * shape.pixel_bytes()},
       picture.pixels.view());
  constexpr FileColour colours[]{FileColour::grey, FileColour::grey_alpha, FileColour::rgb, FileColour::rgba};
  picture.colour = colours[std::clamp(channels, 1, 4) - 1];
  return picture;
}

constexpr auto any_size = [](std::size_t, std::size_t) { return std::size_t{0}; };

constexpr std::size_t old_bmp_header = 12;  // The size of the information header of OS/2, which has 16-bit sizes.

std::int64_t max_bmp_bytes(Bytes beginning) {
  if (beginning.size() < 26) return static_cast<std::int64_t>(beginning.size());
  const bool old = integer_at(beginning, 14, 4) == old_bmp_header;
  const auto side = [&](std::size_t at, std::size_t old_at) {
    if (old) return integer_at(beginning, old_at, 2);
    const auto value = static_cast<std::int32_t>(integer_at(beginning, at, 4));
    return std::abs(std::int64_t{value});  // A negative height says that the first row is the top one.
  };
  return max_compressed_bytes(side(18, 18), side(22, 20), 4);
}

/// Returns true if all pixels of a palette's picture are grey. BMP has no other form of grey levels.
bool is_grey(ImageView<const Rgba8> pixels) {
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x)
      if (const Rgba8 p = pixels(x, y); p.r != p.g || p.g != p.b || p.a != 255) return false;
  return true;
}

Loaded decode_bmp(Bytes file) {
  Loaded picture = decode_with_stb(file, any_size);
  const bool old = integer_at(file, 14, 4) == old_bmp_header;
  const bool palette = file.size() > 30 && integer_at(file, old ? 24 : 28, 2) <= 8;
  if (!palette || picture.pixels.shape().channels != 4) return picture;
  const auto from = std::as_const(picture.pixels).image<Rgba8>();
  if (!is_grey(from)) return picture;
  Loaded grey{HostArray(Shape::image(Element::u8, 1, from.width, from.height)), FileColour::grey};
  const auto to = grey.pixels.image<std::uint8_t>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      to(x, y) = from(x, y).r;
  return grey;
}

/// Rows of 24-bit pixels in the order blue, green, red, or of 8-bit grey levels with a palette; from the bottom up.
void encode_bmp(FileWriter& file, HostIn pixels, const EncodeOptions&) {
  constexpr std::int64_t header_bytes = 14 + 40, palette_bytes = 256 * 4;
  const Shape& shape = pixels.shape;
  const bool grey = shape.channels == 1;
  const std::int64_t row_bytes = (shape.width * (grey ? 1 : 3) + 3) / 4 * 4, image_bytes = row_bytes * shape.height;
  const std::int64_t start = header_bytes + (grey ? palette_bytes : 0);
  if (start + image_bytes > std::numeric_limits<std::uint32_t>::max())
    throw EnvironmentError("a BMP has at most 4 GiB: choose another format for " + to_string(shape));
  std::string text = "BM";
  const auto put = [&](std::int64_t value, int bytes) {
    for (int b = 0; b < bytes; ++b)
      text.push_back(static_cast<char>(value >> 8 * b & 0xFF));
  };
  put(start + image_bytes, 4);
  put(0, 4);
  put(start, 4);
  put(40, 4);
  put(shape.width, 4);
  put(shape.height, 4);
  put(1, 2);
  put(grey ? 8 : 24, 2);
  put(0, 4);  // The pixels are not compressed.
  put(image_bytes, 4);
  put(2835, 4);  // 72 pixels per inch, in pixels per metre.
  put(2835, 4);
  put(grey ? 256 : 0, 4);
  put(0, 4);
  for (int level = 0; grey && level < 256; ++level)
    put(level * 0x010101, 4);
  file.write(text);
  std::string row(static_cast<std::size_t>(row_bytes), '\0');
  for (auto y = static_cast<int>(shape.height) - 1; y >= 0; --y) {
    if (grey) {
      std::memcpy(row.data(), pixels.image<std::uint8_t>().row(y), static_cast<std::size_t>(shape.width));
    } else {
      char* to = row.data();
      const Rgba8* from = pixels.image<Rgba8>().row(y);
      for (std::int64_t x = 0; x < shape.width; ++x)
        for (const std::uint8_t value : {from[x].b, from[x].g, from[x].r})
          *to++ = static_cast<char>(value);
    }
    file.write(row);
  }
}

std::int64_t max_tga_bytes(Bytes beginning) {
  return max_compressed_bytes(integer_at(beginning, 12, 2), integer_at(beginning, 14, 2), 4);
}

Loaded decode_tga(Bytes file) {
  return decode_with_stb(file,
                         [&](std::size_t width, std::size_t height) { return min_tga_bytes(file, width, height); });
}

}  // namespace

ImageFormat bmp_format() {
  static constexpr std::array<std::string_view, 1> extensions{".bmp"};
  return {.name = "BMP",
          .extensions = extensions,
          .sniff = is_bmp,
          .decode = decode_bmp,
          .max_bytes = max_bmp_bytes,
          .encode = encode_bmp,
          .numbers = {.u8 = true},
          .colour = true};
}

ImageFormat tga_format() {
  static constexpr std::array<std::string_view, 1> extensions{".tga"};
  return {.name = "TGA", .extensions = extensions, .sniff = is_tga, .decode = decode_tga, .max_bytes = max_tga_bytes};
}

}  // namespace threadscape::io

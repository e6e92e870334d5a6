// JPEG, BMP and TGA through stb_image. stb_image pads a truncated file with zeros and reports no error, so it reads
// through callbacks that notice when it asks for bytes beyond the end. EXIF orientation is not applied.

#include <algorithm>
#include <array>
#include <cstring>
#include <memory>

#include "compute/io/image_format.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_JPEG
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

bool is_jpeg(Bytes file) {
  return file.size() >= 3 && byte_at(file, 0) == 0xFF && byte_at(file, 1) == 0xD8;
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

/// Whether no Huffman table of a JPEG has more than 256 codes. stb_image 2.27 does not check the counts and writes
/// beyond its own tables when there are more, so every table is checked before stb_image sees the file; segments are
/// walked as stb_image walks them.
bool huffman_tables_fit(Bytes file) {
  constexpr unsigned end_of_image = 0xD9, huffman_tables = 0xC4;
  constexpr std::size_t header_bytes = 17;  // class and number, then how many codes of 1 to 16 bits
  for (std::size_t at = 2; at + 4 <= file.size();) {
    const unsigned marker = byte_at(file, at + 1);
    const bool alone = marker == 0x00 || marker == 0x01 || (marker >= 0xD0 && marker <= 0xD8);
    if (byte_at(file, at) != 0xFF || marker == 0xFF || alone) {  // pixels, padding, restart marks
      ++at;
      continue;
    }
    if (marker == end_of_image) break;
    const std::size_t length = byte_at(file, at + 2) * 256 + byte_at(file, at + 3);
    const std::size_t end = std::min(file.size(), at + 2 + length);
    for (std::size_t table = at + 4; marker == huffman_tables && table + header_bytes <= end;) {
      std::size_t codes = 0;
      for (std::size_t bits = 1; bits < header_bytes; ++bits)
        codes += byte_at(file, table + bits);
      if (codes > 256) return false;
      table += header_bytes + codes;
    }
    at += 2 + length;
  }
  return true;
}

const char* cause_of(const Source& source) {
  if (source.starved) return "it is truncated";
  const char* reason = stbi_failure_reason();
  return reason ? reason : "it is corrupt";
}

/// Decodes a JPEG, BMP or TGA: stb_image tells them apart by itself. An uncompressed file must have `min_bytes(width,
/// height)` bytes.
template <class MinBytes>
Picture decode_with_stb(Bytes file, const LoadOptions& options, const MinBytes& min_bytes) {
  int width = 0, height = 0, channels = 0;
  Source header{file};
  if (!stbi_info_from_callbacks(&callbacks, &header, &width, &height, &channels)) throw DecodeFailure{cause_of(header)};
  // While decoding, stb_image holds planes and a packed copy beside our own picture: three times four bytes.
  check_header(width, height, 12, options);
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

  Picture picture;
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

Picture decode_jpeg(Bytes file, const LoadOptions& options) {
  if (!huffman_tables_fit(file)) throw DecodeFailure{"corrupt JPEG: a Huffman table is too large"};
  return decode_with_stb(file, options, any_size);
}

Picture decode_bmp(Bytes file, const LoadOptions& options) {
  return decode_with_stb(file, options, any_size);
}

Picture decode_tga(Bytes file, const LoadOptions& options) {
  return decode_with_stb(file, options,
                         [&](std::size_t width, std::size_t height) { return min_tga_bytes(file, width, height); });
}

}  // namespace

ImageFormat jpeg_format() {
  static constexpr std::array<std::string_view, 2> extensions{".jpg", ".jpeg"};
  return {.name = "JPEG", .extensions = extensions, .sniff = is_jpeg, .decode = decode_jpeg};
}

ImageFormat bmp_format() {
  static constexpr std::array<std::string_view, 1> extensions{".bmp"};
  return {.name = "BMP", .extensions = extensions, .sniff = is_bmp, .decode = decode_bmp};
}

ImageFormat tga_format() {
  static constexpr std::array<std::string_view, 1> extensions{".tga"};
  return {.name = "TGA", .extensions = extensions, .sniff = is_tga, .decode = decode_tga};
}

}  // namespace threadscape::io

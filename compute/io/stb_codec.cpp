// JPEG, BMP and TGA through stb_image. stb_image pads a truncated file with zeros and says nothing, so it reads here
// through callbacks that notice when it asks for bytes beyond the end. EXIF orientation is not applied.

#include <algorithm>
#include <cstring>
#include <memory>

#include "compute/io/codecs.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
#define STBI_ONLY_JPEG
#define STBI_ONLY_BMP
#define STBI_ONLY_TGA
#define STBI_NO_STDIO
#include <stb_image.h>

namespace threadscape::io {

namespace {

constexpr int refill = 128;  // the buffer size of stb_image: a refill may come back short, an exact read may not

struct Source {
  Bytes file;
  std::size_t at = 0;
  bool starved = false;

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
    // A negative count goes back into what was read before.
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

/// TGA has no signature: its header must make sense in every field.
bool is_tga(Bytes file) {
  if (file.size() < 18) return false;
  const unsigned map = byte_at(file, 1), type = byte_at(file, 2), depth = byte_at(file, 16);
  const bool known = type == 1 || type == 2 || type == 3 || type == 9 || type == 10 || type == 11;
  const bool mapped = type == 1 || type == 9;
  const bool bits = depth == 8 || depth == 15 || depth == 16 || depth == 24 || depth == 32;
  return known && bits && map <= 1 && (map == 1 || !mapped) && (byte_at(file, 17) & 0xC0) == 0;
}

/// Bytes that an uncompressed TGA must have at least. Its last row is read in one piece, which may be as long as a
/// refill, so that a short read alone does not give it away.
std::size_t least_tga_size(Bytes file, std::size_t width, std::size_t height) {
  if (byte_at(file, 2) > 3) return 18;
  return 18 + byte_at(file, 0) + width * height * ((byte_at(file, 16) + 7) / 8);
}

/// stb_image 2.27 trusts the counts of a JPEG's Huffman tables, and writes beyond its own when there are more than the
/// 256 codes that a table can have. This walks the segments as stb_image does and looks at every table before it.
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

}  // namespace

Picture decode_with_stb(Bytes file, const LoadOptions& options) {
  const bool tga = !is_jpeg(file) && !is_bmp(file) && is_tga(file);
  if (!is_jpeg(file) && !is_bmp(file) && !tga)
    throw DecodeFailure{"it is no PNG, JPEG, BMP, TGA or PNM (P2, P3, P5, P6) picture"};

  if (is_jpeg(file) && !huffman_tables_fit(file)) throw DecodeFailure{"corrupt JPEG: a Huffman table is too large"};

  int width = 0, height = 0, channels = 0;
  Source header{file};
  if (!stbi_info_from_callbacks(&callbacks, &header, &width, &height, &channels)) throw DecodeFailure{cause_of(header)};
  // While decoding, stb_image holds planes and a packed copy beside our own picture: three times four bytes.
  check_header(width, height, 12, options);
  if (tga && file.size() < least_tga_size(file, static_cast<std::size_t>(width), static_cast<std::size_t>(height)))
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

}  // namespace threadscape::io

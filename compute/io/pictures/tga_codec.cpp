// TGA through stb_image, which pads a truncated file with zeros and reports no error, so it reads through callbacks
// that notice when it asks for bytes beyond the end. It takes every row from the left to the right, a fourth channel as
// alpha, the first entry of a colour map as index 0, and no alpha in pixels of 16 bits; what the header says instead is
// done here. Source: "Truevision TGA File Format Specification 2.0".

#include <algorithm>
#include <array>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "compute/io/pictures/image_format.h"

#define STB_IMAGE_IMPLEMENTATION
#define STB_IMAGE_STATIC
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

// The header of 18 bytes has these members at these places.
constexpr std::size_t id_bytes = 0, has_map = 1, image_type = 2, first_of_map = 3, entries_of_map = 5, bits_of_map = 7,
                      width_at = 12, height_at = 14, bits_at = 16, descriptor_at = 17, header_bytes = 18;

std::size_t member(Bytes file, std::size_t at, std::size_t bytes = 1) {
  return static_cast<std::size_t>(little_endian_at(file, at, bytes));
}

/// TGA has no signature: every field of its header must have a valid value.
bool is_tga(Bytes file) {
  if (file.size() < header_bytes) return false;
  const std::size_t map = member(file, has_map), type = member(file, image_type), bits = member(file, bits_at);
  const bool known = type == 1 || type == 2 || type == 3 || type == 9 || type == 10 || type == 11;
  const bool mapped = type == 1 || type == 9;
  const bool allowed = bits == 8 || bits == 15 || bits == 16 || bits == 24 || bits == 32;
  return known && allowed && map <= 1 && (map == 1 || !mapped) && (member(file, descriptor_at) & 0xC0) == 0;
}

std::size_t entry_bytes(Bytes file) {
  return (member(file, bits_of_map) + 7) / 8;
}

/// The minimum length in bytes of a file with this header: all pixels of an uncompressed one. stb_image reads the last
/// row in one piece, which may be as long as a refill, so Source cannot tell a truncated row from a short refill.
std::size_t min_bytes(Bytes file) {
  if (member(file, image_type) > 3) return header_bytes;
  const std::size_t map = member(file, has_map) == 1 ? member(file, entries_of_map, 2) * entry_bytes(file) : 0;
  return header_bytes + member(file, id_bytes) + map +
         member(file, width_at, 2) * member(file, height_at, 2) * ((member(file, bits_at) + 7) / 8);
}

/// The file with a colour map that begins at index 0: the entries before its first one are black.
std::vector<std::byte> with_whole_map(Bytes file) {
  const std::size_t first = member(file, first_of_map, 2), all = first + member(file, entries_of_map, 2);
  if (all > 0xFFFF) throw DecodeFailure{"its colour map ends beyond index 65535"};
  const std::size_t map = header_bytes + member(file, id_bytes);
  if (map > file.size()) throw DecodeFailure{"it is truncated"};
  std::vector<std::byte> whole(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(map));
  whole.resize(map + first * entry_bytes(file));
  whole.insert(whole.end(), file.begin() + static_cast<std::ptrdiff_t>(map), file.end());
  whole[first_of_map] = whole[first_of_map + 1] = std::byte{0};
  whole[entries_of_map] = static_cast<std::byte>(all & 0xFF);
  whole[entries_of_map + 1] = static_cast<std::byte>(all >> 8);
  return whole;
}

/// The file without a colour map, which stb_image refuses beside pixels that are colours themselves.
std::vector<std::byte> without_map(Bytes file) {
  const std::size_t map = header_bytes + member(file, id_bytes);
  const std::size_t pixels = map + member(file, entries_of_map, 2) * entry_bytes(file);
  if (pixels > file.size()) throw DecodeFailure{"it is truncated"};
  std::vector<std::byte> plain(file.begin(), file.begin() + static_cast<std::ptrdiff_t>(map));
  plain.insert(plain.end(), file.begin() + static_cast<std::ptrdiff_t>(pixels), file.end());
  plain[has_map] = std::byte{0};
  std::fill_n(plain.begin() + first_of_map, bits_of_map + 1 - first_of_map, std::byte{0});
  return plain;
}

const char* cause_of(const Source& source) {
  if (source.starved) return "it is truncated";
  const char* reason = stbi_failure_reason();
  return reason ? reason : "it is corrupt";
}

Loaded decode_with_stb(Bytes file) {
  int width = 0, height = 0, channels = 0;
  Source header{file};
  if (!stbi_info_from_callbacks(&callbacks, &header, &width, &height, &channels)) throw DecodeFailure{cause_of(header)};
  // While decoding, stb_image holds planes and a packed copy beside our own picture: three times four bytes.
  check_header(width, height, 12, file.size());
  if (file.size() < min_bytes(file)) throw DecodeFailure{"it is truncated"};

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

/// Decodes pixels of 16 bits with 5 for each colour and one for alpha, which stb_image would leave out. Marked as grey
/// levels with alpha they come as the two bytes that they are. Alpha that is 0 everywhere is none.
Loaded decode_words(Bytes file) {
  std::vector<std::byte> marked(file.begin(), file.end());
  marked[image_type] = static_cast<std::byte>(member(file, image_type) + 1);
  Loaded picture = decode_with_stb(marked);
  const auto pixels = picture.pixels.image<Rgba8>();
  bool stated = false;
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      Rgba8& pixel = pixels(x, y);
      const unsigned word = pixel.r | unsigned{pixel.a} << 8;
      const auto part = [&](int shift) { return static_cast<std::uint8_t>(((word >> shift & 31) * 255 + 15) / 31); };
      pixel = {part(10), part(5), part(0), static_cast<std::uint8_t>(word >> 15 != 0 ? 255 : 0)};
      stated = stated || pixel.a != 0;
    }
  for (int y = 0; y < pixels.height && !stated; ++y)
    for (int x = 0; x < pixels.width; ++x)
      pixels(x, y).a = 255;
  picture.colour = stated ? FileColour::rgba : FileColour::rgb;
  return picture;
}

template <class T>
void mirror(ImageView<T> pixels) {
  for (int y = 0; y < pixels.height; ++y)
    std::reverse(pixels.row(y), pixels.row(y) + pixels.width);
}

std::int64_t max_tga_bytes(Bytes beginning) {
  return max_compressed_bytes(static_cast<std::int64_t>(member(beginning, width_at, 2)),
                              static_cast<std::int64_t>(member(beginning, height_at, 2)), 4);
}

Loaded decode_tga(Bytes file, const ReadingWatch&) {
  const bool mapped = member(file, image_type) % 8 == 1;
  std::vector<std::byte> plain;
  if (member(file, has_map) == 1 && !mapped) {
    plain = without_map(file);
    file = plain;
  }
  const bool moved = member(file, has_map) == 1 && member(file, first_of_map, 2) > 0;
  const std::size_t descriptor = member(file, descriptor_at);
  constexpr std::size_t alpha_bits = 0x0F, from_the_right = 0x10;
  const bool colours = member(file, image_type) % 8 == 2;
  const bool words = colours && member(file, bits_at) == 16 && (descriptor & alpha_bits) != 0;
  Loaded picture = moved ? decode_with_stb(with_whole_map(file)) : words ? decode_words(file) : decode_with_stb(file);
  const bool grey = picture.pixels.shape().channels == 1;
  if ((descriptor & from_the_right) != 0) {
    if (grey)
      mirror(picture.pixels.image<std::uint8_t>());
    else
      mirror(picture.pixels.image<Rgba8>());
  }
  if (picture.colour == FileColour::rgba && !mapped && (descriptor & alpha_bits) == 0) {
    const auto pixels = picture.pixels.image<Rgba8>();
    bool stated = false;
    for (int y = 0; y < pixels.height; ++y)
      for (int x = 0; x < pixels.width; ++x) {
        std::uint8_t& alpha = pixels(x, y).a;
        stated = stated || (alpha != 0 && alpha != 255);
        alpha = 255;
      }
    picture.colour = FileColour::rgb;
    if (stated) picture.note = "its header states no alpha, so that the fourth value of its pixels is left out";
  }
  return picture;
}

}  // namespace

ImageFormat tga_format() {
  static constexpr std::array<std::string_view, 1> extensions{".tga"};
  return {.name = "TGA", .extensions = extensions, .sniff = is_tga, .decode = decode_tga, .max_bytes = max_tga_bytes};
}

}  // namespace threadscape::io

// BMP: read in all forms that Windows and OS/2 have written but those that hold another file, and written as 24-bit
// colours or 8-bit grey levels. Sources: "Bitmap Storage" of the Windows GDI documentation; "OS/2 Bitmap File Format",
// IBM.

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <cstdlib>
#include <cstring>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace {

constexpr std::size_t file_header = 14, core_header = 12, info_header = 40;

std::uint8_t u8_at(Bytes file, std::size_t at) {
  return static_cast<std::uint8_t>(little_endian_at(file, at, 1));
}
std::uint16_t u16_at(Bytes file, std::size_t at) {
  return static_cast<std::uint16_t>(little_endian_at(file, at, 2));
}
std::uint32_t u32_at(Bytes file, std::size_t at) {
  return static_cast<std::uint32_t>(little_endian_at(file, at, 4));
}

enum class Packing : std::uint8_t { none, rle8, rle4, masks };

/// The bits of a channel within a pixel.
struct Field {
  std::uint32_t mask = 0;
  int shift = 0, bits = 0;

  /// The channel of a pixel from 0 to 255, rounded to the nearest.
  [[nodiscard]] std::uint8_t of(std::uint32_t pixel) const {
    if (bits == 0) return 0;
    const std::uint64_t most = (std::uint64_t{1} << bits) - 1;
    return static_cast<std::uint8_t>((((pixel & mask) >> shift) * std::uint64_t{255} + most / 2) / most);
  }
};

Field field(std::uint32_t mask) {
  if (mask == 0) return {};
  const int shift = std::countr_zero(mask), bits = std::popcount(mask);
  if (bits != 32 && mask >> shift != (std::uint32_t{1} << bits) - 1)
    throw DecodeFailure{"the bits of a colour are not side by side in its pixels"};
  return {mask, shift, bits};
}

struct BmpHeader {
  std::int64_t width = 0, height = 0;
  bool top_down = false;
  int bits = 0;  ///< A pixel has 1, 2, 4, 8 (an index into the palette), 16, 24 or 32.
  Packing packing = Packing::none;
  std::size_t pixels = 0;       ///< Where they begin in the file.
  std::array<Field, 4> fields;  ///< Red, green, blue and alpha of 16 and 32 bits.
  std::vector<Rgba8> palette;
  std::string note;  ///< What the header states wrongly.
};

/// Where the header with the size of the picture begins: after that of the file, and in an array of OS/2 after that of
/// the array, whose first picture is read.
std::size_t header_start(Bytes file) {
  return file_header + (file.size() > 1 && file[1] == std::byte{'A'} ? file_header : 0);
}

bool is_bmp(Bytes file) {
  const auto begins = [&](std::size_t at, const char* word) {
    return file.size() >= at + 2 && file[at] == std::byte(word[0]) && file[at + 1] == std::byte(word[1]);
  };
  return begins(0, "BM") || (begins(0, "BA") && begins(file_header, "BM"));
}

/// The width and the height, which is negative where the first row is the top one.
std::pair<std::int64_t, std::int64_t> size_of(Bytes file) {
  const std::size_t at = header_start(file);
  if (file.size() < at + core_header) throw DecodeFailure{"it is truncated"};
  if (u32_at(file, at) == core_header) return {u16_at(file, at + 4), u16_at(file, at + 6)};
  return {static_cast<std::int32_t>(u32_at(file, at + 4)), static_cast<std::int32_t>(u32_at(file, at + 8))};
}

std::int64_t max_bmp_bytes(Bytes beginning) {
  if (beginning.size() < header_start(beginning) + core_header) return static_cast<std::int64_t>(beginning.size());
  const auto [width, height] = size_of(beginning);
  return max_compressed_bytes(width, std::abs(height), 4);
}

/// How the pixels are packed, from a number that means other things in headers of OS/2 than in those of Windows.
Packing packing_of(std::uint32_t compression, int bits, bool of_os2) {
  if (compression == 0) return Packing::none;
  if (compression == 1 && bits == 8) return Packing::rle8;
  if (compression == 2 && bits == 4) return Packing::rle4;
  if ((compression == 3 || compression == 6) && !of_os2 && (bits == 16 || bits == 32)) return Packing::masks;
  if (compression == 3 && bits == 1)
    throw DecodeFailure{"pixels in the code of fax machines (Huffman 1D) are not read"};
  if (compression == 4 && bits == 24) throw DecodeFailure{"24-bit pixels in runs (RLE24) are not read"};
  if (compression == 4) throw DecodeFailure{"it holds a JPEG file, which is not read there"};
  if (compression == 5) throw DecodeFailure{"it holds a PNG file, which is not read there"};
  throw DecodeFailure{"compression " + std::to_string(compression) + " of " + std::to_string(bits) +
                      "-bit pixels is not known"};
}

/// The colours between the headers and the pixels. Those that a file has no room for are left out.
std::vector<Rgba8> palette_of(Bytes file, std::size_t from, std::size_t to, std::size_t entry, std::size_t stated,
                              int bits) {
  std::size_t count = std::size_t{1} << bits;
  if (stated != 0) count = std::min(count, stated);
  count = std::min(count, (to - from) / entry);
  std::vector<Rgba8> palette;
  for (std::size_t i = 0; i < count; ++i) {
    const std::size_t at = from + i * entry;
    palette.push_back({u8_at(file, at + 2), u8_at(file, at + 1), u8_at(file, at), 255});
  }
  return palette;
}

/// The bytes of a row that is not packed: with pixels, and in all.
struct RowBytes {
  std::size_t used, stride;
};

RowBytes row_bytes_of(const BmpHeader& header) {
  const std::size_t used = (static_cast<std::size_t>(header.width) * static_cast<std::size_t>(header.bits) + 7) / 8;
  return {.used = used, .stride = (used + 3) / 4 * 4};
}

/// Where the pixels begin if the place that is stated is within the palette: behind the colours that the header counts,
/// if the file has all rows there.
std::optional<std::size_t> place_behind_palette(Bytes file, const BmpHeader& header, std::size_t palette,
                                                std::size_t entry, std::size_t stated) {
  const std::size_t place = palette + entry * std::min(stated, std::size_t{1} << header.bits);
  const auto [used, stride] = row_bytes_of(header);
  const auto rows = static_cast<std::size_t>(header.height) - 1;
  const bool fits = place + used <= file.size() && (file.size() - place - used) / stride >= rows;
  if (header.packing != Packing::none || header.pixels >= place || !fits) return {};
  return place;
}

BmpHeader header_of(Bytes file) {
  BmpHeader header;
  const auto [width, height] = size_of(file);
  header.width = width;
  header.height = std::abs(height);
  header.top_down = height < 0;
  check_header(header.width, header.height, 8);
  const std::size_t at = header_start(file), bytes = u32_at(file, at);
  const bool core = bytes == core_header;
  if (bytes < core_header || file.size() - at < bytes) throw DecodeFailure{"it is truncated"};
  // Headers of OS/2 may end early, after any of their members; what is left out is 0.
  const auto member = [&](std::size_t offset) { return offset + 4 <= bytes ? u32_at(file, at + offset) : 0; };
  header.bits = u16_at(file, at + (core ? 10 : 14));
  const std::uint32_t compression = core ? 0 : member(16);
  header.packing = packing_of(compression, header.bits, bytes == 64 || (!core && bytes < info_header));

  std::size_t end = at + bytes;
  std::array<std::uint32_t, 4> masks{};
  if (header.packing == Packing::masks) {
    // The masks are members of the longer headers, and follow the shorter ones.
    const std::size_t count = bytes >= 56 || compression == 6 ? 4 : 3;
    if (file.size() < at + info_header + 4 * count) throw DecodeFailure{"it is truncated"};
    for (std::size_t i = 0; i < count; ++i)
      masks[i] = u32_at(file, at + info_header + 4 * i);
    end = std::max(end, at + info_header + 4 * count);
  } else if (header.bits == 16) {
    masks = {0x7C00, 0x03E0, 0x001F, 0};
  } else if (header.bits == 32) {
    masks = {0xFF0000, 0xFF00, 0xFF, 0};
  }
  std::ranges::transform(masks, header.fields.begin(), field);

  const std::size_t entry = core ? 3 : 4;
  header.pixels = u32_at(file, 10 + (at - file_header));
  if (header.pixels == 0) {  // Some programs leave it out: the pixels follow the palette.
    const std::size_t colours = member(32) != 0 || header.bits > 8 ? member(32) : std::size_t{1} << header.bits;
    header.pixels = end + entry * colours;
  }
  if (header.pixels < end) throw DecodeFailure{"its pixels begin inside of its header"};
  if (header.pixels >= file.size()) throw DecodeFailure{"it is truncated"};
  switch (header.bits) {
    case 1:
    case 2:
    case 4:
    case 8:
      if (const auto place = place_behind_palette(file, header, end, entry, member(32))) {
        header.pixels = *place;
        header.note = "its header says that its pixels begin within its palette, so they are taken from behind it";
      }
      header.palette = palette_of(file, end, header.pixels, entry, member(32), header.bits);
      break;
    case 16:
    case 24:
    case 32:
      break;
    default:
      throw DecodeFailure{"pixels of " + std::to_string(header.bits) + " bits are not read"};
  }
  return header;
}

/// The picture while its rows are set. Rows are counted in the order of the file.
class BmpPixels {
 public:
  explicit BmpPixels(const BmpHeader& header)
      : header_(header),
        picture_{
            HostArray(Shape::image(Element::u8, 4, static_cast<int>(header.width), static_cast<int>(header.height)))},
        pixels_(picture_.pixels.image<Rgba8>()) {
    for (int y = 0; y < pixels_.height; ++y)
      std::fill_n(pixels_.row(y), pixels_.width, Rgba8{0, 0, 0, 0});
  }

  [[nodiscard]] Rgba8* row(std::int64_t y) {
    return pixels_.row(static_cast<int>(header_.top_down ? y : header_.height - 1 - y));
  }
  [[nodiscard]] Rgba8 colour(std::size_t index) {
    if (index < header_.palette.size()) return header_.palette[index];
    ++beyond_;
    return {0, 0, 0, 255};
  }
  void note(const std::string& text) { picture_.note += (picture_.note.empty() ? "" : "; ") + text; }
  /// The picture in the number of channels that it needs, with a note of what was made up.
  [[nodiscard]] Loaded finish();

 private:
  [[nodiscard]] bool every(bool (*holds)(const Rgba8&)) const {
    for (int y = 0; y < pixels_.height; ++y)
      if (!std::all_of(pixels_.row(y), pixels_.row(y) + pixels_.width, holds)) return false;
    return true;
  }

  const BmpHeader& header_;
  Loaded picture_;
  ImageView<Rgba8> pixels_;
  std::size_t beyond_ = 0;  ///< Pixels whose index is beyond the palette.
};

Loaded BmpPixels::finish() {
  // Programs that write no alpha, but state a mask for it, leave it 0.
  if (header_.fields[3].bits > 0 && every([](const Rgba8& p) { return p.a == 0; }))
    for (int y = 0; y < pixels_.height; ++y)
      for (int x = 0; x < pixels_.width; ++x)
        pixels_(x, y).a = 255;
  picture_.colour = every([](const Rgba8& p) { return p.a == 255; }) ? FileColour::rgb : FileColour::rgba;
  if (beyond_ > 0)
    note(std::to_string(beyond_) + (beyond_ == 1 ? " pixel has an index" : " pixels have indices") +
         " beyond its palette, and are black");
  if (!header_.note.empty()) note(header_.note);
  const bool grey = every([](const Rgba8& p) { return p.r == p.g && p.g == p.b && p.a == 255; });
  if (header_.palette.empty() || !grey) return std::move(picture_);
  Loaded levels{.pixels = HostArray(Shape::image(Element::u8, 1, pixels_.width, pixels_.height)),
                .note = picture_.note};
  for (int y = 0; y < pixels_.height; ++y)
    std::transform(pixels_.row(y), pixels_.row(y) + pixels_.width, levels.pixels.image<std::uint8_t>().row(y),
                   [](const Rgba8& p) { return p.r; });
  return levels;
}

/// Reads pixels in runs: pairs of a count and an index (or two indices of 4 bits in turns), or after a count of 0 the
/// end of a row (0), the end of the picture (1), a step to the right and up (2), or that many indices as they are. What
/// is skipped stays transparent.
void read_runs(Bytes file, const BmpHeader& header, BmpPixels& canvas) {
  const bool nibbles = header.packing == Packing::rle4;
  std::int64_t x = 0, y = 0;
  std::size_t at = header.pixels;
  bool leaves = false;
  const auto next = [&] {
    if (at >= file.size()) throw DecodeFailure{"it is truncated"};
    return u8_at(file, at++);
  };
  const auto set = [&](unsigned index) {
    if (y >= header.height) throw DecodeFailure{"its pixels go beyond its last row"};
    if (x < header.width) canvas.row(y)[x] = canvas.colour(index);
    leaves = leaves || x >= header.width;
    ++x;
  };
  while (y < header.height) {
    const unsigned count = next(), value = next();
    if (count > 0) {
      for (unsigned i = 0; i < count; ++i)
        set(!nibbles ? value : i % 2 == 0 ? value >> 4 : value & 15);
    } else if (value == 0) {
      x = 0;
      ++y;
    } else if (value == 1) {
      break;
    } else if (value == 2) {
      x += next();
      y += next();
      leaves = leaves || y >= header.height;
    } else {
      const std::size_t start = at;
      unsigned pair = 0;
      for (unsigned i = 0; i < value; ++i) {
        if (!nibbles || i % 2 == 0) pair = next();
        set(!nibbles ? pair : i % 2 == 0 ? pair >> 4 : pair & 15);
      }
      if ((at - start) % 2 != 0 && at < file.size()) ++at;  // Indices as they are fill whole 16-bit words.
    }
  }
  if (leaves) canvas.note("its runs leave the picture, and what they do not reach is transparent");
}

/// Throws unless the file has all rows. Called before there is memory for them.
void require_rows(Bytes file, const BmpHeader& header) {
  const auto [used, stride] = row_bytes_of(header);
  const auto height = static_cast<std::size_t>(header.height);
  // The last row may end without the bytes that fill up its last word.
  if (file.size() - header.pixels < used || (file.size() - header.pixels - used) / stride < height - 1)
    throw DecodeFailure{"it is truncated"};
}

void read_rows(Bytes file, const BmpHeader& header, BmpPixels& canvas) {
  const auto bits = static_cast<std::size_t>(header.bits);
  const auto [used, stride] = row_bytes_of(header);
  for (std::size_t y = 0; y < static_cast<std::size_t>(header.height); ++y) {
    Rgba8* const to = canvas.row(static_cast<std::int64_t>(y));
    const Bytes row = file.subspan(header.pixels + y * stride, used);
    for (std::size_t x = 0; x < static_cast<std::size_t>(header.width); ++x) {
      if (bits == 24) {
        to[x] = {u8_at(row, 3 * x + 2), u8_at(row, 3 * x + 1), u8_at(row, 3 * x), 255};
      } else if (bits > 8) {
        const std::uint32_t pixel = bits == 16 ? u16_at(row, 2 * x) : u32_at(row, 4 * x);
        const auto& [red, green, blue, alpha] = header.fields;
        to[x] = {red.of(pixel), green.of(pixel), blue.of(pixel), alpha.bits == 0 ? std::uint8_t{255} : alpha.of(pixel)};
      } else {
        const std::size_t bit = x * bits;
        const unsigned byte = u8_at(row, bit / 8);
        to[x] = canvas.colour((byte >> (8 - bits - bit % 8)) & ((1u << bits) - 1));
      }
    }
  }
}

Loaded decode_bmp(Bytes file, const ReadingWatch&) {
  const BmpHeader header = header_of(file);
  const bool packed = header.packing == Packing::rle8 || header.packing == Packing::rle4;
  if (!packed) require_rows(file, header);
  BmpPixels canvas(header);
  if (packed)
    read_runs(file, header, canvas);
  else
    read_rows(file, header, canvas);
  return canvas.finish();
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

}  // namespace threadscape::io

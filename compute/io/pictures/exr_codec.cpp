// OpenEXR (float and half; grey, RGB and alpha; all compressions, scan lines and tiles), read through the OpenEXR
// library. The pixels of the data window are the picture; a result of its size has both windows again. Written are
// floats, compressed by ZIP, without losses, and without the library, which says nothing where memory ends while it
// completes a file.

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputFile.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include "compute/io/deflate.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace {

constexpr std::array<char, 4> exr_magic{0x76, 0x2f, 0x31, 0x01};

/// The file in memory as a stream of the library.
class Input final : public Imf::IStream {
 public:
  explicit Input(Bytes file) : IStream("file"), file_(file) {}

  bool read(char to[], int bytes) override {
    if (bytes < 0 || static_cast<std::uint64_t>(bytes) > file_.size() - at_) throw std::runtime_error("truncated");
    std::memcpy(to, file_.data() + at_, static_cast<std::size_t>(bytes));
    at_ += static_cast<std::uint64_t>(bytes);
    return at_ < file_.size();
  }
  std::uint64_t tellg() override { return at_; }
  void seekg(std::uint64_t at) override {
    if (at > file_.size()) throw std::runtime_error("truncated");
    at_ = at;
  }

 private:
  Bytes file_;
  std::uint64_t at_ = 0;
};

/// The channels of a file, in the order of our pixels.
struct Channels {
  std::array<std::string, 4> names;  ///< "" for a channel that the file does not have.
  FileColour colour = FileColour::grey;
};

/// Throws DecodeFailure where the channels are no picture.
Channels channels_of(const Imf::ChannelList& list) {
  std::vector<std::string> all;
  for (auto at = list.begin(); at != list.end(); ++at) {
    all.emplace_back(at.name());
    if (at.channel().xSampling != 1 || at.channel().ySampling != 1)
      throw DecodeFailure{"its channel " + all.back() + " has fewer pixels than the picture, which is not read"};
  }
  const auto has = [&](const char* name) { return std::ranges::count(all, name) > 0; };
  const std::string alpha = has("A") ? "A" : "";
  if (has("R") && has("G") && has("B"))
    return {{"R", "G", "B", alpha}, alpha.empty() ? FileColour::rgb : FileColour::rgba};
  if (has("Y")) return {{"Y", "", "", alpha}, alpha.empty() ? FileColour::grey : FileColour::grey_alpha};
  if (all.size() == 1) return {{all[0], "", "", ""}, FileColour::grey};
  std::string names;
  for (const std::string& name : all)
    names += " " + name;
  throw DecodeFailure{"its channels are" + names + ": R, G and B, Y, or a single one are read"};
}

bool is_exr(Bytes file) {
  return file.size() >= exr_magic.size() && std::memcmp(file.data(), exr_magic.data(), exr_magic.size()) == 0;
}

/// Returns true if one of these bits of the second byte of a file's version is set.
bool has_flag(Bytes file, std::byte bits) {
  constexpr std::size_t flags = 5;
  return file.size() > flags && (file[flags] & bits) != std::byte{};
}
constexpr auto has_tiles = std::byte{0x02}, is_deep = std::byte{0x08};
constexpr auto has_parts = std::byte{0x10};  ///< Several headers follow each other.

/// Where the headers of a file end, and how many there are.
struct Headers {
  std::size_t end = 0;
  int parts = 1;
};

/// Walks over the headers. Throws DecodeFailure if an attribute claims more bytes than the file has. The library takes
/// memory for what an attribute claims before it reads its value, which is up to 2 GiB for a file of some bytes.
Headers headers_of(Bytes file) {
  constexpr std::size_t header = 8;
  const bool parts = has_flag(file, has_parts);
  const auto text_end = [&](std::size_t from) {
    while (from < file.size() && file[from] != std::byte{})
      ++from;
    return from + 1;
  };
  // An attribute is its name, its type, its number of bytes, and these. An empty name ends a header.
  int count = 1;
  for (std::size_t at = header; at < file.size();) {
    if (file[at] == std::byte{}) {
      ++at;
      if (!parts) return {at, 1};
      if (at >= file.size() || file[at] == std::byte{}) return {at + 1, count};
      ++count;
    }
    std::int32_t bytes = 0;
    const std::size_t size = text_end(text_end(at)), value = size + sizeof(bytes);
    if (value > file.size()) throw DecodeFailure{"it is truncated"};
    std::memcpy(&bytes, file.data() + size, sizeof(bytes));
    if (bytes < 0 || static_cast<std::size_t>(bytes) > file.size() - value)
      throw DecodeFailure{"its header says that one value takes " + std::to_string(bytes) + " bytes, and " +
                          std::to_string(file.size() - value) + " follow: it is truncated"};
    at = value + static_cast<std::size_t>(bytes);
  }
  return {file.size(), count};
}

/// The bytes that a block becomes which RLE has compressed; 0 if it is damaged.
std::size_t unpacked_bytes(Bytes block) {
  std::size_t bytes = 0, at = 0;
  while (at < block.size()) {
    const auto count = std::to_integer<std::int8_t>(block[at++]);
    bytes += static_cast<std::size_t>(count < 0 ? -count : count + 1);
    at += static_cast<std::size_t>(count < 0 ? -count : 1);
  }
  return at == block.size() ? bytes : 0;
}

/// The lines of a block, unless it is a tile.
std::int64_t lines_of(Imf::Compression compression) {
  switch (compression) {
    case Imf::ZIP_COMPRESSION:
    case Imf::PXR24_COMPRESSION:
      return 16;
    case Imf::PIZ_COMPRESSION:
    case Imf::B44_COMPRESSION:
    case Imf::B44A_COMPRESSION:
    case Imf::DWAA_COMPRESSION:
      return 32;
    case Imf::DWAB_COMPRESSION:
      return 256;
    default:
      return 1;
  }
}

/// Throws DecodeFailure if the block whose number of bytes is at `at` has fewer than `wanted` without compression. The
/// library shows memory then that was never set. It looks itself at the lengths within the other compressions.
void check_block(Bytes file, std::size_t at, std::size_t wanted, Imf::Compression compression) {
  const std::size_t stored = little_endian_at(file, at, 4), begin = at + 4;
  if (stored > file.size() - begin) throw DecodeFailure{"it is truncated"};
  if (stored >= wanted) return;  // The block is stored without compression.
  const Bytes block = file.subspan(begin, stored);
  bool whole = stored > 0;
  if (compression == Imf::NO_COMPRESSION) whole = false;
  if (compression == Imf::RLE_COMPRESSION) whole = unpacked_bytes(block) == wanted;
  if (whole && (compression == Imf::ZIP_COMPRESSION || compression == Imf::ZIPS_COMPRESSION))
    (void)inflated(block, static_cast<std::int64_t>(wanted), Deflate::zlib_or_gzip);
  if (!whole) throw DecodeFailure{"corrupt EXR: a block has fewer bytes than its pixels"};
}

/// Calls check_block() for the blocks of the picture, whose places are in a table at `table`.
void check_blocks(Bytes file, std::size_t table, const Imf::Header& header) {
  const bool parts = has_flag(file, has_parts);
  const std::string type = header.hasType() ? header.type() : "";
  if (has_flag(file, is_deep) || type.starts_with("deep"))
    throw DecodeFailure{"its pixels have several samples each (deep), which is not read"};
  const bool tiled = header.hasTileDescription() && (parts ? type == "tiledimage" : has_flag(file, has_tiles));
  std::size_t pixel_bytes = 0;
  for (auto at = header.channels().begin(); at != header.channels().end(); ++at)
    pixel_bytes += at.channel().type == Imf::HALF ? 2 : 4;
  const Imath::Box2i& window = header.dataWindow();
  const auto width = std::int64_t{window.max.x} - window.min.x + 1,
             height = std::int64_t{window.max.y} - window.min.y + 1;
  const std::int64_t columns = tiled ? header.tileDescription().xSize : width;
  const std::int64_t lines = tiled ? header.tileDescription().ySize : lines_of(header.compression());
  // A block begins with the number of its part, its place, and the number of its bytes.
  const std::size_t before = (parts ? 4 : 0) + (tiled ? 16 : 4);
  for (std::int64_t y = 0; y < height; y += lines)
    for (std::int64_t x = 0; x < width; x += columns, table += sizeof(std::uint64_t)) {
      const std::uint64_t at = little_endian_at(file, table, sizeof(std::uint64_t));
      if (at == 0 || at > file.size()) throw DecodeFailure{"it is truncated"};
      const std::int64_t pixels = std::min(columns, width - x) * std::min(lines, height - y);
      check_block(file, at + before, static_cast<std::size_t>(pixels) * pixel_bytes, header.compression());
    }
}

Loaded read_exr(Bytes file) {
  const auto [table, parts] = headers_of(file);
  const auto limit = static_cast<int>(std::min<std::int64_t>(limit_of(Limit::pixels), std::numeric_limits<int>::max()));
  Imf::Header::setMaxImageSize(limit, limit);
  Imf::Header::setMaxTileSize(limit, limit);
  Input stream(file);
  Imf::InputFile exr(stream, 0);
  const Imath::Box2i window = exr.header().dataWindow();
  const auto width = std::int64_t{window.max.x} - window.min.x + 1,
             height = std::int64_t{window.max.y} - window.min.y + 1;
  const Channels channels = channels_of(exr.header().channels());
  const Shape shape = Shape::image(Element::f32, channels.colour == FileColour::grey ? 1 : 4, width, height);
  check_header(width, height, 2 * shape.pixel_bytes(), file.size());
  check_blocks(file, table, exr.header());
  Loaded picture{HostArray(shape), channels.colour};
  const Imath::Box2i& display = exr.header().displayWindow();
  if (window != display || window.min != Imath::V2i(0, 0))
    picture.facts.windows = {.data = {window.min.x, window.min.y, window.max.x, window.max.y},
                             .display = {display.min.x, display.min.y, display.max.x, display.max.y}};
  const auto pitch = static_cast<std::ptrdiff_t>(picture.pixels.pitch());
  const auto pixel = static_cast<std::ptrdiff_t>(shape.pixel_bytes());
  Imf::FrameBuffer buffer;
  for (std::size_t c = 0; c < 4; ++c) {
    if (channels.names[c].empty()) continue;
    // The library adds the coordinates in the data window, which may begin anywhere: the origin can lie outside of the
    // array, so that it is computed as a number.
    const auto first = reinterpret_cast<std::uintptr_t>(picture.pixels.data()) + c * sizeof(float);
    const auto origin = first - static_cast<std::uintptr_t>(window.min.x * pixel + window.min.y * pitch);
    buffer.insert(channels.names[c], Imf::Slice(Imf::FLOAT, reinterpret_cast<char*>(origin),
                                                static_cast<std::size_t>(pixel), static_cast<std::size_t>(pitch)));
  }
  exr.setFrameBuffer(buffer);
  exr.readPixels(window.min.y, window.max.y);
  if (parts > 1) picture.note = "it has " + std::to_string(parts) + " parts, of which the first is read";
  if (shape.channels == 1) return picture;
  const auto pixels = picture.pixels.image<Rgba32f>();
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      if (channels.names[1].empty()) pixels(x, y).g = pixels(x, y).b = pixels(x, y).r;
      if (channels.names[3].empty()) pixels(x, y).a = 1.0f;
    }
  return picture;
}

Loaded decode_exr(Bytes file, const ReadingWatch&) {
  try {
    return read_exr(file);
  } catch (const Error&) {
    throw;
  } catch (const std::exception& error) {
    const std::string text = error.what();
    const bool cut = text.find("truncated") != std::string::npos;
    throw DecodeFailure{cut ? "it is truncated" : "corrupt EXR: " + text};
  }
}

/// Appends a value as it lies in memory: the numbers of the format are little endian, as those of this machine are.
template <class T>
void append(std::string& text, const T& value) {
  text.append(reinterpret_cast<const char*>(&value), sizeof value);
}

/// The header of a picture that is compressed by ZIP, with these channels of floats.
std::string header_text(const PictureWindows& windows, const std::string& channels) {
  std::string header(exr_magic.begin(), exr_magic.end());
  const auto attribute = [&](const char* name, const char* type, const std::string& value) {
    header.append(name).append(1, '\0').append(type).append(1, '\0');
    append(header, static_cast<std::int32_t>(value.size()));
    header += value;
  };
  std::string list, data, display, one;
  for (const char name : channels) {
    constexpr std::array<std::int32_t, 4> floats_of_all_pixels{2, 0, 1, 1};
    list.append(1, name).append(1, '\0');
    append(list, floats_of_all_pixels);
  }
  append(data, windows.data);
  append(display, windows.display);
  append(one, 1.0f);
  constexpr std::int32_t version = 2;
  append(header, version);
  attribute("channels", "chlist", list + '\0');
  attribute("compression", "compression", "\3");
  attribute("dataWindow", "box2i", data);
  attribute("displayWindow", "box2i", display);
  attribute("lineOrder", "lineOrder", std::string(1, '\0'));
  attribute("pixelAspectRatio", "float", one);
  attribute("screenWindowCenter", "v2f", std::string(8, '\0'));
  attribute("screenWindowWidth", "float", one);
  return header + '\0';
}

/// Compresses bytes as ZIP does: first those with even numbers, then the others, each as the difference from the one
/// before it.
std::vector<std::byte> zipped(Bytes from) {
  std::vector<std::byte> parted;
  parted.reserve(from.size());
  for (const std::size_t first : {0, 1})
    for (std::size_t i = first; i < from.size(); i += 2)
      parted.push_back(from[i]);
  for (std::size_t i = parted.size() - 1; i > 0; --i)
    parted[i] = static_cast<std::byte>(std::to_integer<int>(parted[i]) - std::to_integer<int>(parted[i - 1]) + 128);
  constexpr int level = 4;
  return deflated(parted, level);
}

void encode_exr(FileWriter& file, HostIn pixels, const EncodeOptions& options) {
  constexpr std::int64_t lines_at_once = 16;
  const Shape& shape = pixels.shape;
  const bool rgb = options.colour == FileColour::rgb || options.colour == FileColour::rgba;
  const bool alpha = options.colour == FileColour::rgba || options.colour == FileColour::grey_alpha;
  const std::string channels = (alpha ? "A" : "") + std::string(rgb ? "BGR" : "Y");  // In the order of the alphabet.
  if (shape.width >
      std::numeric_limits<std::int32_t>::max() / static_cast<std::int64_t>(lines_at_once * sizeof(Rgba32f)))
    throw EnvironmentError("cannot write EXR: its lines are too long: choose another format for " + to_string(shape));
  const std::array<std::int32_t, 4> whole{0, 0, static_cast<std::int32_t>(shape.width - 1),
                                          static_cast<std::int32_t>(shape.height - 1)};
  const PictureWindows windows = options.facts.windows.value_or(PictureWindows{whole, whole});
  std::string header = header_text(windows, channels), blocks;
  const std::int64_t count = (shape.height + lines_at_once - 1) / lines_at_once;
  const std::uint64_t first = header.size() + static_cast<std::uint64_t>(count) * sizeof(std::uint64_t);
  std::vector<std::byte> lines;
  for (std::int64_t y0 = 0; y0 < shape.height; y0 += lines_at_once) {
    lines.clear();
    for (std::int64_t y = y0; y < std::min(y0 + lines_at_once, shape.height); ++y)
      for (const char name : channels) {
        const std::size_t channel = name == 'A' ? 3 : name == 'B' ? 2 : name == 'G' ? 1 : 0;
        const std::byte* from = pixels.data + static_cast<std::size_t>(y) * pixels.pitch + channel * sizeof(float);
        for (std::int64_t x = 0; x < shape.width; ++x, from += shape.pixel_bytes())
          lines.insert(lines.end(), from, from + sizeof(float));
      }
    const std::vector<std::byte> packed = zipped(lines);
    // A block that compression does not make smaller is stored as it is.
    const std::vector<std::byte>& stored = packed.size() < lines.size() ? packed : lines;
    append(header, first + blocks.size());
    append(blocks, static_cast<std::int32_t>(y0 + windows.data[1]));
    append(blocks, static_cast<std::int32_t>(stored.size()));
    blocks.append(reinterpret_cast<const char*>(stored.data()), stored.size());
  }
  file.write(header);
  file.write(blocks);
}

}  // namespace

ImageFormat exr_format() {
  static constexpr std::array<std::string_view, 1> extensions{".exr"};
  return {.name = "EXR",
          .extensions = extensions,
          .sniff = is_exr,
          .decode = decode_exr,
          .encode = encode_exr,
          .numbers = {.f32 = true},
          .colour = true,
          .alpha = true,
          .windows = true};
}

}  // namespace threadscape::io

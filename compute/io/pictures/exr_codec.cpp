// OpenEXR (float and half; grey, RGB and alpha; all compressions, scan lines and tiles) through the OpenEXR library.
// The pixels of the data window are the picture. Written are floats, compressed by ZIP, without losses.

#include <OpenEXR/ImfChannelList.h>
#include <OpenEXR/ImfFrameBuffer.h>
#include <OpenEXR/ImfHeader.h>
#include <OpenEXR/ImfIO.h>
#include <OpenEXR/ImfInputFile.h>
#include <OpenEXR/ImfOutputFile.h>

#include <algorithm>
#include <array>
#include <cstring>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

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

/// Collects what the library writes: it goes back to its beginning at the end.
class Output final : public Imf::OStream {
 public:
  Output() : OStream("file") {}

  void write(const char from[], int bytes) override {
    if (at_ + static_cast<std::size_t>(bytes) > content.size()) content.resize(at_ + static_cast<std::size_t>(bytes));
    std::memcpy(content.data() + at_, from, static_cast<std::size_t>(bytes));
    at_ += static_cast<std::size_t>(bytes);
  }
  std::uint64_t tellp() override { return at_; }
  void seekp(std::uint64_t at) override { at_ = static_cast<std::size_t>(at); }

  std::vector<char> content;

 private:
  std::size_t at_ = 0;
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

/// Throws DecodeFailure if an attribute of the header claims more bytes than the file has. The library takes memory for
/// what an attribute claims before it reads its value, which is up to 2 GiB for a file of some bytes.
void check_attributes(Bytes file) {
  constexpr std::size_t version = 4, header = 8;
  constexpr auto has_parts = std::byte{0x10};  // Bit 12 of the version: several headers follow each other.
  const bool parts = file.size() > version + 1 && (file[version + 1] & has_parts) != std::byte{};
  const auto text_end = [&](std::size_t from) {
    while (from < file.size() && file[from] != std::byte{})
      ++from;
    return from + 1;
  };
  // An attribute is its name, its type, its number of bytes, and these. An empty name ends a header.
  for (std::size_t at = header; at < file.size();) {
    if (file[at] == std::byte{}) {
      ++at;
      if (!parts || at >= file.size() || file[at] == std::byte{}) return;
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
}

Loaded read_exr(Bytes file) {
  check_attributes(file);
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
  check_header(width, height, 2 * shape.pixel_bytes());
  Loaded picture{HostArray(shape), channels.colour};
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
  if (shape.channels == 1) return picture;
  const auto pixels = picture.pixels.image<Rgba32f>();
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      if (channels.names[1].empty()) pixels(x, y).g = pixels(x, y).b = pixels(x, y).r;
      if (channels.names[3].empty()) pixels(x, y).a = 1.0f;
    }
  return picture;
}

Loaded decode_exr(Bytes file) {
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

void encode_exr(FileWriter& file, HostIn pixels, const EncodeOptions& options) {
  const Shape& shape = pixels.shape;
  const bool rgb = options.colour == FileColour::rgb || options.colour == FileColour::rgba;
  const bool alpha = options.colour == FileColour::rgba || options.colour == FileColour::grey_alpha;
  Imf::Header header(static_cast<int>(shape.width), static_cast<int>(shape.height));
  header.compression() = Imf::ZIP_COMPRESSION;
  Imf::FrameBuffer buffer;
  const auto add = [&](const char* name, std::size_t channel) {
    header.channels().insert(name, Imf::Channel(Imf::FLOAT));
    // The library only reads the pixels.
    char* base = const_cast<char*>(reinterpret_cast<const char*>(pixels.data)) + channel * sizeof(float);
    buffer.insert(name, Imf::Slice(Imf::FLOAT, base, shape.pixel_bytes(), pixels.pitch));
  };
  add(rgb ? "R" : "Y", 0);
  if (rgb) add("G", 1);
  if (rgb) add("B", 2);
  if (alpha) add("A", 3);
  Output stream;
  try {
    // The destructor of the file completes the stream.
    Imf::OutputFile exr(stream, header, 0);
    exr.setFrameBuffer(buffer);
    exr.writePixels(static_cast<int>(shape.height));
  } catch (const std::exception& error) {
    throw EnvironmentError("cannot write EXR: " + std::string(error.what()));
  }
  file.write(stream.content.data(), stream.content.size());
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
          .alpha = true};
}

}  // namespace threadscape::io

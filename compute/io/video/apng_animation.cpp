// APNG: every frame is encoded as a PNG by libpng, whose chunks are then put into the file of the animation. The libpng
// of most systems does not know the chunks of animations: acTL (number of frames), fcTL (place and time of a frame),
// fdAT (pixels of all frames but the first).

#include <png.h>
#include <zlib.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <cstring>
#include <span>
#include <string_view>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/file_writer.h"
#include "compute/io/video/animation.h"

namespace threadscape::io {

namespace {

using Buffer = std::vector<std::uint8_t>;
constexpr std::array<std::uint8_t, 8> png_signature{0x89, 'P', 'N', 'G', '\r', '\n', 0x1A, '\n'};

void put32(Buffer& to, std::uint32_t value) {
  for (int shift = 24; shift >= 0; shift -= 8)
    to.push_back(static_cast<std::uint8_t>(value >> shift));
}
void put16(Buffer& to, std::uint32_t value) {
  to.push_back(static_cast<std::uint8_t>(value >> 8));
  to.push_back(static_cast<std::uint8_t>(value));
}
std::uint32_t get32(const std::uint8_t* from) {
  return std::uint32_t{from[0]} << 24 | std::uint32_t{from[1]} << 16 | std::uint32_t{from[2]} << 8 | from[3];
}

/// A part of a picture as RGB in a PNG file.
Buffer encoded(HostIn picture, const FrameBox& box) {
  Buffer rgb(static_cast<std::size_t>(box.width) * static_cast<std::size_t>(box.height) * 3);
  std::uint8_t* to = rgb.data();
  for (int y = box.y; y < box.y + box.height; ++y) {
    const auto* pixel = reinterpret_cast<const Rgba8*>(picture.data + static_cast<std::size_t>(y) * picture.pitch);
    for (int x = box.x; x < box.x + box.width; ++x) {
      *to++ = pixel[x].r;
      *to++ = pixel[x].g;
      *to++ = pixel[x].b;
    }
  }
  png_image image{};
  image.version = PNG_IMAGE_VERSION;
  image.width = static_cast<png_uint_32>(box.width);
  image.height = static_cast<png_uint_32>(box.height);
  image.format = PNG_FORMAT_RGB;
  png_alloc_size_t bytes = PNG_IMAGE_PNG_SIZE_MAX(image);
  Buffer file(bytes);
  if (png_image_write_to_memory(&image, file.data(), &bytes, 0, rgb.data(), 0, nullptr) == 0)
    throw EnvironmentError(std::string("cannot encode a frame as PNG: ") + image.message);
  file.resize(bytes);
  return file;
}

class ApngWriter final : public AnimationWriter {
 public:
  using AnimationWriter::AnimationWriter;

 private:
  void begin(int, int) override { file_.emplace(path()); }

  void add_rgba(HostIn picture, double begin, double end) override {
    const FrameBox box = changed_box(before_, picture);
    const Buffer png = encoded(picture, box);
    bool described = false;  // The frame's fcTL comes before its first pixels.
    for (std::size_t at = png_signature.size(); at + 12 <= png.size();) {
      const std::uint32_t length = get32(png.data() + at);
      const std::string_view type(reinterpret_cast<const char*>(png.data() + at + 4), 4);
      const std::span<const std::uint8_t> data(png.data() + at + 8, length);
      if (type == "IHDR" && frames() == 0) write_header(data);
      if (type == "IDAT") {
        if (!std::exchange(described, true)) write_control(box, begin, end);
        write_pixels(data);
      }
      at += std::size_t{12} + length;
    }
    HostArray copy_of(picture.shape);
    copy(picture, copy_of.view());
    before_ = std::move(copy_of);
  }

  void end() override {
    write_chunk("IEND", {});
    // The number of frames is at the beginning, and often known only now.
    if (frames() != options().frames) {
      const Buffer chunk = repetition(frames());
      file_->rewrite(repetition_at, chunk.data(), chunk.size());
    }
    file_->commit();
  }

  static Buffer chunk_of(const char* type, std::span<const std::uint8_t> data) {
    Buffer chunk;
    chunk.reserve(data.size() + 12);
    put32(chunk, static_cast<std::uint32_t>(data.size()));
    chunk.insert(chunk.end(), type, type + 4);
    chunk.insert(chunk.end(), data.begin(), data.end());
    // The checksum is that of the type and the data.
    put32(chunk, static_cast<std::uint32_t>(crc32(0, chunk.data() + 4, static_cast<uInt>(data.size() + 4))));
    return chunk;
  }
  void write_chunk(const char* type, std::span<const std::uint8_t> data) { write(chunk_of(type, data)); }
  void write(const Buffer& bytes) { file_->write(bytes.data(), bytes.size()); }

  /// The chunk that says how many frames the animation has.
  static Buffer repetition(std::int64_t frames) {
    Buffer animation;
    put32(animation, static_cast<std::uint32_t>(frames));
    put32(animation, 0);  // Zero plays repeat without end.
    return chunk_of("acTL", animation);
  }

  void write_header(std::span<const std::uint8_t> header) {
    file_->write(png_signature.data(), png_signature.size());
    write_chunk("IHDR", header);
    write(repetition(options().frames));
  }

  void write_control(const FrameBox& box, double begin, double end) {
    constexpr std::uint32_t ticks = 1000;  // Times are in milliseconds, up to a number of 16 bits.
    constexpr long most = 65535;
    Buffer control;
    put32(control, sequence_++);
    for (const int value : {box.width, box.height, box.x, box.y})
      put32(control, static_cast<std::uint32_t>(value));
    const long time = std::lround(ticks * end) - std::lround(ticks * begin);
    put16(control, static_cast<std::uint32_t>(std::clamp(time, 0L, most)));
    put16(control, ticks);
    control.push_back(0);  // The frame stays when its time is over.
    control.push_back(0);  // The frame replaces what was there.
    write_chunk("fcTL", control);
  }

  void write_pixels(std::span<const std::uint8_t> data) {
    if (frames() == 0) return write_chunk("IDAT", data);
    Buffer numbered;
    numbered.reserve(data.size() + 4);
    put32(numbered, sequence_++);
    numbered.insert(numbered.end(), data.begin(), data.end());
    write_chunk("fdAT", numbered);
  }

  /// Where repetition() is in the file: behind the signature and the IHDR chunk of 25 bytes.
  static constexpr std::int64_t repetition_at = 33;
  std::optional<FileWriter> file_;
  std::optional<HostArray> before_;  ///< The frame before the next one.
  std::uint32_t sequence_ = 0;       ///< The number of the next fcTL or fdAT.
};

}  // namespace

std::unique_ptr<FrameWriter> make_apng(const std::filesystem::path& path, const FrameWriterOptions& options) {
  return std::make_unique<ApngWriter>(path, options);
}

}  // namespace threadscape::io

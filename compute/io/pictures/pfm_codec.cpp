// PFM, the float variant of PNM: "PF" (RGB) or "Pf" (grey), width, height, and a scale whose sign says the byte order
// (negative = little endian). Rows are stored from the bottom up. Values are taken unscaled: the magnitude of the scale
// is ignored, as most readers do.

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

#include "compute/io/ascii.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace {

/// The words of the header, which are separated by white space; a single white space ends the last one.
class Header {
 public:
  explicit Header(std::string_view text) : text_(text) {}

  [[nodiscard]] std::string_view word() {
    while (at_ < text_.size() && is_space(text_[at_]))
      ++at_;
    const std::size_t first = at_;
    while (at_ < text_.size() && !is_space(text_[at_]))
      ++at_;
    if (at_ == text_.size()) throw DecodeFailure{"it is truncated"};
    return text_.substr(first, at_ - first);
  }
  template <class T>
  [[nodiscard]] T number() {
    const std::string_view text = word();
    T value{};
    const auto result = std::from_chars(text.data(), text.data() + text.size(), value);
    if (result.ec != std::errc{} || result.ptr != text.data() + text.size())
      throw DecodeFailure{"corrupt PFM: a number is expected, not '" + std::string(text.substr(0, 20)) + "'"};
    return value;
  }
  [[nodiscard]] std::string_view body() const { return text_.substr(at_ + 1); }

 private:
  std::string_view text_;
  std::size_t at_ = 2;  // Position in the file; reading starts after the signature of two bytes.
};

/// The value with its four bytes in reverse order.
float swapped(float value) {
  const auto bits = std::bit_cast<std::uint32_t>(value);
  return std::bit_cast<float>(bits << 24 | (bits & 0xff00) << 8 | (bits >> 8 & 0xff00) | bits >> 24);
}

bool is_pfm(Bytes file) {
  if (file.size() < 3 || std::to_integer<char>(file[0]) != 'P') return false;
  const char kind = std::to_integer<char>(file[1]);
  return (kind == 'F' || kind == 'f') && is_space(std::to_integer<char>(file[2]));
}

/// What a PFM says before its pixels.
struct PfmStart {
  bool colour = false;
  Shape shape;
  double scale = 0;
  std::size_t row_bytes = 0;  ///< Of the file.
  std::string_view body;      ///< The pixels, as far as they are there.
};

PfmStart read_pfm_start(Bytes file) {
  const std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  PfmStart start{.colour = text[1] == 'F', .shape = {}, .body = {}};
  Header header(text);
  const auto width = header.number<std::int64_t>();
  const auto height = header.number<std::int64_t>();
  start.scale = header.number<double>();
  if (start.scale == 0.0 || !std::isfinite(start.scale))
    throw DecodeFailure{"corrupt PFM: its scale is neither + nor -"};
  start.shape = Shape::image(Element::f32, start.colour ? 4 : 1, width, height);
  check_header(width, height, start.shape.pixel_bytes());
  start.row_bytes = static_cast<std::size_t>(width) * (start.colour ? 3 : 1) * sizeof(float);
  start.body = header.body();
  return start;
}

std::int64_t max_pfm_bytes(Bytes beginning) {
  const PfmStart start = read_pfm_start(beginning);
  return static_cast<std::int64_t>(beginning.size() - start.body.size()) +
         static_cast<std::int64_t>(start.row_bytes) * start.shape.height;
}

Loaded decode_pfm(Bytes file, const ReadingWatch&) {
  const auto [colour, shape, scale, row_bytes, body] = read_pfm_start(file);
  const std::int64_t height = shape.height;
  if (body.size() < row_bytes * static_cast<std::size_t>(height)) throw DecodeFailure{"it is truncated"};

  Loaded picture{HostArray(shape), colour ? FileColour::rgb : FileColour::grey};
  const bool swap = (scale < 0.0) != (std::endian::native == std::endian::little);
  std::vector<float> line(row_bytes / sizeof(float));
  for (std::int64_t y = 0; y < height; ++y) {
    std::memcpy(line.data(), body.data() + static_cast<std::size_t>(height - 1 - y) * row_bytes, row_bytes);
    if (swap) std::ranges::transform(line, line.begin(), swapped);
    if (!colour) {
      std::memcpy(picture.pixels.image<float>().row(static_cast<int>(y)), line.data(), row_bytes);
      continue;
    }
    Rgba32f* out = picture.pixels.image<Rgba32f>().row(static_cast<int>(y));
    for (std::size_t i = 0; i < line.size(); i += 3)
      *out++ = {line[i], line[i + 1], line[i + 2], 1.0f};
  }
  return picture;
}

/// Alpha is left out.
void encode_pfm(FileWriter& file, HostIn pixels, const EncodeOptions&) {
  const Shape& shape = pixels.shape;
  const bool colour = shape.channels == 4;
  const bool little = std::endian::native == std::endian::little;
  file.write(std::string(colour ? "PF" : "Pf") + "\n" + std::to_string(shape.width) + " " +
             std::to_string(shape.height) + "\n" + (little ? "-1.0" : "1.0") + "\n");
  std::vector<float> line;
  for (auto y = static_cast<int>(shape.height) - 1; y >= 0; --y) {
    if (!colour) {
      file.write(pixels.image<float>().row(y), static_cast<std::size_t>(shape.width) * sizeof(float));
      continue;
    }
    line.clear();
    const Rgba32f* in = pixels.image<Rgba32f>().row(y);
    for (std::int64_t x = 0; x < shape.width; ++x, ++in)
      line.insert(line.end(), {in->r, in->g, in->b});
    file.write(line.data(), line.size() * sizeof(float));
  }
}

}  // namespace

ImageFormat pfm_format() {
  static constexpr std::array<std::string_view, 1> extensions{".pfm"};
  return {.name = "PFM",
          .extensions = extensions,
          .sniff = is_pfm,
          .decode = decode_pfm,
          .max_bytes = max_pfm_bytes,
          .encode = encode_pfm,
          .numbers = {.f32 = true},
          .colour = true};
}

}  // namespace threadscape::io

// The Netpbm formats PGM (grey: P2 in text, P5 binary) and PPM (RGB: P3 in text, P6 binary); values of two bytes are
// big endian. Values are scaled from the maximum that the header states to the full range of 8 or 16 bit. The extension
// .pnm stands for either.

#include <algorithm>
#include <array>
#include <limits>
#include <string_view>
#include <vector>

#include "compute/io/ascii.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace {

constexpr std::int64_t max_maximum = 65535;

bool is_digit(char c) {
  return c >= '0' && c <= '9';
}

/// Reads the decimal numbers of the header and of the text formats; skips white space and comments.
class Scanner {
 public:
  explicit Scanner(std::string_view text) : text_(text) {}

  [[nodiscard]] std::int64_t number() {
    skip_space();
    if (at_ == text_.size()) throw DecodeFailure{"it is truncated"};
    if (!is_digit(text_[at_])) throw DecodeFailure{"corrupt PNM: a number is expected at byte " + std::to_string(at_)};
    std::int64_t value = 0;
    for (; at_ < text_.size() && is_digit(text_[at_]); ++at_) {
      value = value * 10 + (text_[at_] - '0');
      if (value > std::int64_t{1} << 40) throw DecodeFailure{"corrupt PNM: a number has too many digits"};
    }
    return value;
  }
  /// The binary values, which follow the single white space that ends a header.
  [[nodiscard]] std::string_view body() const {
    if (at_ == text_.size()) throw DecodeFailure{"it is truncated"};
    if (!is_space(text_[at_])) throw DecodeFailure{"corrupt PNM: the header does not end with white space"};
    return text_.substr(at_ + 1);
  }

 private:
  void skip_space() {
    while (at_ < text_.size() && (is_space(text_[at_]) || text_[at_] == '#')) {
      if (text_[at_] == '#') at_ = std::min(text_.find('\n', at_), text_.size() - 1);
      ++at_;
    }
  }
  std::string_view text_;
  std::size_t at_ = 2;  // Position in the file; reading starts after the signature of two bytes.
};

/// The values of all channels in file order, each 0..maximum.
class Values {
 public:
  Values(Scanner& scanner, bool text, std::int64_t count, std::int64_t maximum)
      : scanner_(scanner), text_(text), maximum_(maximum) {
    if (text) return;
    body_ = scanner.body();
    const auto need = static_cast<std::size_t>(count) * (maximum > 255 ? 2 : 1);
    if (body_.size() < need) throw DecodeFailure{"it is truncated"};
  }
  [[nodiscard]] std::int64_t next() {
    const std::int64_t value = text_ ? scanner_.number() : maximum_ > 255 ? byte() * 256 + byte() : byte();
    if (value > maximum_)
      throw DecodeFailure{"corrupt PNM: the value " + std::to_string(value) + " exceeds its maximum " +
                          std::to_string(maximum_)};
    return value;
  }

 private:
  std::int64_t byte() { return static_cast<unsigned char>(body_[at_++]); }
  Scanner& scanner_;
  bool text_;
  std::int64_t maximum_;
  std::string_view body_;
  std::size_t at_ = 0;
};

template <class T>
void read_values(Values& values, HostOut out, int file_channels, std::int64_t maximum) {
  constexpr std::int64_t full = std::numeric_limits<T>::max();
  const auto next = [&] { return static_cast<T>((values.next() * full + maximum / 2) / maximum); };
  for (std::int64_t y = 0; y < out.shape.height; ++y) {
    T* row = reinterpret_cast<T*>(out.data + static_cast<std::size_t>(y) * out.pitch);
    for (std::int64_t x = 0; x < out.shape.width; ++x) {
      for (int c = 0; c < file_channels; ++c)
        *row++ = next();
      if (file_channels == 3) *row++ = static_cast<T>(full);
    }
  }
}

template <class T>
void write_values(FileWriter& file, HostIn pixels, bool colour) {
  std::vector<unsigned char> line;
  for (std::int64_t y = 0; y < pixels.shape.height; ++y) {
    const T* in = reinterpret_cast<const T*>(pixels.data + static_cast<std::size_t>(y) * pixels.pitch);
    line.clear();
    for (std::int64_t x = 0; x < pixels.shape.width; ++x, in += pixels.shape.channels)
      for (int c = 0; c < (colour ? 3 : 1); ++c) {
        const T value = in[pixels.shape.channels == 1 ? 0 : c];
        if constexpr (sizeof(T) == 2) line.push_back(static_cast<unsigned char>(value >> 8));
        line.push_back(static_cast<unsigned char>(value & 0xFF));
      }
    file.write(line.data(), line.size());
  }
}

/// Returns whether the file begins with 'P' and one of these two digits.
bool has_signature(Bytes file, char text, char binary) {
  if (file.size() < 3 || std::to_integer<char>(file[0]) != 'P') return false;
  const char digit = std::to_integer<char>(file[1]), next = std::to_integer<char>(file[2]);
  return (digit == text || digit == binary) && (is_space(next) || next == '#');
}
bool is_pgm(Bytes file) {
  return has_signature(file, '2', '5');
}
bool is_ppm(Bytes file) {
  return has_signature(file, '3', '6');
}

std::string_view text_of(Bytes file) {
  return {reinterpret_cast<const char*>(file.data()), file.size()};
}

/// What a PNM says before its values.
struct PnmStart {
  bool text = false;      ///< The values are decimal numbers.
  int file_channels = 1;  ///< 1 or 3.
  std::int64_t maximum = 0;
  Shape shape;

  [[nodiscard]] std::int64_t values() const { return shape.items() * file_channels; }
};

PnmStart read_pnm_start(Scanner& scanner, char digit) {
  PnmStart start{.text = digit <= '3', .file_channels = digit == '3' || digit == '6' ? 3 : 1, .shape = {}};
  const std::int64_t width = scanner.number();
  const std::int64_t height = scanner.number();
  const std::int64_t maximum = start.maximum = scanner.number();
  if (maximum < 1 || maximum > max_maximum)
    throw DecodeFailure{"corrupt PNM: its maximum is " + std::to_string(maximum) + ", not 1..65535"};
  start.shape =
      Shape::image(maximum > 255 ? Element::u16 : Element::u8, start.file_channels == 1 ? 1 : 4, width, height);
  check_header(width, height, start.shape.pixel_bytes());
  return start;
}

std::int64_t max_pnm_bytes(Bytes beginning) {
  const std::string_view text = text_of(beginning);
  Scanner scanner(text);
  const PnmStart start = read_pnm_start(scanner, text[1]);
  // A decimal number has at most five digits; the rest is for the space between numbers, and for comments.
  constexpr std::int64_t text_bytes = 16, comment_bytes = std::int64_t{1} << 20;
  if (start.text) return picture_beginning + comment_bytes + start.values() * text_bytes;
  const std::size_t header_bytes = text.size() - scanner.body().size();
  return static_cast<std::int64_t>(header_bytes) + start.values() * (start.maximum > 255 ? 2 : 1);
}

Loaded decode_pnm(Bytes file, const ReadingWatch&) {
  const std::string_view text = text_of(file);
  Scanner scanner(text);
  const PnmStart start = read_pnm_start(scanner, text[1]);
  Values values(scanner, start.text, start.values(), start.maximum);

  Loaded picture;
  picture.colour = start.file_channels == 3 ? FileColour::rgb : FileColour::grey;
  picture.pixels = HostArray(start.shape);
  if (start.shape.element == Element::u8)
    read_values<std::uint8_t>(values, picture.pixels.view(), start.file_channels, start.maximum);
  else
    read_values<std::uint16_t>(values, picture.pixels.view(), start.file_channels, start.maximum);
  return picture;
}

void encode_pnm(FileWriter& file, HostIn pixels, bool colour) {
  const Shape& shape = pixels.shape;
  const bool wide = shape.element == Element::u16;
  file.write(std::string(colour ? "P6" : "P5") + "\n" + std::to_string(shape.width) + " " +
             std::to_string(shape.height) + "\n" + (wide ? "65535" : "255") + "\n");
  if (wide)
    write_values<std::uint16_t>(file, pixels, colour);
  else
    write_values<std::uint8_t>(file, pixels, colour);
}

}  // namespace

ImageFormat pgm_format() {
  static constexpr std::array<std::string_view, 1> extensions{".pgm"};
  return {.name = "PGM",
          .extensions = extensions,
          .sniff = is_pgm,
          .decode = decode_pnm,
          .max_bytes = max_pnm_bytes,
          .encode = [](FileWriter& file, HostIn pixels, const EncodeOptions&) {
            encode_pnm(file, pixels, /*colour=*/false);
          }};
}

ImageFormat ppm_format() {
  static constexpr std::array<std::string_view, 1> extensions{".ppm"};
  return {.name = "PPM",
          .extensions = extensions,
          .sniff = is_ppm,
          .decode = decode_pnm,
          .max_bytes = max_pnm_bytes,
          .encode = [](FileWriter& file, HostIn pixels,
                       const EncodeOptions&) { encode_pnm(file, pixels, /*colour=*/true); },
          .colour = true};
}

ImageFormat pnm_format() {
  static constexpr std::array<std::string_view, 1> extensions{".pnm"};
  return {.name = "PNM",
          .extensions = extensions,
          .sniff = [](Bytes file) { return is_pgm(file) || is_ppm(file); },
          .decode = decode_pnm,
          .max_bytes = max_pnm_bytes};
}

}  // namespace threadscape::io

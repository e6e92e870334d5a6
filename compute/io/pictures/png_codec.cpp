// PNG (1 to 16 bit, palettes, interlaced) through libpng, which checks every chunk's CRC: truncated and damaged files
// are errors. The orientation of EXIF data is applied.
//
// libpng reports errors by longjmp. Objects that live across a jump are members of the classes below, never local
// variables of the function that calls setjmp.

#include "compute/io/pictures/png_codec.h"

#include <png.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <csetjmp>
#include <cstring>
#include <functional>
#include <utility>
#include <vector>

#include "compute/io/pictures/orientation.h"

namespace threadscape::io {

namespace {

constexpr std::size_t signature_size = 8;

/// The message of libpng's last error. on_error() stores it and leaves the C code by longjmp, as libpng requires.
struct ErrorText {
  char text[160] = "";
  bool profile = false;  ///< There was a warning about the colour profile.

  [[noreturn]] static void on_error(png_structp png, png_const_charp message) {
    auto& self = *static_cast<ErrorText*>(png_get_error_ptr(png));
    std::snprintf(self.text, sizeof self.text, "%s", message);
    png_longjmp(png, 1);
  }
  // Warnings about unusual text chunks are ignored.
  static void on_warning(png_structp png, png_const_charp message) {
    if (std::strncmp(message, "iCCP", 4) == 0) static_cast<ErrorText*>(png_get_error_ptr(png))->profile = true;
  }
};

class PngReader {
 public:
  explicit PngReader(Bytes file, std::function<void(double)> progress = {})
      : file_(file), progress_(std::move(progress)) {
    png_ = png_create_read_struct(PNG_LIBPNG_VER_STRING, &error_, &ErrorText::on_error, &ErrorText::on_warning);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!info_) {
      png_destroy_read_struct(&png_, nullptr, nullptr);
      throw DecodeFailure{"libpng has no memory"};
    }
    png_set_read_fn(png_, this, &PngReader::on_read);
  }
  ~PngReader() { png_destroy_read_struct(&png_, &info_, nullptr); }
  PngReader(const PngReader&) = delete;
  PngReader& operator=(const PngReader&) = delete;

  /// Reads the chunks before the pixels: size, bit depth, colour type, texts.
  void read_header() {
    if (setjmp(png_jmpbuf(png_))) fail();
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);  // check_header() limits the number of pixels
    // Compressed texts are not read, so that they need not be inflated either; profiles of colours have a limit.
    static constexpr png_byte left_out[] = "zTXt\0iTXt";
    png_set_keep_unknown_chunks(png_, PNG_HANDLE_CHUNK_NEVER, left_out, 2);
    constexpr png_alloc_size_t max_chunk_bytes = 16 << 20;
    png_set_chunk_malloc_max(png_, max_chunk_bytes);
    png_read_info(png_, info_);
  }
  [[nodiscard]] std::int64_t width() const { return png_get_image_width(png_, info_); }
  [[nodiscard]] std::int64_t height() const { return png_get_image_height(png_, info_); }
  [[nodiscard]] bool wide() const { return png_get_bit_depth(png_, info_) == 16; }
  [[nodiscard]] FileColour colour() const {
    const bool transparent = png_get_valid(png_, info_, PNG_INFO_tRNS) != 0;
    const png_byte type = png_get_color_type(png_, info_);
    const bool alpha = transparent || (type & PNG_COLOR_MASK_ALPHA) != 0;
    if ((type & PNG_COLOR_MASK_COLOR) != 0) return alpha ? FileColour::rgba : FileColour::rgb;
    return alpha ? FileColour::grey_alpha : FileColour::grey;
  }

  /// The text with this keyword in the chunks before the pixels; empty where there is none. Call read_header() first.
  [[nodiscard]] std::string text(const char* keyword) const {
    png_textp texts = nullptr;
    const int count = png_get_text(png_, info_, &texts, nullptr);
    for (int i = 0; i < count; ++i)
      if (std::strcmp(texts[i].key, keyword) == 0) return texts[i].text;
    return {};
  }

  /// The profile and the resolution in the chunks before the pixels. Call read_header() first.
  [[nodiscard]] PictureFacts facts() const {
    PictureFacts facts;
    png_charp name = nullptr;
    int compression = 0;
    png_bytep profile = nullptr;
    png_uint_32 bytes = 0;
    if (png_get_iCCP(png_, info_, &name, &compression, &profile, &bytes) != 0) {
      const auto* begin = reinterpret_cast<const std::byte*>(profile);
      facts.profile.assign(begin, begin + bytes);
    }
    facts.per_metre_x = png_get_x_pixels_per_meter(png_, info_);
    facts.per_metre_y = png_get_y_pixels_per_meter(png_, info_);
    return facts;
  }

  /// Returns whether there is a colour profile that is too damaged to be read. Call read_header() first.
  [[nodiscard]] bool has_bad_profile() const {
    return error_.profile && png_get_valid(png_, info_, PNG_INFO_iCCP) == 0;
  }

  /// The orientation in EXIF data; 1 where there are none. Call read_pixels() first, because they may come last.
  [[nodiscard]] int orientation() const {
#ifdef PNG_eXIf_SUPPORTED
    png_uint_32 bytes = 0;
    png_bytep exif = nullptr;
    if (png_get_eXIf_1(png_, info_, &bytes, &exif) != 0)
      return exif_orientation({reinterpret_cast<const std::byte*>(exif), bytes});
#endif
    return 1;
  }

  /// Decodes to grey or RGBA, in 8 or 16 bit of this machine's byte order. `rows` has one pointer per row, `opaque` is
  /// the alpha of pixels that have none in the file.
  void read_pixels(png_bytepp rows, bool grey, png_uint_32 opaque) {
    if (setjmp(png_jmpbuf(png_))) fail();
    png_set_expand(png_);  // palettes to RGB, tRNS to alpha, 1 to 4 bit to 8
    if (wide() && std::endian::native == std::endian::little) png_set_swap(png_);
    if (!grey) {
      png_set_gray_to_rgb(png_);
      png_set_add_alpha(png_, opaque, PNG_FILLER_AFTER);
    }
    passes_ = png_set_interlace_handling(png_);
    if (progress_) png_set_read_status_fn(png_, &PngReader::on_row);
    png_read_update_info(png_, info_);
    png_read_image(png_, rows);
    png_read_end(png_, info_);  // This reads the end of the file and checks the checksum over all pixels.
  }

 private:
  static void on_read(png_structp png, png_bytep to, std::size_t wanted) {
    auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
    if (wanted > self.file_.size() - self.at_) png_error(png, "it is truncated");
    std::memcpy(to, self.file_.data() + self.at_, wanted);
    self.at_ += wanted;
  }
  static void on_row(png_structp png, png_uint_32 row, int pass) {
    const auto& self = *static_cast<PngReader*>(png_get_io_ptr(png));
    self.progress_((pass + static_cast<double>(row) / static_cast<double>(self.height())) / self.passes_);
  }
  [[noreturn]] void fail() const {
    const std::string text = error_.text;
    throw DecodeFailure{text == "it is truncated" ? text : "corrupt PNG: " + text};
  }

  Bytes file_;
  std::function<void(double)> progress_;
  int passes_ = 1;
  std::size_t at_ = 0;
  ErrorText error_;
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

/// Makes a damaged profile one that is not set, and no error. Profiles that libpng knows as faulty forms of sRGB, which
/// many photos have, are written as they are.
void set_profile_rules(png_structp png) {
  png_set_benign_errors(png, 1);
  png_set_option(png, PNG_SKIP_sRGB_CHECK_PROFILE, PNG_OPTION_ON);
}

void set_profile(png_structp png, png_infop info, Bytes profile) {
  png_set_iCCP(png, info, "ICC profile", PNG_COMPRESSION_TYPE_BASE, reinterpret_cast<png_const_bytep>(profile.data()),
               static_cast<png_uint_32>(profile.size()));
}

class PngWriter {
 public:
  explicit PngWriter(FileWriter& file) : file_(file) {
    png_ = png_create_write_struct(PNG_LIBPNG_VER_STRING, &error_, &ErrorText::on_error, &ErrorText::on_warning);
    info_ = png_ ? png_create_info_struct(png_) : nullptr;
    if (!info_) {
      png_destroy_write_struct(&png_, nullptr);
      throw EnvironmentError("out of memory: libpng cannot write");
    }
    png_set_write_fn(png_, this, &PngWriter::on_write, nullptr);
    set_profile_rules(png_);
  }
  ~PngWriter() { png_destroy_write_struct(&png_, &info_); }
  PngWriter(const PngWriter&) = delete;
  PngWriter& operator=(const PngWriter&) = delete;

  void begin(const Shape& shape, int colour_type, const PngText& text, const PictureFacts& facts) {
    if (setjmp(png_jmpbuf(png_))) fail();
    const bool wide = shape.element == Element::u16;
    png_set_user_limits(png_, PNG_UINT_31_MAX, PNG_UINT_31_MAX);
    png_set_IHDR(png_, info_, static_cast<png_uint_32>(shape.width), static_cast<png_uint_32>(shape.height),
                 wide ? 16 : 8, colour_type, PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // Level 2 with the two cheap filters takes half of the time of level 3, for 2 to 6 % more bytes (a photo, a window,
    // a rendered terrain), and a fraction of the time of the default level 6.
    png_set_compression_level(png_, 2);
    png_set_filter(png_, PNG_FILTER_TYPE_BASE, PNG_FILTER_SUB | PNG_FILTER_UP);
    if (!text.keyword.empty()) {
      text_.compression = PNG_TEXT_COMPRESSION_NONE;
      text_.key = const_cast<png_charp>(text.keyword.c_str());  // libpng copies the text.
      text_.text = const_cast<png_charp>(text.text.c_str());
      png_set_text(png_, info_, &text_, 1);
    }
    if (!facts.profile.empty()) set_profile(png_, info_, facts.profile);
    if (const double x = facts.per_metre_x, y = facts.per_metre_y; x > 0 && y > 0 && std::max(x, y) < PNG_UINT_31_MAX)
      png_set_pHYs(png_, info_, static_cast<png_uint_32>(std::lround(x)), static_cast<png_uint_32>(std::lround(y)),
                   PNG_RESOLUTION_METER);
    png_write_info(png_, info_);
    if (wide && std::endian::native == std::endian::little) png_set_swap(png_);
  }
  void row(const std::byte* pixels) {
    if (setjmp(png_jmpbuf(png_))) fail();
    png_write_row(png_, reinterpret_cast<png_const_bytep>(pixels));
  }
  void end() {
    if (setjmp(png_jmpbuf(png_))) fail();
    png_write_end(png_, info_);
  }

 private:
  static void on_write(png_structp png, png_bytep data, std::size_t bytes) {
    auto& self = *static_cast<PngWriter*>(png_get_io_ptr(png));
    try {
      self.file_.write(data, bytes);
      return;
    } catch (...) {
      self.thrown_ = std::current_exception();  // exceptions must not pass through C code
    }
    png_error(png, "write failed");
  }
  [[noreturn]] void fail() const {
    if (thrown_) std::rethrow_exception(thrown_);
    throw EnvironmentError("cannot write PNG: " + std::string(error_.text));
  }

  FileWriter& file_;
  ErrorText error_;
  std::exception_ptr thrown_;
  ::png_text text_ = {};
  png_structp png_ = nullptr;
  png_infop info_ = nullptr;
};

constexpr int colour_types[]{PNG_COLOR_TYPE_GRAY, PNG_COLOR_TYPE_GRAY_ALPHA, PNG_COLOR_TYPE_RGB, PNG_COLOR_TYPE_RGBA};

/// Returns whether libpng sets this profile in a file of these colours.
bool takes_profile(Bytes profile, FileColour colour) {
  ErrorText error;
  png_structp png =
      png_create_write_struct(PNG_LIBPNG_VER_STRING, &error, &ErrorText::on_error, &ErrorText::on_warning);
  png_infop info = png ? png_create_info_struct(png) : nullptr;
  volatile bool taken = false;  // It is set between setjmp() and longjmp().
  if (info && setjmp(png_jmpbuf(png)) == 0) {
    set_profile_rules(png);
    png_set_IHDR(png, info, 1, 1, 8, colour_types[static_cast<int>(colour)], PNG_INTERLACE_NONE,
                 PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    set_profile(png, info, profile);
    taken = png_get_valid(png, info, PNG_INFO_iCCP) != 0;
  }
  png_destroy_write_struct(&png, &info);
  return taken;
}

/// Copies the channels that a file of this colour has out of a row of RGBA; `T` is the type of one channel.
template <class T>
void pack_png_row(const std::byte* from, std::int64_t width, FileColour colour, std::byte* to) {
  const T* in = reinterpret_cast<const T*>(from);
  T* out = reinterpret_cast<T*>(to);
  for (std::int64_t x = 0; x < width; ++x, in += 4) {
    *out++ = in[0];
    if (colour == FileColour::rgb) {
      *out++ = in[1];
      *out++ = in[2];
    } else if (colour == FileColour::grey_alpha) {
      *out++ = in[3];
    }
  }
}

bool is_png(Bytes file) {
  return file.size() >= signature_size &&
         png_sig_cmp(reinterpret_cast<png_const_bytep>(file.data()), 0, signature_size) == 0;
}

/// The size is stated at a fixed place, because the chunk with the header is the first. In the pictures of iPhone
/// programs another chunk comes before it, and their pixels are packed in another way.
std::int64_t max_png_bytes(Bytes beginning) {
  if (beginning.size() < 24) return static_cast<std::int64_t>(beginning.size());
  if (std::memcmp(beginning.data() + 12, "CgBI", 4) == 0)
    throw DecodeFailure{"Apple's form of PNG (CgBI) is not read: open it in Preview or Xcode, and export a PNG"};
  const auto* size = reinterpret_cast<png_const_bytep>(beginning.data() + 16);
  return max_compressed_bytes(png_get_uint_32(size), png_get_uint_32(size + 4), 8);
}

/// Refuses a file with a chunk that is longer than the file: libpng allocates the memory that a text claims, up to 2
/// GiB, before it reads it. Returns the number of frames, which is 1 unless the file is an animation.
std::size_t checked_frames(Bytes file) {
  std::size_t frames = 1;
  constexpr std::size_t frame_bytes = 12;  // the length, the type and the checksum of a chunk
  for (std::size_t at = signature_size; at + frame_bytes <= file.size();) {
    const auto* chunk = reinterpret_cast<png_const_bytep>(file.data() + at);
    const std::size_t length = png_get_uint_32(chunk);
    if (length > file.size() - at - frame_bytes) throw DecodeFailure{"it is truncated"};
    if (std::memcmp(chunk + 4, "IEND", 4) == 0) break;
    if (std::memcmp(chunk + 4, "acTL", 4) == 0 && length >= 8) frames = png_get_uint_32(chunk + 8);
    at += frame_bytes + length;
  }
  return frames;
}

Loaded decode_png(Bytes file, const ReadingWatch& watch) {
  const std::size_t frames = checked_frames(file);
  PngReader reader(file, watch.progress);
  reader.read_header();
  Loaded picture;
  picture.colour = reader.colour();
  picture.facts = reader.facts();
  const bool grey = picture.colour == FileColour::grey;
  const Element element = reader.wide() ? Element::u16 : Element::u8;
  const Shape shape = Shape::image(element, grey ? 1 : 4, reader.width(), reader.height());
  check_header(shape.width, shape.height, shape.pixel_bytes(), file.size());
  picture.pixels = HostArray(shape);
  std::vector<png_bytep> rows(static_cast<std::size_t>(shape.height));
  for (std::size_t y = 0; y < rows.size(); ++y)
    rows[y] = reinterpret_cast<png_bytep>(picture.pixels.data() + y * picture.pixels.pitch());
  reader.read_pixels(rows.data(), grey, reader.wide() ? 0xFFFF : 0xFF);
  if (reader.has_bad_profile()) picture.note = "its colour profile is damaged and is left out";
  if (frames > 1)
    picture.note += (picture.note.empty() ? "" : "; ") + std::string("it is an animation of ") +
                    std::to_string(frames) + " frames, of which the picture for viewers without animation is read";
  return oriented(std::move(picture), reader.orientation());
}

}  // namespace

std::string png_text(Bytes file, const char* keyword) {
  if (!is_png(file)) return {};
  PngReader reader(file);
  reader.read_header();
  return reader.text(keyword);
}

void encode_png(FileWriter& file, HostIn pixels, FileColour colour, const PngText& text, const PictureFacts& facts) {
  const Shape& shape = pixels.shape;
  const bool as_it_is = shape.channels == 1 || colour == FileColour::rgba;
  std::vector<std::byte> packed(as_it_is ? 0 : static_cast<std::size_t>(shape.width) * shape.pixel_bytes());
  PngWriter writer(file);
  writer.begin(shape, colour_types[static_cast<int>(colour)], text, facts);
  for (std::int64_t y = 0; y < shape.height; ++y) {
    const std::byte* row = pixels.data + static_cast<std::size_t>(y) * pixels.pitch;
    if (!as_it_is) {
      if (shape.element == Element::u8)
        pack_png_row<std::uint8_t>(row, shape.width, colour, packed.data());
      else
        pack_png_row<std::uint16_t>(row, shape.width, colour, packed.data());
      row = packed.data();
    }
    writer.row(row);
  }
  writer.end();
}

ImageFormat png_format() {
  static constexpr std::array<std::string_view, 1> extensions{".png"};
  return {.name = "PNG",
          .extensions = extensions,
          .sniff = is_png,
          .decode = decode_png,
          .max_bytes = max_png_bytes,
          .encode = [](FileWriter& file, HostIn pixels,
                       const EncodeOptions& options) { encode_png(file, pixels, options.colour, {}, options.facts); },
          .colour = true,
          .alpha = true,
          .profiles = true,
          .takes_profile = takes_profile};
}

}  // namespace threadscape::io

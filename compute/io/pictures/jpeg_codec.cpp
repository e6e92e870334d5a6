// JPEG (8 bit; grey, colour, CMYK; sequential and progressive) through libjpeg-turbo. Damage that the library goes on
// after with a warning is an error here, except for a few harmless irregularities. The orientation of EXIF data is
// applied.
//
// libjpeg reports errors by a function that must not return, from which setjmp and longjmp lead out. Objects that live
// across a jump are members of the classes below, never local variables of the function that calls setjmp.

#include <algorithm>
#include <array>
#include <cmath>
#include <csetjmp>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <functional>
#include <future>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/io/pictures/image_format.h"
#include "compute/io/pictures/orientation.h"

// These headers need std::size_t and FILE before them, and the codes in jerror.h depend on what jpeglib.h defines.
#include <jpeglib.h>

#include <jerror.h>

namespace threadscape::io {

namespace {

/// libjpeg's error handler, with the first message that counts.
struct Errors : jpeg_error_mgr {
  std::jmp_buf jump = {};
  std::string text;
  bool bad_profile = false;  ///< The markers of the colour profile are damaged.

  Errors() : jpeg_error_mgr{} {
    jpeg_std_error(this);
    error_exit = &Errors::on_error;
    emit_message = &Errors::on_message;
    output_message = [](j_common_ptr) {};
  }

 private:
  static std::string message_of(j_common_ptr jpeg) {
    char text[JMSG_LENGTH_MAX] = "";
    jpeg->err->format_message(jpeg, text);
    return text;
  }
  [[noreturn]] static void on_error(j_common_ptr jpeg) {
    auto& self = *static_cast<Errors*>(jpeg->err);
    self.text = message_of(jpeg);
    std::longjmp(self.jump, 1);
  }
  /// Level -1 is a warning about damaged data, the others are traces.
  static void on_message(j_common_ptr jpeg, int level) {
    auto& self = *static_cast<Errors*>(jpeg->err);
    constexpr std::array harmless{JWRN_EXTRANEOUS_DATA, JWRN_JFIF_MAJOR, JWRN_ADOBE_XFORM, JWRN_BOGUS_ICC};
    self.bad_profile = self.bad_profile || self.msg_code == JWRN_BOGUS_ICC;
    if (level >= 0 || std::ranges::count(harmless, self.msg_code) > 0 || !self.text.empty()) return;
    self.text = self.msg_code == JWRN_JPEG_EOF ? "it is truncated" : message_of(jpeg);
  }
};

class JpegReader {
 public:
  explicit JpegReader(Bytes file, std::function<void(double)> report = {}) {
    jpeg_.err = &errors_;
    progress_.report = std::move(report);
    if (setjmp(errors_.jump) != 0) fail();
    jpeg_create_decompress(&jpeg_);
    progress_.progress_monitor = &JpegReader::on_progress;
    jpeg_.progress = &progress_;
    jpeg_mem_src(&jpeg_, reinterpret_cast<const unsigned char*>(file.data()), static_cast<unsigned long>(file.size()));
  }
  ~JpegReader() {
    jpeg_destroy_decompress(&jpeg_);
    std::free(profile_);  // NOLINT(cppcoreguidelines-no-malloc): libjpeg has allocated it.
  }
  JpegReader(const JpegReader&) = delete;
  JpegReader& operator=(const JpegReader&) = delete;

  /// Reads up to the first pixels.
  void read_header() {
    if (setjmp(errors_.jump) != 0) fail();
    jpeg_save_markers(&jpeg_, exif_marker, 0xFFFF);
    jpeg_save_markers(&jpeg_, profile_marker, 0xFFFF);
    (void)jpeg_read_header(&jpeg_, TRUE);
    (void)jpeg_read_icc_profile(&jpeg_, &profile_, &profile_bytes_);
    jpeg_.out_color_space = is_grey() ? JCS_GRAYSCALE : jpeg_.num_components == 4 ? JCS_CMYK : JCS_EXT_RGBA;
  }
  [[nodiscard]] std::int64_t width() const { return jpeg_.image_width; }
  [[nodiscard]] std::int64_t height() const { return jpeg_.image_height; }
  [[nodiscard]] bool is_grey() const { return jpeg_.num_components == 1; }
  [[nodiscard]] bool is_cmyk() const { return jpeg_.out_color_space == JCS_CMYK; }
  /// Returns true if the inks of CMYK are stored inverted, as Adobe's programs do.
  [[nodiscard]] bool is_inverted() const { return jpeg_.saw_Adobe_marker != 0; }
  [[nodiscard]] int orientation() const {
    constexpr std::size_t name_bytes = 6;
    for (jpeg_saved_marker_ptr marker = jpeg_.marker_list; marker != nullptr; marker = marker->next)
      if (marker->marker == exif_marker && marker->data_length > name_bytes &&
          std::memcmp(marker->data, "Exif\0\0", name_bytes) == 0)
        return exif_orientation(
            {reinterpret_cast<const std::byte*>(marker->data) + name_bytes, marker->data_length - name_bytes});
    return 1;
  }

  /// Returns true if there is a profile that cannot be read. Call read_header() first.
  [[nodiscard]] bool has_bad_profile() const { return errors_.bad_profile; }
  /// The profile, whose parts libjpeg puts together, and the resolution of JFIF. Call read_header() first.
  [[nodiscard]] PictureFacts facts() const {
    PictureFacts facts;
    const auto* begin = reinterpret_cast<const std::byte*>(profile_);
    facts.profile.assign(begin, begin + profile_bytes_);
    const double metre = jpeg_.density_unit == 1 ? 1 / 0.0254 : jpeg_.density_unit == 2 ? 100 : 0;
    facts.per_metre_x = metre * jpeg_.X_density;
    facts.per_metre_y = metre * jpeg_.Y_density;
    return facts;
  }

  /// Lets read_overview() decode an eighth of the width and height, which leaves out most of the work. Returns the
  /// size.
  [[nodiscard]] std::pair<int, int> shrink() {
    if (setjmp(errors_.jump) != 0) fail();
    jpeg_.scale_num = 1;
    jpeg_.scale_denom = 8;
    jpeg_calc_output_dimensions(&jpeg_);
    return {static_cast<int>(jpeg_.output_width), static_cast<int>(jpeg_.output_height)};
  }
  /// Decodes all rows of the first scan to where the pointers say. An eighth of the width needs no other scan.
  void read_overview(std::vector<JSAMPROW>& rows) {
    if (setjmp(errors_.jump) != 0) fail();
    jpeg_.buffered_image = jpeg_has_multiple_scans(&jpeg_);
    (void)jpeg_start_decompress(&jpeg_);
    if (jpeg_.buffered_image != FALSE) (void)jpeg_start_output(&jpeg_, 1);
    read_rows(rows);
    if (!errors_.text.empty()) fail();
  }
  /// Decodes all rows to where the pointers say.
  void read_pixels(std::vector<JSAMPROW>& rows) {
    if (setjmp(errors_.jump) != 0) fail();
    (void)jpeg_start_decompress(&jpeg_);
    read_rows(rows);
    (void)jpeg_finish_decompress(&jpeg_);
    if (!errors_.text.empty()) fail();
  }

 private:
  struct ProgressMonitor : jpeg_progress_mgr {
    std::function<void(double)> report;
  };

  static constexpr int exif_marker = JPEG_APP0 + 1, profile_marker = JPEG_APP0 + 2;

  void read_rows(std::vector<JSAMPROW>& rows) {
    while (jpeg_.output_scanline < jpeg_.output_height)
      (void)jpeg_read_scanlines(&jpeg_, rows.data() + jpeg_.output_scanline,
                                jpeg_.output_height - jpeg_.output_scanline);
  }
  /// A progressive file of a few bytes can ask for as many passes over the picture as it has scans.
  static void on_progress(j_common_ptr jpeg) {
    constexpr int max_scans = 500;
    if (reinterpret_cast<j_decompress_ptr>(jpeg)->input_scan_number > max_scans) ERREXIT(jpeg, JERR_BAD_PROGRESSION);
    const auto& now = *static_cast<ProgressMonitor*>(jpeg->progress);
    if (!now.report || now.total_passes <= 0) return;
    const double pass =
        now.pass_limit > 0 ? static_cast<double>(now.pass_counter) / static_cast<double>(now.pass_limit) : 0;
    now.report(std::min(1.0, (now.completed_passes + std::min(pass, 1.0)) / now.total_passes));
  }
  [[noreturn]] void fail() const {
    throw DecodeFailure{errors_.text == "it is truncated" ? errors_.text : "corrupt JPEG: " + errors_.text};
  }

  jpeg_decompress_struct jpeg_ = {};
  ProgressMonitor progress_ = {};
  JOCTET* profile_ = nullptr;
  unsigned profile_bytes_ = 0;
  Errors errors_;
};

/// libjpeg's destination: a buffer that goes to a FileWriter when it is full.
struct Destination : jpeg_destination_mgr {
  explicit Destination(FileWriter& file) : jpeg_destination_mgr{}, file_(file) {
    init_destination = [](j_compress_ptr jpeg) { self_of(jpeg).empty(); };
    empty_output_buffer = [](j_compress_ptr jpeg) -> boolean {
      self_of(jpeg).flush(jpeg, buffer_bytes);
      return TRUE;
    };
    term_destination = [](j_compress_ptr jpeg) {
      Destination& self = self_of(jpeg);
      self.flush(jpeg, buffer_bytes - self.free_in_buffer);
    };
  }
  void rethrow() const {
    if (thrown_) std::rethrow_exception(thrown_);
  }

 private:
  static constexpr std::size_t buffer_bytes = std::size_t{1} << 16;

  static Destination& self_of(j_compress_ptr jpeg) { return *static_cast<Destination*>(jpeg->dest); }
  void empty() {
    next_output_byte = buffer_.data();
    free_in_buffer = buffer_.size();
  }
  void flush(j_compress_ptr jpeg, std::size_t bytes) {
    try {
      file_.write(buffer_.data(), bytes);
      empty();
      return;
    } catch (...) {
      thrown_ = std::current_exception();  // Exceptions must not pass through C code.
    }
    ERREXIT(jpeg, JERR_FILE_WRITE);
  }

  FileWriter& file_;
  std::array<JOCTET, buffer_bytes> buffer_;
  std::exception_ptr thrown_;
};

class JpegWriter {
 public:
  explicit JpegWriter(FileWriter& file) : destination_(file) {
    jpeg_.err = &errors_;
    if (setjmp(errors_.jump) != 0) fail();
    jpeg_create_compress(&jpeg_);
    jpeg_.dest = &destination_;
  }
  ~JpegWriter() { jpeg_destroy_compress(&jpeg_); }
  JpegWriter(const JpegWriter&) = delete;
  JpegWriter& operator=(const JpegWriter&) = delete;

  void write(HostIn pixels, int quality, const PictureFacts& facts) {
    if (setjmp(errors_.jump) != 0) fail();
    jpeg_.image_width = static_cast<JDIMENSION>(pixels.shape.width);
    jpeg_.image_height = static_cast<JDIMENSION>(pixels.shape.height);
    jpeg_.input_components = pixels.shape.channels;
    jpeg_.in_color_space = pixels.shape.channels == 1 ? JCS_GRAYSCALE : JCS_EXT_RGBX;
    jpeg_set_defaults(&jpeg_);
    jpeg_set_quality(&jpeg_, quality, TRUE);
    if (quality >= full_colour_quality && pixels.shape.channels != 1)
      jpeg_.comp_info[0].h_samp_factor = jpeg_.comp_info[0].v_samp_factor = 1;
    const auto per_inch = [](double per_metre) { return std::lround(per_metre * 0.0254); };
    constexpr long most = 65535;
    if (const long x = per_inch(facts.per_metre_x), y = per_inch(facts.per_metre_y);
        x > 0 && y > 0 && x <= most && y <= most) {
      jpeg_.density_unit = 1;
      jpeg_.X_density = static_cast<UINT16>(x);
      jpeg_.Y_density = static_cast<UINT16>(y);
    }
    jpeg_start_compress(&jpeg_, TRUE);
    if (!facts.profile.empty())
      jpeg_write_icc_profile(&jpeg_, reinterpret_cast<const JOCTET*>(facts.profile.data()),
                             static_cast<unsigned>(facts.profile.size()));
    while (jpeg_.next_scanline < jpeg_.image_height) {
      const std::byte* row = pixels.data + jpeg_.next_scanline * pixels.pitch;
      auto* samples = const_cast<JSAMPROW>(reinterpret_cast<const JSAMPLE*>(row));  // libjpeg only reads them.
      (void)jpeg_write_scanlines(&jpeg_, &samples, 1);
    }
    jpeg_finish_compress(&jpeg_);
  }

 private:
  /// From this quality on, colours are stored at the full resolution. Below it, one value stands for 2 x 2 pixels.
  static constexpr int full_colour_quality = 90;

  [[noreturn]] void fail() const {
    destination_.rethrow();
    throw EnvironmentError("cannot write JPEG: " + errors_.text);
  }

  jpeg_compress_struct jpeg_ = {};
  Errors errors_;
  Destination destination_;
};

bool is_jpeg(Bytes file) {
  return file.size() >= 3 && file[0] == std::byte{0xFF} && file[1] == std::byte{0xD8} && file[2] == std::byte{0xFF};
}

/// Width and height in the frame header, which segments of any length precede; nothing where the bytes end before it.
std::optional<std::pair<std::int64_t, std::int64_t>> find_size(Bytes beginning) {
  const auto word = [&](std::size_t at) {
    return std::to_integer<std::size_t>(beginning[at]) * 256 + std::to_integer<std::size_t>(beginning[at + 1]);
  };
  for (std::size_t at = 2; at + 9 <= beginning.size();) {
    const auto marker = std::to_integer<unsigned>(beginning[at + 1]);
    if (beginning[at] != std::byte{0xFF} || marker == 0xFF) {
      ++at;
      continue;
    }
    const bool frame = marker >= 0xC0 && marker <= 0xCF && marker != 0xC4 && marker != 0xC8 && marker != 0xCC;
    if (frame) return std::pair(static_cast<std::int64_t>(word(at + 7)), static_cast<std::int64_t>(word(at + 5)));
    at += 2 + word(at + 2);
  }
  return {};
}

std::int64_t max_jpeg_bytes(Bytes beginning) {
  constexpr std::size_t decoder_bytes = 12;  // The coefficients of progressive files, and the decoded pixels.
  if (const auto size = find_size(beginning); size && size->first > 0 && size->second > 0)
    return max_compressed_bytes(size->first, size->second, decoder_bytes);
  return limit_of(Limit::file_bytes);
}

/// Replaces cyan, magenta, yellow and black by red, green, blue and opaque.
void cmyk_to_rgb(ImageView<Rgba8> pixels, bool inverted) {
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      Rgba8& pixel = pixels(x, y);
      const auto paper = [&](std::uint8_t ink) { return inverted ? ink : 255 - ink; };  // What the ink leaves white.
      const int black = paper(pixel.a);
      const auto light = [&](std::uint8_t ink) { return static_cast<std::uint8_t>((paper(ink) * black + 127) / 255); };
      pixel = {light(pixel.r), light(pixel.g), light(pixel.b), 255};
    }
}

std::vector<JSAMPROW> rows_of(HostArray& pixels) {
  std::vector<JSAMPROW> rows(static_cast<std::size_t>(pixels.shape().height));
  for (std::size_t y = 0; y < rows.size(); ++y)
    rows[y] = reinterpret_cast<JSAMPROW>(pixels.data() + y * pixels.pitch());
  return rows;
}

/// Makes an overview of a picture that is no CMYK.
void make_jpeg_overview(Bytes file, const ReadingWatch& watch) {
  try {
    JpegReader reader(file);
    reader.read_header();
    const int orientation = reader.orientation();
    const auto [width, height] = reader.shrink();
    Loaded small{HostArray(Shape::image(Element::u8, reader.is_grey() ? 1 : 4, width, height))};
    std::vector<JSAMPROW> rows = rows_of(small.pixels);
    reader.read_overview(rows);
    const bool turned = orientation > 4;
    watch.overview({.pixels = oriented(std::move(small), orientation).pixels,
                    .width = turned ? reader.height() : reader.width(),
                    .height = turned ? reader.width() : reader.height()});
  } catch (const DecodeFailure&) {  // Reading the picture itself says why.
  }
}

Loaded decode_jpeg(Bytes file, const ReadingWatch& watch) {
  JpegReader reader(file, watch.progress);
  reader.read_header();
  const Shape shape = Shape::image(Element::u8, reader.is_grey() ? 1 : 4, reader.width(), reader.height());
  check_header(shape.width, shape.height, 12, file.size());
  Loaded picture{HostArray(shape), reader.is_grey() ? FileColour::grey : FileColour::rgb};
  // Beside decoding, an overview takes no time where another core is idle.
  std::future<void> overview;
  if (watch.wants_overview(shape.width, shape.height) && !reader.is_cmyk())
    overview = std::async(std::launch::async, [&] { make_jpeg_overview(file, watch); });
  std::vector<JSAMPROW> rows = rows_of(picture.pixels);
  const int orientation = reader.orientation();  // libjpeg forgets markers when all rows are read.
  picture.facts = reader.facts();
  if (reader.has_bad_profile()) picture.note = "its colour profile is damaged and is left out";
  reader.read_pixels(rows);
  if (reader.is_cmyk()) cmyk_to_rgb(picture.pixels.image<Rgba8>(), reader.is_inverted());
  return oriented(std::move(picture), orientation);
}

void encode_jpeg(FileWriter& file, HostIn pixels, const EncodeOptions& options) {
  constexpr int default_quality = 92;
  JpegWriter(file).write(pixels, options.quality > 0 ? options.quality : default_quality, options.facts);
}

}  // namespace

ImageFormat jpeg_format() {
  static constexpr std::array<std::string_view, 2> extensions{".jpg", ".jpeg"};
  return {.name = "JPEG",
          .extensions = extensions,
          .sniff = is_jpeg,
          .decode = decode_jpeg,
          .max_bytes = max_jpeg_bytes,
          .encode = encode_jpeg,
          .numbers = {.u8 = true},
          .colour = true,
          .profiles = true};
}

}  // namespace threadscape::io

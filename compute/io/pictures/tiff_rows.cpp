// The rows of a TIFF, read and written one after another. Of the file a band is in memory: a strip, or a row of tiles.
// Strips without compression are read row by row, since many files have a single strip.

#include <tiffio.h>

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <limits>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/core/machine.h"
#include "compute/io/input_file.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/pictures/row_files.h"
#include "compute/io/pictures/tiff_layout.h"
#include "compute/io/pictures/tiff_writer.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// A file that libtiff reads a piece at a time, and libtiff's first error.
struct Pieces {
  InputFile file;
  std::int64_t at = 0;
  std::string error = {};

  static tmsize_t read(thandle_t handle, void* to, tmsize_t wanted) {
    auto& self = *static_cast<Pieces*>(handle);
    const std::int64_t got = std::min<std::int64_t>(wanted, self.file.size() - self.at);
    if (got <= 0 || !self.file.read_at(self.at, to, static_cast<std::size_t>(got))) return 0;
    self.at += got;
    return got;
  }
  static tmsize_t write(thandle_t, void*, tmsize_t) { return -1; }
  static toff_t seek(thandle_t handle, toff_t offset, int from) {
    auto& self = *static_cast<Pieces*>(handle);
    const std::int64_t base = from == SEEK_CUR ? self.at : from == SEEK_END ? self.file.size() : 0;
    const toff_t place = static_cast<toff_t>(base) + offset;
    // A damaged offset is behind all files.
    self.at = static_cast<std::int64_t>(std::min<toff_t>(place, std::numeric_limits<std::int64_t>::max() / 2));
    return static_cast<toff_t>(self.at);
  }
  static int close(thandle_t) { return 0; }
  static toff_t length(thandle_t handle) { return static_cast<toff_t>(static_cast<Pieces*>(handle)->file.size()); }
  static int on_error(TIFF*, void* user, const char*, const char* format, va_list arguments) {
    auto& self = *static_cast<Pieces*>(user);
    char text[200] = "";
    std::vsnprintf(text, sizeof text, format, arguments);
    if (self.error.empty()) self.error = text;
    return 1;  // No other handler is called.
  }
  static int on_warning(TIFF*, void*, const char*, const char*, va_list) { return 1; }
};

struct CloseRows {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};

class TiffRows final : public PictureRows {
 public:
  TiffRows(const fs::path& path, const std::stop_token& stop) : path_(path), pieces_{InputFile(path, stop)} {
    const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                   &TIFFOpenOptionsFree);
    const auto file_bytes = static_cast<std::size_t>(pieces_.file.size());
    const std::size_t most = std::min(free_host_bytes(), justified_bytes(file_bytes));
    TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), std::max<tmsize_t>(static_cast<tmsize_t>(most), 1));
    TIFFOpenOptionsSetErrorHandlerExtR(options.get(), &Pieces::on_error, &pieces_);
    TIFFOpenOptionsSetWarningHandlerExtR(options.get(), &Pieces::on_warning, &pieces_);
    tiff_.reset(TIFFClientOpenExt("", "rm", &pieces_, &Pieces::read, &Pieces::write, &Pieces::seek, &Pieces::close,
                                  &Pieces::length, nullptr, nullptr, options.get()));
    if (!tiff_) corrupt();
  }

  /// Looks at the layout. Returns why its rows are not read one after another; "" if they are.
  [[nodiscard]] std::string open() {
    TIFF* const tiff = tiff_.get();
    const TiffLayout is = tiff_layout(tiff);
    std::uint16_t method = COMPRESSION_NONE;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &method);
    const bool numbers = (is.is_integer() && (is.bits == 8 || is.bits == 16)) ||
                         (is.sample_format == SAMPLEFORMAT_IEEEFP && is.bits == 32);
    const bool grey = is.photometric == PHOTOMETRIC_MINISBLACK && is.samples == 1;
    const bool rgb = is.photometric == PHOTOMETRIC_RGB && is.samples == 3 && is.planar == PLANARCONFIG_CONTIG;
    if (!numbers || !(grey || rgb) || is.orientation != ORIENTATION_TOPLEFT)
      return "its pixels (" + std::to_string(is.samples) + " samples of " + std::to_string(is.bits) +
             " bits) are none of grey or RGB of 8 bits, 16 bits or floats, without alpha, upright and in one plane";
    if (TIFFIsCODECConfigured(method) == 0) return "its compression is not read";
    constexpr auto most = static_cast<std::uint32_t>(std::numeric_limits<int>::max());
    if (is.width == 0 || is.height == 0 || is.width > most || is.height > most) corrupt();
    shape_ = Shape::image(is.element(), grey ? 1 : 4, is.width, is.height);
    samples_ = is.samples;
    pixel_bytes_ = static_cast<std::size_t>(is.samples) * is.bits / 8;
    row_bytes_ = pixel_bytes_ * is.width;
    tiled_ = TIFFIsTiled(tiff) != 0;
    std::uint32_t columns = is.width, rows = is.height;
    if (tiled_) {
      if (TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &columns) == 0 || TIFFGetField(tiff, TIFFTAG_TILELENGTH, &rows) == 0)
        corrupt();
    } else {
      TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    }
    if (columns == 0 || rows == 0 || columns > most || rows > most) corrupt();
    columns_ = columns;
    rows_ = tiled_ ? rows : std::min(rows, is.height);
    plain_ = !tiled_ && method == COMPRESSION_NONE && TIFFIsByteSwapped(tiff) == 0;
    facts_ = tiff_facts(tiff);
    if (TIFFLastDirectory(tiff) == 0) return "it has several pages";
    return {};
  }

  [[nodiscard]] const Shape& shape() const override { return shape_; }
  [[nodiscard]] FileColour colour() const override { return samples_ == 1 ? FileColour::grey : FileColour::rgb; }
  [[nodiscard]] PictureFacts facts() const override { return facts_; }
  [[nodiscard]] std::size_t held_bytes() const override {
    // The places and the sizes of all strips or tiles, a band, and a block as it lies in the file.
    const std::size_t list =
        2 * sizeof(std::uint64_t) * (tiled_ ? TIFFNumberOfTiles(tiff_.get()) : TIFFNumberOfStrips(tiff_.get()));
    return list + (plain_ ? row_bytes_ : band_bytes() + 2 * block_bytes());
  }

  void read(const HostOut& rows) override {
    for (std::int64_t y = 0; y < rows.shape.height; ++y, ++next_)
      copy_row(row(), samples_, shape_, rows.data + static_cast<std::size_t>(y) * rows.pitch);
  }

 private:
  [[noreturn]] void corrupt() const {
    if (pieces_.error.starts_with("Read error")) throw DecodeFailure{"it is truncated"};
    throw DecodeFailure{"corrupt TIFF: " + (pieces_.error.empty() ? "its pixels cannot be decoded" : pieces_.error)};
  }
  [[nodiscard]] std::size_t block_bytes() const {
    return static_cast<std::size_t>(rows_) * (tiled_ ? static_cast<std::size_t>(columns_) * pixel_bytes_ : row_bytes_);
  }
  [[nodiscard]] std::size_t band_bytes() const { return static_cast<std::size_t>(rows_) * row_bytes_; }

  /// The next row as the file has it, in this machine's byte order.
  const std::byte* row() try {
    const std::int64_t within = next_ % rows_;
    if (plain_) {
      band_.resize(row_bytes_);
      const auto strip = static_cast<std::uint32_t>(next_ / rows_);
      const auto place = static_cast<std::int64_t>(std::min<std::uint64_t>(
          TIFFGetStrileOffset(tiff_.get(), strip), std::numeric_limits<std::int64_t>::max() / 2));
      if (!pieces_.file.read_at(place + within * static_cast<std::int64_t>(row_bytes_), band_.data(), row_bytes_))
        throw DecodeFailure{"it is truncated"};
      return band_.data();
    }
    if (within == 0 || band_.empty()) read_band();
    return band_.data() + static_cast<std::size_t>(within) * row_bytes_;
  } catch (const DecodeFailure& failure) {
    cannot_read(path_, failure.cause);
  }

  void read_band() {
    TIFF* const tiff = tiff_.get();
    const auto y = static_cast<std::uint32_t>(next_);
    check_header(shape_.width, rows_, pixel_bytes_);
    band_.resize(band_bytes());
    if (!tiled_) {
      const auto rows = static_cast<std::size_t>(std::min(rows_, shape_.height - next_));
      const auto wanted = static_cast<tmsize_t>(rows * row_bytes_);
      if (TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, 0), band_.data(), wanted) < wanted ||
          !pieces_.error.empty())
        corrupt();
      return;
    }
    check_header(columns_, rows_, pixel_bytes_);
    block_.resize(block_bytes());
    const auto wanted = static_cast<tmsize_t>(block_.size());
    for (std::int64_t x = 0; x < shape_.width; x += columns_) {
      const std::uint32_t tile = TIFFComputeTile(tiff, static_cast<std::uint32_t>(x), y, 0, 0);
      if (TIFFReadEncodedTile(tiff, tile, block_.data(), wanted) < wanted || !pieces_.error.empty()) corrupt();
      const std::size_t bytes = static_cast<std::size_t>(std::min(columns_, shape_.width - x)) * pixel_bytes_;
      for (std::size_t row = 0; row < static_cast<std::size_t>(rows_); ++row)
        std::memcpy(band_.data() + row * row_bytes_ + static_cast<std::size_t>(x) * pixel_bytes_,
                    block_.data() + row * static_cast<std::size_t>(columns_) * pixel_bytes_, bytes);
    }
  }

  fs::path path_;
  Pieces pieces_;
  std::unique_ptr<TIFF, CloseRows> tiff_;
  Shape shape_;
  PictureFacts facts_;
  int samples_ = 1;
  bool tiled_ = false;
  bool plain_ = false;  ///< Rows lie in the file as they are.
  std::size_t pixel_bytes_ = 1, row_bytes_ = 1;
  std::int64_t columns_ = 1, rows_ = 1;  ///< The size of a tile or of a strip, in pixels.
  std::int64_t next_ = 0;
  std::vector<std::byte> band_, block_;
};

class TiffRowWriter final : public PictureRowWriter {
 public:
  TiffRowWriter(const fs::path& path, const Shape& shape, const EncodeOptions& options, int threads)
      : file_(path),
        shape_(shape),
        big_(needs_big_tiff(shape.bytes())),
        strips_(shape, options, big_, header(big_).size()),
        threads_(threads) {
    file_.write(header(big_));
  }

  [[nodiscard]] std::int64_t rows_together() const override { return strips_.rows(); }
  [[nodiscard]] std::size_t held_bytes(std::int64_t rows) const override {
    // Packed rows may be a little longer than the rows, beside the strips of a round and all places and sizes, which
    // the directory repeats as numbers and as text.
    const auto strips = static_cast<std::size_t>((shape_.height + strips_.rows() - 1) / strips_.rows());
    Shape part = shape_;
    part.height = rows;
    return part.bytes() + part.bytes() / 64 + strips * 6 * sizeof(std::uint64_t) + (std::size_t{16} << 20);
  }
  void write(const HostIn& rows) override {
    packed_.clear();
    strips_.pack(rows, packed_, threads_);
    file_.write(packed_.data(), packed_.size());
    written_ += packed_.size();
  }
  void finish() override {
    std::uint64_t place = 0;
    const std::string text = strips_.directory(place);
    if (!big_ && strips_.end() + text.size() > std::numeric_limits<std::uint32_t>::max())
      throw UsageError("the picture takes more than the 4 GiB of a TIFF");
    if ((header(big_).size() + written_) % 2 != 0) file_.write(std::string_view("\0", 1));
    file_.write(text);
    const std::size_t wide = big_ ? 8 : 4;
    file_.rewrite(static_cast<std::int64_t>(wide), &place, wide);
    file_.commit();
  }

 private:
  /// The header with the place of the directory, which is not known yet.
  static std::string header(bool big) {
    return big ? std::string("II+\0\10\0\0\0\0\0\0\0\0\0\0\0", 16) : std::string("II*\0\0\0\0\0", 8);
  }

  FileWriter file_;
  Shape shape_;
  bool big_;
  TiffStrips strips_;
  int threads_;
  std::uint64_t written_ = 0;
  std::vector<std::byte> packed_;
};

}  // namespace

std::unique_ptr<PictureRows> open_tiff_rows(const fs::path& path, std::string& why_not, const std::stop_token& stop) {
  auto rows = std::make_unique<TiffRows>(path, stop);
  why_not = rows->open();
  if (!why_not.empty()) return nullptr;
  return rows;
}

std::unique_ptr<PictureRowWriter> make_tiff_rows(const fs::path& path, const Shape& shape, FileColour colour,
                                                 const PictureFacts& facts, int threads) {
  const EncodeOptions options{.colour = shape.channels == 1 ? FileColour::grey : colour,
                              .facts = written_facts(written_format(path), facts, shape, colour)};
  return std::make_unique<TiffRowWriter>(path, shape, options, threads);
}

}  // namespace threadscape::io

#include "compute/io/pictures/tiff_writer.h"

#include <tiff.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/deflate.h"

namespace threadscape::io {

namespace {

/// The samples of a row that a file of this colour has.
template <class T>
std::vector<T> samples_of(const std::byte* row, const Shape& shape, FileColour colour) {
  const T* in = reinterpret_cast<const T*>(row);
  std::vector<T> packed;
  packed.reserve(static_cast<std::size_t>(shape.width * shape.channels));
  for (std::int64_t x = 0; x < shape.width; ++x, in += shape.channels) {
    packed.push_back(in[0]);
    if (shape.channels == 1) continue;
    if (colour == FileColour::rgb || colour == FileColour::rgba) packed.insert(packed.end(), {in[1], in[2]});
    if (colour == FileColour::rgba || colour == FileColour::grey_alpha) packed.push_back(in[3]);
  }
  return packed;
}

/// Replaces numbers by their differences from those `stride` places before.
template <class T>
void take_differences(std::vector<T>& row, std::size_t stride) {
  for (std::size_t i = row.size(); i-- > stride;)
    row[i] = static_cast<T>(row[i] - row[i - stride]);
}

/// Appends a row as it is stored: the differences from the pixel before or, for floats, from the byte before of all
/// highest bytes, which are followed by the next lower ones.
template <class T>
void append_row(std::vector<std::byte>& block, const std::byte* row, const Shape& shape, FileColour colour,
                std::size_t samples) {
  std::vector<T> values = samples_of<T>(row, shape, colour);
  const Bytes bytes = std::as_bytes(std::span(values));
  if constexpr (std::is_integral_v<T>) {
    take_differences(values, samples);
    block.insert(block.end(), bytes.begin(), bytes.end());
  } else {
    std::vector<std::uint8_t> parted(bytes.size());
    for (std::size_t byte = 0; byte < sizeof(T); ++byte)
      for (std::size_t i = 0; i < values.size(); ++i)
        parted[(sizeof(T) - 1 - byte) * values.size() + i] = std::to_integer<std::uint8_t>(bytes[i * sizeof(T) + byte]);
    take_differences(parted, samples);
    const Bytes differences = std::as_bytes(std::span(parted));
    block.insert(block.end(), differences.begin(), differences.end());
  }
}

/// A value of the directory at the end of a file.
struct Tag {
  std::uint16_t number, type;
  std::vector<std::uint64_t> values;
};

/// The lowest `bytes` bytes of a number.
std::string little_endian(std::uint64_t value, std::size_t bytes) {
  return {reinterpret_cast<const char*>(&value), bytes};
}

/// The bytes of a value of a type. A rational number is a denominator in the upper half of a numerator's number.
std::size_t bytes_of(std::uint16_t type) {
  return type == TIFF_UNDEFINED ? 1 : type == TIFF_SHORT ? 2 : type == TIFF_LONG ? 4 : 8;
}

/// Pixels of an inch as a rational number.
std::uint64_t per_inch(double per_metre) {
  constexpr std::uint64_t parts = 10000;
  const double whole = per_metre * 0.0254 * static_cast<double>(parts);
  return parts << 32 | static_cast<std::uint64_t>(std::clamp(std::round(whole), 1.0, 4294967295.0));
}

/// The directory of a file with the values that have no room in it before it, to be written at `at`. Sets `directory`
/// to the place where it begins itself. Offsets have `wide` bytes: 4, or 8 in a BigTIFF.
std::string directory_text(const std::vector<Tag>& tags, std::uint64_t at, std::size_t wide, std::uint64_t& directory) {
  std::string outside, entries = little_endian(tags.size(), wide == 8 ? 8 : 2);
  for (const Tag& tag : tags) {
    std::string values;
    for (const std::uint64_t value : tag.values)
      values += little_endian(value, bytes_of(tag.type));
    entries += little_endian(tag.number, 2) + little_endian(tag.type, 2) + little_endian(tag.values.size(), wide);
    if (values.size() > wide) {
      const std::uint64_t place = at + outside.size();
      outside += values + std::string(values.size() % 2, '\0');
      values = little_endian(place, wide);
    }
    entries += values + std::string(wide - values.size(), '\0');
  }
  directory = at + outside.size();
  return outside + entries + std::string(wide, '\0');  // No other directory follows, unless a page is added.
}

}  // namespace

bool needs_big_tiff(std::size_t bytes) {
  constexpr std::size_t classic_bytes = std::size_t{4000} << 20;  // Offsets of classic TIFF files have 32 bits.
  return bytes > classic_bytes;
}

void encode_tiff(FileWriter& file, HostIn pixels, const EncodeOptions& options) {
  TiffPages pages(file, needs_big_tiff(pixels.shape.bytes()));
  pages.add(pixels, options);
  pages.finish();
}

TiffStrips::TiffStrips(const Shape& shape, EncodeOptions options, bool big, std::uint64_t first)
    : shape_(shape), options_(std::move(options)), big_(big), end_(first) {
  constexpr std::int64_t strip_bytes = std::int64_t{1} << 16;
  const bool rgb = options_.colour == FileColour::rgb || options_.colour == FileColour::rgba;
  const bool alpha = options_.colour == FileColour::rgba || options_.colour == FileColour::grey_alpha;
  samples_ = (rgb ? 3U : 1U) + (alpha ? 1U : 0U);
  const auto row_bytes = shape.width * static_cast<std::int64_t>(samples_ * size_of(shape.element));
  rows_ = std::clamp<std::int64_t>(strip_bytes / row_bytes, 1, shape.height);
}

void TiffStrips::pack(HostIn rows, std::vector<std::byte>& to, int threads) {
  constexpr int level = 1;  // Several times as fast as the default for a few percent of size.
  const auto append = shape_.element == Element::f32   ? append_row<float>
                      : shape_.element == Element::u16 ? append_row<std::uint16_t>
                                                       : append_row<std::uint8_t>;
  const auto packed_strip = [&](std::int64_t first) {
    std::vector<std::byte> block;
    for (std::int64_t y = first; y < std::min(first + rows_, rows.shape.height); ++y)
      append(block, rows.data + static_cast<std::size_t>(y) * rows.pitch, shape_, options_.colour, samples_);
    return deflated(block, level);
  };
  const auto add = [&](const std::vector<std::byte>& strip) {
    offsets_.push_back(end_);
    sizes_.push_back(strip.size());
    end_ += strip.size();
    to.insert(to.end(), strip.begin(), strip.end());
  };
  if (threads <= 1) {
    for (std::int64_t y = 0; y < rows.shape.height; y += rows_)
      add(packed_strip(y));
    return;
  }
  // A thread packs several strips at once, and a round is added before the next one, which bounds the memory.
  const std::int64_t round = std::int64_t{16} * threads;
  std::vector<std::vector<std::byte>> strips(static_cast<std::size_t>(round));
  for (std::int64_t y = 0; y < rows.shape.height; y += round * rows_) {
    const std::int64_t count = std::min(round, (rows.shape.height - y + rows_ - 1) / rows_);
    std::exception_ptr trouble;
#pragma omp parallel for schedule(dynamic) num_threads(threads)
    for (std::int64_t i = 0; i < count; ++i) {
      try {
        strips[static_cast<std::size_t>(i)] = packed_strip(y + i * rows_);
      } catch (...) {
#pragma omp critical
        trouble = std::current_exception();
      }
    }
    if (trouble) std::rethrow_exception(trouble);
    for (std::int64_t i = 0; i < count; ++i)
      add(strips[static_cast<std::size_t>(i)]);
  }
}

std::string TiffStrips::directory(std::uint64_t& place) const {
  const bool rgb = options_.colour == FileColour::rgb || options_.colour == FileColour::rgba;
  const bool alpha = options_.colour == FileColour::rgba || options_.colour == FileColour::grey_alpha;
  const bool floats = shape_.element == Element::f32;
  const std::size_t number = size_of(shape_.element);
  const auto width = static_cast<std::uint64_t>(shape_.width), height = static_cast<std::uint64_t>(shape_.height);
  const auto offset = static_cast<std::uint16_t>(big_ ? TIFF_LONG8 : TIFF_LONG);
  const std::uint64_t format = floats ? SAMPLEFORMAT_IEEEFP : SAMPLEFORMAT_UINT;
  const std::uint64_t photometric = rgb ? PHOTOMETRIC_RGB : PHOTOMETRIC_MINISBLACK;
  const std::uint64_t predictor = floats ? PREDICTOR_FLOATINGPOINT : PREDICTOR_HORIZONTAL;
  std::vector<Tag> tags{{TIFFTAG_IMAGEWIDTH, TIFF_LONG, {width}},
                        {TIFFTAG_IMAGELENGTH, TIFF_LONG, {height}},
                        {TIFFTAG_BITSPERSAMPLE, TIFF_SHORT, std::vector<std::uint64_t>(samples_, 8 * number)},
                        {TIFFTAG_COMPRESSION, TIFF_SHORT, {COMPRESSION_ADOBE_DEFLATE}},
                        {TIFFTAG_PHOTOMETRIC, TIFF_SHORT, {photometric}},
                        {TIFFTAG_STRIPOFFSETS, offset, offsets_},
                        {TIFFTAG_ORIENTATION, TIFF_SHORT, {ORIENTATION_TOPLEFT}},
                        {TIFFTAG_SAMPLESPERPIXEL, TIFF_SHORT, {samples_}},
                        {TIFFTAG_ROWSPERSTRIP, TIFF_LONG, {static_cast<std::uint64_t>(rows_)}},
                        {TIFFTAG_STRIPBYTECOUNTS, offset, sizes_},
                        {TIFFTAG_PLANARCONFIG, TIFF_SHORT, {PLANARCONFIG_CONTIG}},
                        {TIFFTAG_PREDICTOR, TIFF_SHORT, {predictor}},
                        {TIFFTAG_EXTRASAMPLES, TIFF_SHORT, {EXTRASAMPLE_UNASSALPHA}},
                        {TIFFTAG_SAMPLEFORMAT, TIFF_SHORT, std::vector<std::uint64_t>(samples_, format)}};
  if (!alpha) tags.erase(tags.end() - 2);
  const PictureFacts& facts = options_.facts;
  if (facts.per_metre_x > 0 && facts.per_metre_y > 0) {
    const auto planar = std::ranges::find(tags, TIFFTAG_PLANARCONFIG, &Tag::number);
    tags.insert(tags.insert(planar, {{TIFFTAG_XRESOLUTION, TIFF_RATIONAL, {per_inch(facts.per_metre_x)}},
                                     {TIFFTAG_YRESOLUTION, TIFF_RATIONAL, {per_inch(facts.per_metre_y)}}}) +
                    3,
                {TIFFTAG_RESOLUTIONUNIT, TIFF_SHORT, {RESUNIT_INCH}});
  }
  if (!facts.profile.empty()) {
    Tag profile{TIFFTAG_ICCPROFILE, TIFF_UNDEFINED, {}};
    for (const std::byte byte : facts.profile)
      profile.values.push_back(std::to_integer<std::uint64_t>(byte));
    tags.push_back(std::move(profile));
  }
  return directory_text(tags, end(), big_ ? 8 : 4, place);
}

void TiffPages::add(HostIn pixels, const EncodeOptions& options) {
  const std::size_t wide = big_ ? 8 : 4;
  const std::uint64_t first = end_ > 0 ? end_ : 2 * wide;  // After the pages before, or the header.
  TiffStrips packed(pixels.shape, options, big_, first);
  std::vector<std::byte> strips;
  packed.pack(pixels, strips);
  strips.resize(strips.size() + strips.size() % 2);  // Values and directories begin at even places.
  std::uint64_t directory = 0;
  std::string text = packed.directory(directory);
  text.resize(text.size() + text.size() % 2);
  const std::uint64_t end = first + strips.size() + text.size();
  if (!big_ && end > std::numeric_limits<std::uint32_t>::max())
    throw UsageError("the pages take more than the 4 GiB of a TIFF: numbered pictures (page_%04d.tif) hold them");
  if (end_ == 0) file_.write(big_ ? std::string("II+\0\10\0\0\0", 8) : std::string("II*\0", 4));
  // The place of this directory is the last number of the one before, or of the header.
  file_.write(directory_.substr(0, directory_.size() - (end_ > 0 ? wide : 0)) + little_endian(directory, wide));
  file_.write(strips.data(), strips.size());
  directory_ = std::move(text);
  end_ = end;
}

}  // namespace threadscape::io

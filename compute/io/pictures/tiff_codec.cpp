// TIFF (integers of 1 to 16, 32 and 64 bits, floats; grey, RGB, L*a*b* and alpha; strips, tiles, planes; all
// compressions of libtiff) through libtiff. Files of other kinds (palettes of up to 8 bits, YCbCr, CMYK) are read as
// 8-bit RGBA by libtiff itself.
// The first picture of a file is read, and its orientation applied; a clip consists of all of them. Written are strips,
// compressed by Deflate with a predictor (tiff_writer.cpp).

#include <tiffio.h>

#include <algorithm>
#include <array>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "compute/core/convert.h"
#include "compute/core/machine.h"
#include "compute/io/numbers/half.h"
#include "compute/io/pictures/clip_codecs.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/pictures/orientation.h"
#include "compute/io/pictures/tiff_colours.h"
#include "compute/io/pictures/tiff_layout.h"
#include "compute/io/pictures/tiff_writer.h"

namespace threadscape::io {

namespace {

/// A file in memory that libtiff reads, and libtiff's first error.
struct Memory {
  Bytes file;
  std::function<void(double)> progress = {};  ///< ReadingWatch::progress.
  std::size_t at = 0;
  std::string error;

  static tmsize_t read(thandle_t handle, void* to, tmsize_t wanted) {
    auto& self = *static_cast<Memory*>(handle);
    const std::size_t left = self.file.size() - std::min(self.at, self.file.size());
    const std::size_t got = std::min(static_cast<std::size_t>(std::max<tmsize_t>(wanted, 0)), left);
    if (got > 0) std::memcpy(to, self.file.data() + self.at, got);
    self.at += got;
    return static_cast<tmsize_t>(got);
  }
  static tmsize_t write(thandle_t, void*, tmsize_t) { return -1; }
  static toff_t seek(thandle_t handle, toff_t offset, int from) {
    auto& self = *static_cast<Memory*>(handle);
    const std::size_t base = from == SEEK_CUR ? self.at : from == SEEK_END ? self.file.size() : 0;
    self.at = base + offset;
    return self.at;
  }
  static int close(thandle_t) { return 0; }
  static toff_t length(thandle_t handle) { return static_cast<Memory*>(handle)->file.size(); }

  static int on_error(TIFF*, void* user, const char*, const char* format, va_list arguments) {
    auto& self = *static_cast<Memory*>(user);
    char text[200] = "";
    std::vsnprintf(text, sizeof text, format, arguments);
    if (self.error.empty()) self.error = text;
    return 1;  // No other handler is called.
  }
  static int on_warning(TIFF*, void*, const char*, const char*, va_list) { return 1; }
};

struct Close {
  void operator()(TIFF* tiff) const { TIFFClose(tiff); }
};
using Tiff = std::unique_ptr<TIFF, Close>;

Tiff open_tiff(Memory& memory) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 &TIFFOpenOptionsFree);
  const std::size_t most = std::min(free_host_bytes(), justified_bytes(memory.file.size()));
  TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), std::max<tmsize_t>(static_cast<tmsize_t>(most), 1));
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), &Memory::on_error, &memory);
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), &Memory::on_warning, &memory);
  // "m": the file is not to be mapped, because it is in memory.
  return Tiff(TIFFClientOpenExt("", "rm", &memory, &Memory::read, &Memory::write, &Memory::seek, &Memory::close,
                                &Memory::length, nullptr, nullptr, options.get()));
}

[[noreturn]] void corrupt_tiff(const Memory& memory) {
  if (memory.error.starts_with("Read error")) throw DecodeFailure{"it is truncated"};
  throw DecodeFailure{"corrupt TIFF: " + (memory.error.empty() ? "its pixels cannot be decoded" : memory.error)};
}

/// Copies blocks of pixels, strips or tiles, into a picture. `In` is the type of the file's samples.
template <class In, class Out>
class BlockCopy {
 public:
  BlockCopy(const TiffLayout& layout, HostOut to) : is_(layout), to_(to) {}

  /// A block at (x0, y0) of `rows` rows that are `row_bytes` long. It holds one sample of each pixel, number `plane`,
  /// or all of them where `plane` is negative.
  void copy(const std::byte* block, std::size_t row_bytes, std::uint32_t x0, std::uint32_t y0, std::uint32_t columns,
            std::uint32_t rows, int plane) const {
    const std::size_t step = plane < 0 ? is_.samples : 1;
    for (std::uint32_t y = y0; y < std::min(is_.height, y0 + rows); ++y, block += row_bytes) {
      const std::byte* from = block;
      Out* pixel = reinterpret_cast<Out*>(to_.data + y * to_.pitch) + x0 * static_cast<std::size_t>(to_.shape.channels);
      for (std::uint32_t x = x0; x < std::min(is_.width, x0 + columns); ++x, pixel += to_.shape.channels) {
        if (plane < 0)
          for (int sample = 0; sample < is_.samples; ++sample)
            put(pixel, sample, from + static_cast<std::size_t>(sample) * sizeof(In));
        else
          put(pixel, plane, from);
        from += step * sizeof(In);
      }
    }
  }

 private:
  void put(Out* pixel, int sample, const std::byte* from) const {
    In stored;
    std::memcpy(&stored, from, sizeof stored);
    auto value = static_cast<Out>(stored);
    const int colours = is_.colours();
    if constexpr (std::is_same_v<Out, std::uint8_t>)
      if (is_.bits < 8) value = static_cast<Out>(value * 255 / ((1 << is_.bits) - 1));
    if constexpr (std::is_same_v<Out, std::uint16_t>)
      if (sample == colours && is_.has_alpha) value = static_cast<Out>(value * 65535u / is_.full());
    if constexpr (std::is_integral_v<Out>)
      if (is_.photometric == PHOTOMETRIC_MINISWHITE && sample < colours) value = static_cast<Out>(is_.full() - value);
    if (to_.shape.channels == 1) {
      if (sample == 0) *pixel = value;
    } else if (sample < colours) {
      std::fill(pixel + sample, pixel + (colours == 1 ? 3 : sample + 1), value);
    } else if (is_.has_alpha && sample == colours) {
      pixel[3] = value;
    }
  }

  TiffLayout is_;
  HostOut to_;
};

/// Unpacks rows of samples of less than 16 bits, the first one in the highest bits of the first byte.
template <class In>
std::vector<std::byte> unpacked(const std::vector<std::byte>& packed, std::size_t row_bytes, std::size_t samples,
                                int bits) {
  const std::size_t rows = packed.size() / row_bytes;
  std::vector<std::byte> all(rows * samples * sizeof(In));
  for (std::size_t row = 0; row < rows; ++row) {
    const std::byte* from = packed.data() + row * row_bytes;
    std::uint32_t window = 0;
    for (std::size_t i = 0, have = 0; i < samples; ++i) {
      for (; have < static_cast<std::size_t>(bits); have += 8)
        window = window << 8 | std::to_integer<std::uint32_t>(*from++);
      have -= static_cast<std::size_t>(bits);
      const auto value = static_cast<In>(window >> have & ((1u << bits) - 1));
      std::memcpy(all.data() + (row * samples + i) * sizeof(In), &value, sizeof value);
    }
  }
  return all;
}

template <class In, class Out>
void read_blocks(TIFF* tiff, const Memory& memory, const TiffLayout& layout, HostOut to) {
  const BlockCopy<In, Out> blocks(layout, to);
  const bool planes = layout.planar == PLANARCONFIG_SEPARATE && layout.samples > 1;
  const std::size_t pixel_bytes = sizeof(In) * (planes ? 1 : layout.samples);
  const bool tiled = TIFFIsTiled(tiff) != 0;
  std::uint32_t columns = layout.width, rows = layout.height;
  if (tiled) {
    if (TIFFGetField(tiff, TIFFTAG_TILEWIDTH, &columns) == 0 || TIFFGetField(tiff, TIFFTAG_TILELENGTH, &rows) == 0)
      corrupt_tiff(memory);
  } else {
    TIFFGetFieldDefaulted(tiff, TIFFTAG_ROWSPERSTRIP, &rows);
    rows = std::min(rows, layout.height);
  }
  if (columns == 0 || rows == 0) corrupt_tiff(memory);
  check_header(columns, rows, pixel_bytes, memory.file.size());
  const std::size_t row_samples = static_cast<std::size_t>(columns) * (planes ? 1 : layout.samples);
  const std::size_t row_bytes = layout.is_packed() ? (row_samples * layout.bits + 7) / 8 : columns * pixel_bytes;
  std::vector<std::byte> block(row_bytes * rows);
  const auto block_bytes = static_cast<tmsize_t>(block.size());
  for (int plane = planes ? 0 : -1; plane < (planes ? layout.kept() : 0); ++plane)
    for (std::uint32_t y = 0; y < layout.height; y += std::min(rows, layout.height - y)) {
      if (memory.progress)
        memory.progress((std::max(plane, 0) + static_cast<double>(y) / layout.height) / (planes ? layout.kept() : 1));
      for (std::uint32_t x = 0; x < layout.width; x += std::min(columns, layout.width - x)) {
        const auto sample = static_cast<std::uint16_t>(std::max(plane, 0));
        const tmsize_t wanted =
            tiled ? block_bytes : static_cast<tmsize_t>(row_bytes * std::min(rows, layout.height - y));
        const tmsize_t got =
            tiled ? TIFFReadEncodedTile(tiff, TIFFComputeTile(tiff, x, y, 0, sample), block.data(), wanted)
                  : TIFFReadEncodedStrip(tiff, TIFFComputeStrip(tiff, y, sample), block.data(), wanted);
        if (got < wanted || !memory.error.empty()) corrupt_tiff(memory);
        if constexpr (std::is_integral_v<In>) {
          if (layout.is_packed()) {
            const std::vector<std::byte> whole = unpacked<In>(block, row_bytes, row_samples, layout.bits);
            blocks.copy(whole.data(), columns * pixel_bytes, x, y, columns, rows, plane);
            continue;
          }
        }
        blocks.copy(block.data(), columns * pixel_bytes, x, y, columns, rows, plane);
      }
    }
}

/// Divides the colours by the alpha that they were multiplied with.
template <class T>
void unmultiply(ImageView<RgbaOf<T>> pixels) {
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      auto& pixel = pixels(x, y);
      const double full = std::is_integral_v<T> ? static_cast<double>(std::numeric_limits<T>::max()) : 1.0;
      const double alpha = static_cast<double>(pixel.a) / full;
      for (T* value : {&pixel.r, &pixel.g, &pixel.b}) {
        const double whole = alpha > 0 ? static_cast<double>(*value) / alpha : 0;
        *value = std::is_integral_v<T> ? static_cast<T>(std::min(whole + 0.5, full)) : static_cast<T>(whole);
      }
    }
}

Loaded read_plain(TIFF* tiff, const Memory& memory, const TiffLayout& layout) {
  // Pictures of satellites have tens of bands. A file may claim 65535, for which a strip would take gigabytes.
  constexpr int most_samples = 256;
  if (layout.samples > most_samples)
    throw DecodeFailure{"its pixels have " + std::to_string(layout.samples) + " samples, at most " +
                        std::to_string(most_samples) + " are read"};
  const FileColour colour = layout.colour();
  const Shape shape = Shape::image(layout.element(), colour == FileColour::grey ? 1 : 4, layout.width, layout.height);
  check_header(shape.width, shape.height, shape.pixel_bytes(), memory.file.size());
  Loaded picture{HostArray(shape), colour};
  const auto fill_opaque = [&]<class T>(T full) {
    if (shape.channels == 4)
      for (int y = 0; y < static_cast<int>(shape.height); ++y)
        for (int x = 0; x < static_cast<int>(shape.width); ++x)
          picture.pixels.image<RgbaOf<T>>()(x, y).a = full;
  };
  const HostOut to = picture.pixels.view();
  if (shape.element == Element::u8) {
    fill_opaque(std::uint8_t{255});
    read_blocks<std::uint8_t, std::uint8_t>(tiff, memory, layout, to);
    if (layout.premultiplied) unmultiply<std::uint8_t>(picture.pixels.image<Rgba8>());
  } else if (shape.element == Element::u16) {
    fill_opaque(std::uint16_t{65535});
    read_blocks<std::uint16_t, std::uint16_t>(tiff, memory, layout, to);
    if (layout.premultiplied) unmultiply<std::uint16_t>(picture.pixels.image<Rgba16>());
  } else {
    fill_opaque(1.0f);
    if (layout.sample_format == SAMPLEFORMAT_IEEEFP)
      layout.bits == 64   ? read_blocks<double, float>(tiff, memory, layout, to)
      : layout.bits == 32 ? read_blocks<float, float>(tiff, memory, layout, to)
                          : read_blocks<Half, float>(tiff, memory, layout, to);
    else if (layout.is_integer())
      layout.bits == 64 ? read_blocks<std::uint64_t, float>(tiff, memory, layout, to)
                        : read_blocks<std::uint32_t, float>(tiff, memory, layout, to);
    else
      layout.bits == 8    ? read_blocks<std::int8_t, float>(tiff, memory, layout, to)
      : layout.bits == 16 ? read_blocks<std::int16_t, float>(tiff, memory, layout, to)
      : layout.bits == 32 ? read_blocks<std::int32_t, float>(tiff, memory, layout, to)
                          : read_blocks<std::int64_t, float>(tiff, memory, layout, to);
    if (layout.premultiplied) unmultiply<float>(picture.pixels.image<Rgba32f>());
  }
  return picture;
}

/// Lets libtiff convert the pixels to 8-bit RGBA.
Loaded read_converted(TIFF* tiff, const Memory& memory, const TiffLayout& layout) {
  char why[1024] = "";
  const bool numbers = layout.bits > 8 || layout.sample_format > SAMPLEFORMAT_UINT;
  if (numbers || TIFFRGBAImageOK(tiff, why) == 0)
    throw DecodeFailure{
        "its pixels (" + std::to_string(layout.bits) + " bit, sample format " + std::to_string(layout.sample_format) +
        ", photometric interpretation " + std::to_string(layout.photometric) +
        ") are not read: grey and RGB with integers of 1 to 16, 32 and 64 bit or floats of 16, 32 and 64 bit are, and "
        "CMYK and YCbCr of 8 bit"};
  check_header(layout.width, layout.height, 2 * sizeof(Rgba8), memory.file.size());
  const Shape shape = Shape::image(Element::u8, 4, layout.width, layout.height);
  std::vector<std::uint32_t> packed(static_cast<std::size_t>(shape.items()));
  // The picture is read as it is stored, with its first row first. read_picture() applies the orientation.
  if (TIFFReadRGBAImageOriented(tiff, layout.width, layout.height, packed.data(), layout.orientation, 1) == 0 ||
      !memory.error.empty())
    corrupt_tiff(memory);
  Loaded picture{HostArray(shape), layout.has_alpha ? FileColour::rgba : FileColour::rgb};
  const auto pixels = picture.pixels.image<Rgba8>();
  for (int y = 0; y < pixels.height; ++y)
    for (int x = 0; x < pixels.width; ++x) {
      const std::uint32_t value = packed[static_cast<std::size_t>(y) * layout.width + static_cast<std::size_t>(x)];
      pixels(x, y) = {static_cast<std::uint8_t>(TIFFGetR(value)), static_cast<std::uint8_t>(TIFFGetG(value)),
                      static_cast<std::uint8_t>(TIFFGetB(value)), static_cast<std::uint8_t>(TIFFGetA(value))};
    }
  return picture;
}

bool is_tiff(Bytes file) {
  constexpr std::array<const char*, 4> starts{"II*\0", "MM\0*", "II+\0", "MM\0+"};
  return file.size() >= 8 &&
         std::ranges::any_of(starts, [&](const char* start) { return std::memcmp(file.data(), start, 4) == 0; });
}

/// Throws DecodeFailure for a compression that this libtiff does not undo.
void require_compression(TIFF* tiff) {
  std::uint16_t method = COMPRESSION_NONE;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_COMPRESSION, &method);
  if (TIFFIsCODECConfigured(method) != 0) return;
  constexpr std::array<std::pair<int, const char*>, 7> names{{{33003, "JPEG 2000 "},
                                                              {33005, "JPEG 2000 "},
                                                              {34712, "JPEG 2000 "},
                                                              {34933, "PNG "},
                                                              {34934, "JPEG XR "},
                                                              {50002, "JPEG XL "},
                                                              {52546, "JPEG XL "}}};
  const auto* const known = std::ranges::find(names, int{method}, &std::pair<int, const char*>::first);
  throw DecodeFailure{std::string("its pixels are compressed by ") +
                      (known == names.end() ? "a method that is not known " : known->second) + "(" +
                      std::to_string(method) +
                      "), which is not read: save it with LZW or Deflate in the program that it comes from"};
}

/// What of the file is guessed or left out.
std::string note_of(TIFF* tiff, const TiffLayout& layout, bool guessed_alpha) {
  std::string note;
  const auto add = [&](const std::string& text) { note += (note.empty() ? "" : "; ") + text; };
  if (guessed_alpha) add("the fourth value of its pixels is taken for alpha, which it does not state");
  if (const int left = layout.samples - layout.kept(); layout.is_plain() && left > 0)
    add("only " + std::to_string(layout.kept()) + " of the " + std::to_string(layout.samples) +
        " values of its pixels are read, because the others are stated to be neither colours nor alpha");
  std::uint32_t layers = 1;
  if (TIFFGetField(tiff, TIFFTAG_IMAGEDEPTH, &layers) != 0 && layers > 1)
    add("its pixels have " + std::to_string(layers) + " layers, of which the first is read");
  return note;
}

/// Reads 16-bit indices into a palette.
Loaded read_indices(TIFF* tiff, const Memory& memory, TiffLayout layout) {
  std::array<std::uint16_t*, 3> maps{};
  if (TIFFGetField(tiff, TIFFTAG_COLORMAP, &maps[0], &maps[1], &maps[2]) == 0) corrupt_tiff(memory);
  layout.photometric = PHOTOMETRIC_MINISBLACK;
  layout.has_alpha = layout.premultiplied = false;
  Loaded picture = read_plain(tiff, memory, layout);
  std::array<std::span<const std::uint16_t>, 3> palette;
  std::ranges::transform(maps, palette.begin(),
                         [&](const std::uint16_t* map) { return std::span(map, std::size_t{1} << layout.bits); });
  apply_palette(picture, palette);
  return picture;
}

/// Reads the picture whose directory libtiff has read last.
Loaded read_picture(TIFF* tiff, const Memory& memory) {
  TiffLayout layout = tiff_layout(tiff);
  check_header(layout.width, layout.height, 1);
  require_compression(tiff);
  const bool guessed_alpha = layout.photometric == PHOTOMETRIC_RGB && layout.samples == 4 && !layout.has_alpha &&
                             !has_entry(tiff, memory.file, TIFFTAG_EXTRASAMPLES);
  layout.has_alpha = layout.has_alpha || guessed_alpha;
  Loaded picture = layout.is_plain()           ? read_plain(tiff, memory, layout)
                   : layout.has_long_indices() ? read_indices(tiff, memory, layout)
                                               : read_converted(tiff, memory, layout);
  if (layout.is_plain() && layout.is_lab())
    lab_to_rgb(picture, layout.photometric == PHOTOMETRIC_ICCLAB ? LabStorage::icc : LabStorage::cie);
  if (picture.note.empty()) picture.note = note_of(tiff, layout, guessed_alpha);
  picture.facts = tiff_facts(tiff);
  return oriented(std::move(picture), layout.orientation);
}

/// Returns whether the directory that libtiff has read last is a copy of a page that is small enough to be read at
/// once.
bool is_overview(TIFF* tiff) {
  constexpr std::int64_t most_pixels = std::int64_t{1} << 22;
  std::uint32_t type = 0;
  TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &type);
  const TiffLayout is = tiff_layout(tiff);
  return type == FILETYPE_REDUCEDIMAGE && std::int64_t{is.width} * is.height <= most_pixels;
}

/// Makes an overview of a page from the directory that libtiff has read last: its small copy, or the page itself.
void make_tiff_overview(TIFF* tiff, const Memory& memory, const TiffLayout& page, const ReadingWatch& watch) {
  std::optional<Loaded> small;
  if (is_overview(tiff)) {
    small = read_picture(tiff, memory);
    small->pixels = convert_picture(small->pixels.view(), Element::u8);
  } else if (std::optional<HostArray> pixels = sampled_tiff(tiff)) {
    small = oriented({std::move(*pixels)}, page.orientation);
  }
  if (!small || !memory.error.empty()) return;
  const bool turned = page.orientation > ORIENTATION_BOTLEFT;
  watch.overview({.pixels = std::move(small->pixels),
                  .width = turned ? page.height : page.width,
                  .height = turned ? page.width : page.height});
}

/// A picture is the first page. The list of pages may be damaged; then the number says how far it can be read.
Loaded decode_tiff(Bytes file, const ReadingWatch& watch) {
  const TiffFile tiff(file);
  Loaded picture = tiff.page(0, watch);
  if (tiff.pages() > 1)
    picture.note += (picture.note.empty() ? "" : "; ") + ("it has " + std::to_string(tiff.pages())) +
                    " pages, of which the first is read; clips and volumes have all";
  return picture;
}

}  // namespace

struct TiffFile::Open {
  Memory memory;
  Tiff tiff;
  std::vector<std::uint64_t> directories;  ///< Where the pages begin in the file.
  std::uint64_t overview = 0;              ///< Where a small copy of the first page begins; 0 if the list has none.
  bool damaged = false;
};

TiffFile::TiffFile(Bytes file) : open_(std::make_unique<Open>()) {
  Memory& memory = open_->memory;
  memory.file = file;
  open_->tiff = open_tiff(memory);
  TIFF* const tiff = open_->tiff.get();
  if (tiff == nullptr) corrupt_tiff(memory);
  do {
    std::uint32_t type = 0;
    TIFFGetFieldDefaulted(tiff, TIFFTAG_SUBFILETYPE, &type);
    if (open_->directories.empty() || (type & FILETYPE_REDUCEDIMAGE) == 0)
      open_->directories.push_back(TIFFCurrentDirOffset(tiff));
    else if (open_->overview == 0 && open_->directories.size() == 1 && is_overview(tiff))
      open_->overview = TIFFCurrentDirOffset(tiff);
  } while (std::ssize(open_->directories) <= limit_of(Limit::frames) && TIFFReadDirectory(tiff) != 0);
  open_->damaged = !memory.error.empty();
  memory.error.clear();
}

TiffFile::~TiffFile() = default;

std::int64_t TiffFile::pages() const {
  return std::ssize(open_->directories);
}

bool TiffFile::damaged() const {
  return open_->damaged;
}

Loaded TiffFile::page(std::int64_t number, const ReadingWatch& watch) const {
  TIFF* const tiff = open_->tiff.get();
  const std::uint64_t place = open_->directories[static_cast<std::size_t>(number)];
  const auto go = [&](std::uint64_t to) {
    if (TIFFCurrentDirOffset(tiff) != to && TIFFSetSubDirectory(tiff, to) == 0) corrupt_tiff(open_->memory);
  };
  go(place);
  if (const TiffLayout layout = tiff_layout(tiff); watch.wants_overview(layout.width, layout.height)) {
    try {
      if (number == 0 && open_->overview != 0) go(open_->overview);
      make_tiff_overview(tiff, open_->memory, layout, watch);
    } catch (const DecodeFailure&) {  // Reading the page itself says why.
    }
    open_->memory.error.clear();
    go(place);
  }
  open_->memory.progress = watch.progress;
  Loaded picture = read_picture(tiff, open_->memory);
  open_->memory.progress = {};
  return picture;
}

Loaded decode_tiff_clip(Bytes file) {
  const TiffFile tiff(file);
  if (tiff.damaged()) throw DecodeFailure{"corrupt TIFF: its list of pages is damaged"};
  ClipBuilder clip(tiff.pages());
  for (std::int64_t i = 0; i < tiff.pages(); ++i)
    clip.add(tiff.page(i), "page " + std::to_string(i + 1));
  return clip.take();
}

ImageFormat tiff_format() {
  static constexpr std::array<std::string_view, 2> extensions{".tif", ".tiff"};
  return {.name = "TIFF",
          .extensions = extensions,
          .sniff = is_tiff,
          .decode = decode_tiff,
          .encode = encode_tiff,
          .numbers = {.u8 = true, .u16 = true, .f32 = true},
          .colour = true,
          .alpha = true,
          .profiles = true};
}

}  // namespace threadscape::io

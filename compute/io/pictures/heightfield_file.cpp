#include "compute/io/pictures/heightfield_file.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <cmath>
#include <cstring>
#include <optional>

#include "compute/core/border.h"
#include "compute/core/parameter_file.h"
#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/input_file.h"
#include "compute/io/meshes/height_mesh_writer.h"
#include "compute/io/pictures/elevation_file.h"
#include "compute/io/pictures/png_codec.h"
#include "compute/io/standard_stream.h"

namespace threadscape::io {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, ".r32 and .r16 are little endian");

namespace {

constexpr const char* heights_keyword = "Heights";

[[maybe_unused]] const bool heightfields_provided =
    provide_parameter_files(ParameterFile::heightfield, [](const fs::path& path) {
      HostArray heights = load_heightfield(path, {});
      fill_holes(heights);  // Terrain grows from heights.
      return heights;
    });

Shape heightfield_of(Element element, std::int64_t width, std::int64_t height) {
  return {Kind::heightfield, element, 1, width, height, 1};
}

/// Parses "LOW HIGH"; nothing where the text holds anything but two finite numbers in this order.
std::optional<HeightRange> parse_range(const std::string& text) {
  HeightRange range;
  const char* const end = text.data() + text.size();
  const auto low = std::from_chars(text.data(), end, range.low);
  if (low.ec != std::errc() || low.ptr == end || *low.ptr != ' ') return {};
  const auto high = std::from_chars(low.ptr + 1, end, range.high);
  if (high.ec != std::errc() || high.ptr != end) return {};
  const bool sane = std::isfinite(range.low) && std::isfinite(range.high) && range.low <= range.high;
  return sane ? std::optional(range) : std::nullopt;
}

template <class To, class View, class F>
HostArray mapped(const View& from, Kind kind, const F& f) {
  HostArray array({kind, PixelTraits<To>::element, 1, from.width, from.height, 1});
  const auto to = array.image<To>();
  for (int y = 0; y < from.height; ++y)
    for (int x = 0; x < from.width; ++x)
      to(x, y) = f(from(x, y));
  return array;
}

/// The numbers of the file as a heightfield, before the range of a text chunk is applied. Colours become their luma.
HostArray grey_levels(const HostArray& pixels) {
  const HostIn view = pixels.view();
  const auto luma_of = [](const auto& pixel) { return luma(pixel); };
  const auto same = [](auto value) { return value; };
  switch (view.shape.element) {
    case Element::u8:
      return view.shape.channels == 1 ? mapped<std::uint8_t>(view.image<std::uint8_t>(), Kind::heightfield, same)
                                      : mapped<std::uint8_t>(view.image<Rgba8>(), Kind::heightfield, luma_of);
    case Element::u16:
      return view.shape.channels == 1 ? mapped<std::uint16_t>(view.image<std::uint16_t>(), Kind::heightfield, same)
                                      : mapped<std::uint16_t>(view.image<Rgba16>(), Kind::heightfield, luma_of);
    default:
      return view.shape.channels == 1 ? mapped<float>(view.image<float>(), Kind::heightfield, same)
                                      : mapped<float>(view.image<Rgba32f>(), Kind::heightfield, luma_of);
  }
}

HostArray apply_range(HostArray levels, const HeightRange& range) {
  const bool bytes = levels.shape().element == Element::u8;
  const double white_level = bytes ? 255.0 : 65535.0;
  if (levels.shape().element == Element::f32 || (range.low == 0.0f && static_cast<double>(range.high) == white_level))
    return levels;
  HostArray heights;
  with_heights(std::as_const(levels).view(), [&](const auto& from) {
    heights = mapped<float>(from, Kind::heightfield, [&](auto level) {
      return static_cast<float>(range.low +
                                static_cast<double>(level) / white_level * (double{range.high} - range.low));
    });
  });
  return heights;
}

/// Throws DecodeFailure where a height is infinite. NaN is a hole.
void refuse_infinity(const HostArray& heights) {
  if (heights.shape().element != Element::f32) return;
  const auto values = heights.image<float>();
  for (int y = 0; y < values.height; ++y)
    for (int x = 0; x < values.width; ++x)
      if (std::isinf(values(x, y)))
        throw DecodeFailure{"its height at " + std::to_string(x) + ", " + std::to_string(y) + " is no finite number"};
}

HostArray decode_r32(Bytes file) {
  if (file.empty()) throw DecodeFailure{"it is empty"};
  const std::size_t count = file.size() / sizeof(float);
  auto side = static_cast<std::size_t>(std::sqrt(static_cast<double>(count)));
  while (side * side < count)
    ++side;
  if (file.size() % sizeof(float) != 0 || side * side != count)
    throw DecodeFailure{"its " + std::to_string(file.size()) + " bytes are not a square of 4-byte floats"};
  check_header(static_cast<std::int64_t>(side), static_cast<std::int64_t>(side), sizeof(float));
  HostArray heights(heightfield_of(Element::f32, static_cast<std::int64_t>(side), static_cast<std::int64_t>(side)));
  for (std::size_t y = 0; y < side; ++y)
    std::memcpy(heights.data() + y * heights.pitch(), file.data() + y * side * sizeof(float), side * sizeof(float));
  return heights;
}

/// The formats of heights alone that are read.
struct ElevationFormat {
  std::string_view extension;
  HostArray (*decode)(Bytes file);
};
constexpr std::array<ElevationFormat, 4> elevation_formats{
    {{".r32", decode_r32}, {".r16", decode_r16}, {".asc", decode_asc}, {".hgt", decode_hgt}}};

/// The heights as 8- or 16-bit grey levels for a PNG. `range` receives the heights that the lowest and the highest
/// level stand for.
HostArray levels_for_png(HostIn heights, int bits, HeightRange& range) {
  HostArray levels;
  const bool bytes = bits == 8;
  with_heights(heights, [&]<class View>(const View& from) {
    using Value = std::remove_cvref_t<decltype(from(0, 0))>;
    if constexpr (std::is_same_v<Value, float>) {
      range = height_range(heights);
      const double extent = double{range.high} - range.low, scale = extent > 0 ? (bytes ? 255.0 : 65535.0) / extent : 0;
      const auto level = [&](float height) {
        return std::isnan(height) ? 0.0 : std::floor((double{height} - range.low) * scale + 0.5);
      };
      levels = bytes ? mapped<std::uint8_t>(from, Kind::image, level) : mapped<std::uint16_t>(from, Kind::image, level);
    } else {
      range = {0.0f, static_cast<float>(white<Value>)};
      constexpr bool narrow = sizeof(Value) == 1;
      if (bytes)
        levels = mapped<std::uint8_t>(from, Kind::image, [](Value v) { return narrow ? v : (v + 128) / 257; });
      else
        levels = mapped<std::uint16_t>(from, Kind::image, [](Value v) { return narrow ? v * 257 : v; });
    }
  });
  return levels;
}

void encode_heights_png(FileWriter& writer, HostIn heights, int bits) {
  HeightRange range;
  const int depth = bits != 0 ? bits : heights.shape.element == Element::u8 ? 8 : 16;
  const HostArray levels = levels_for_png(heights, depth, range);
  encode_png(writer, levels.view(), FileColour::grey,
             {heights_keyword, height_text(range.low) + " " + height_text(range.high)});
}

void encode_heights_pgm(FileWriter& writer, HostIn heights, int /*bits*/) {
  heights.shape.kind = Kind::image;
  written_format("heights.pgm").encode(writer, heights, {});
}

void encode_heights_r32(FileWriter& writer, HostIn heights, int /*bits*/) {
  std::vector<float> row(static_cast<std::size_t>(heights.shape.width));
  with_heights(heights, [&](const auto& values) {
    for (int y = 0; y < values.height; ++y) {
      std::copy_n(values.row(y), values.width, row.begin());
      writer.write(row.data(), row.size() * sizeof(float));
    }
  });
}

void encode_heights_r16(FileWriter& writer, HostIn heights, int /*bits*/) {
  HeightRange range;
  const HostArray levels = levels_for_png(heights, 16, range);
  for (int y = 0; y < heights.shape.height; ++y)
    writer.write(levels.image<std::uint16_t>().row(y), static_cast<std::size_t>(heights.shape.width) * 2);
}

/// A file format that heightfields are written in.
struct HeightfieldFormat {
  std::string_view extension;
  WrittenNumbers numbers;
  bool squares_only = false;  ///< Width and height must be equal, because the file does not state them.
  void (*encode)(FileWriter& writer, HostIn heights, int bits) = nullptr;
  const ImageFormat* picture = nullptr;  ///< The picture format that writes the heights, instead of `encode`.
};

/// The formats of heightfields alone, and the picture formats that hold floats.
const std::vector<HeightfieldFormat>& heightfield_formats() {
  static const std::vector<HeightfieldFormat> formats = [] {
    std::vector<HeightfieldFormat> all{{".png", {true, true, true}, false, encode_heights_png},
                                       {".pgm", {true, true, false}, false, encode_heights_pgm},
                                       {".r32", {true, true, true}, true, encode_heights_r32},
                                       {".r16", {true, true, true}, true, encode_heights_r16},
                                       {".obj", {true, true, true}, false, encode_heights_obj},
                                       {".glb", {true, true, true}, false, encode_heights_glb},
                                       {".ply", {true, true, true}, false, encode_heights_ply},
                                       {".stl", {true, true, true}, false, encode_heights_stl}};
    for (const ImageFormat& format : image_formats())
      for (const std::string_view extension : format.extensions)
        if (format.encode && format.numbers.f32) all.push_back({extension, format.numbers, false, nullptr, &format});
    return all;
  }();
  return formats;
}

/// The extensions of the formats that `accept(format)` is true for, for example ".png or .r32".
template <class Accept>
std::string extensions_text(const Accept& accept) {
  std::vector<std::string_view> extensions;
  for (const HeightfieldFormat& format : heightfield_formats())
    if (accept(format)) extensions.push_back(format.extension);
  return enumerated(extensions);
}

const HeightfieldFormat& heightfield_format_of(const fs::path& path) {
  const auto found = std::ranges::find(heightfield_formats(), extension_of(path), &HeightfieldFormat::extension);
  if (found == heightfield_formats().end())
    throw UsageError("cannot write '" + path.string() + "': heightfields are written as " +
                     extensions_text([](const HeightfieldFormat&) { return true; }));
  return *found;
}

}  // namespace

std::vector<std::string_view> heightfield_extensions(FormatUse use) {
  std::vector<std::string_view> extensions;
  if (use == FormatUse::read) {
    extensions = format_extensions(FormatUse::read);
    for (const ElevationFormat& format : elevation_formats)
      extensions.push_back(format.extension);
    return extensions;
  }
  for (const HeightfieldFormat& format : heightfield_formats())
    extensions.push_back(format.extension);
  return extensions;
}

HostArray load_heightfield(const fs::path& path, const LoadOptions& options, std::string* note) {
  const auto judged = [&](HostArray heights) {
    const std::int64_t holes = count_holes(heights), all = heights.shape().items();
    refuse_infinity(heights);
    if (holes > 0 && note != nullptr)
      *note = "'" + path.string() + "': " + std::to_string(holes) + " of its " + std::to_string(all) +
              " heights are holes without data, which results keep as NaN; PNG and .r16 show them as the lowest height";
    return heights;
  };
  try {
    const auto* const grid = std::ranges::find(elevation_formats, extension_of(path), &ElevationFormat::extension);
    if (grid != elevation_formats.end()) return judged(grid->decode(load_bytes(path, Limit::file_bytes, options.stop)));
    const std::vector<std::byte> file = read_picture_file(path, options);
    HostArray levels = grey_levels(decode_picture(file).pixels);
    if (const std::optional<double> no_data = gdal_no_data(file)) levels = with_holes(std::move(levels), *no_data);
    levels = judged(std::move(levels));
    const std::optional<HeightRange> range = parse_range(png_text(file, heights_keyword));
    return range ? apply_range(std::move(levels), *range) : std::move(levels);
  } catch (const DecodeFailure& failure) {
    cannot_read(path, failure.cause);
  } catch (const UsageError& failure) {
    cannot_read(path, failure.what());
  }
}

void require_heightfield_path(const fs::path& path) {
  (void)heightfield_format_of(path);
  require_writable(path);
}

void save_heightfield(const fs::path& path, HostIn heights, int bits) {
  const HeightfieldFormat& format = heightfield_format_of(path);
  const Shape& shape = heights.shape;
  const auto refuse = [&](const std::string& why) { throw UsageError("cannot write '" + path.string() + "': " + why); };
  if (shape.kind != Kind::heightfield || shape.items() == 0 || shape.channels != 1 ||
      !WrittenNumbers{true, true, true}.hold(shape.element))
    refuse(to_string(shape) + " is no heightfield of 8-bit, 16-bit or float numbers");
  if (!format.numbers.hold(shape.element))
    refuse(std::string(format.extension) + " holds no " + (shape.element == Element::f32 ? "float" : "integer") +
           " heights, which are written as " +
           extensions_text([&](const HeightfieldFormat& other) { return other.numbers.hold(shape.element); }));
  if (format.squares_only && shape.width != shape.height) refuse(std::string(format.extension) + " holds squares");
  FileWriter writer(path);
  if (format.picture != nullptr)
    format.picture->encode(
        writer, {heights.data, Shape::image(shape.element, 1, shape.width, shape.height), heights.pitch}, {});
  else
    format.encode(writer, heights, bits);
  writer.commit();
}

}  // namespace threadscape::io

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/png_codec.h"
#include "compute/io/volume_file.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

std::string number(double value) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, value).ptr};
}

const float* values_of(HostIn volume) {
  return reinterpret_cast<const float*>(volume.data);
}

struct Range {
  float low = std::numeric_limits<float>::infinity(), high = -std::numeric_limits<float>::infinity();
  /// The value as a grey level of 0..max_level, not rounded.
  [[nodiscard]] double level(float value, double max_level) const {
    const double extent = static_cast<double>(high) - static_cast<double>(low);
    return extent > 0 ? (static_cast<double>(value) - static_cast<double>(low)) * max_level / extent : 0;
  }
};
Range range_of(HostIn volume) {
  Range range;
  std::for_each_n(values_of(volume), volume.shape.items(), [&](float value) {
    range.low = std::min(range.low, value);
    range.high = std::max(range.high, value);
  });
  return range;
}

void write_numbers(FileWriter& writer, HostIn volume) {
  const std::size_t slice = static_cast<std::size_t>(volume.shape.width * volume.shape.height);
  for (std::int64_t z = 0; z < volume.shape.depth; ++z)
    writer.write(values_of(volume) + static_cast<std::size_t>(z) * slice, slice * sizeof(float));
}

void save_meta(const fs::path& path, HostIn volume, const std::array<double, 3>& spacing,
               const std::vector<std::string>& titles) {
  const Shape& shape = volume.shape;
  fs::path numbers = path;
  numbers.replace_extension(".raw");
  FileWriter header(path), data(numbers);
  write_numbers(data, volume);
  std::string slices;
  for (const std::string& title : titles)
    slices += " " + title;
  if (!slices.empty()) slices = std::string(slice_titles_key) + " =" + slices + "\n";
  header.write("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nDimSize = " +
               std::to_string(shape.width) + " " + std::to_string(shape.height) + " " + std::to_string(shape.depth) +
               "\nElementSpacing = " + number(spacing[0]) + " " + number(spacing[2]) + " " + number(spacing[1]) + "\n" +
               slices + "ElementType = MET_FLOAT\nElementDataFile = " + numbers.filename().string() + "\n");
  data.commit();
  header.commit();
}

/// Writes `lines` rows of the volume as a 16-bit grey picture whose levels span the range.
void save_png(const fs::path& path, const float* values, std::int64_t width, std::int64_t lines, const Range& range) {
  HostArray levels(Shape::image(Element::u16, 1, width, lines));
  const auto view = levels.image<std::uint16_t>();
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x)
      view(x, y) = static_cast<std::uint16_t>(std::floor(range.level(*values++, 65535) + 0.5));
  FileWriter writer(path);
  encode_png(writer, std::as_const(levels).view(), FileColour::grey);
  writer.commit();
}

void save_pictures(const fs::path& path, HostIn volume) {
  const Shape& shape = volume.shape;
  const Range range = range_of(volume);
  if (shape.height == 1 || shape.depth == 1)
    return save_png(path, values_of(volume), shape.width, shape.height * shape.depth, range);
  for (std::int64_t z = 0; z < shape.depth; ++z) {
    std::string digits = std::to_string(z);
    digits.insert(0, digits.size() < 4 ? 4 - digits.size() : 0, '0');
    fs::path numbered = path;
    numbered.replace_filename(path.stem().string() + "_" + digits + path.extension().string());
    save_png(numbered, values_of(volume) + z * shape.width * shape.height, shape.width, shape.height, range);
  }
}

void save_pgm(const fs::path& path, HostIn volume, const std::vector<std::string>& titles) {
  const Shape& shape = volume.shape;
  const Range range = range_of(volume);
  FileWriter writer(path);
  writer.write("P2\n" + std::to_string(shape.width) + " " + std::to_string(shape.height * shape.depth) + "\n255\n");
  const float* value = values_of(volume);
  for (std::int64_t z = 0; z < shape.depth; ++z) {
    const auto i = static_cast<std::size_t>(z);
    writer.write("#" + (i < titles.size() ? titles[i] : std::to_string(z)) + "\n");
    std::string line;
    for (std::int64_t y = 0; y < shape.height; ++y) {
      line.clear();
      for (std::int64_t x = 0; x < shape.width; ++x)
        line += std::to_string(static_cast<int>(range.level(*value++, 255))) + (x + 1 < shape.width ? ' ' : '\n');
      writer.write(line);
    }
  }
  writer.commit();
}

void save_raw(const fs::path& path, HostIn volume) {
  FileWriter writer(path);
  write_numbers(writer, volume);
  writer.commit();
}

/// What a volume file may state beside its numbers.
struct Description {
  std::array<double, 3> spacing;
  std::vector<std::string> titles;
};

/// A file format that volumes are written in.
struct WrittenFormat {
  std::string_view extension;
  void (*save)(const fs::path& path, HostIn volume, const Description& description);
};
constexpr std::array<WrittenFormat, 4> written_formats{{
    {".mhd", [](const fs::path& path, HostIn volume,
                const Description& is) { save_meta(path, volume, is.spacing, is.titles); }},
    {".raw", [](const fs::path& path, HostIn volume, const Description&) { save_raw(path, volume); }},
    {".png", [](const fs::path& path, HostIn volume, const Description&) { save_pictures(path, volume); }},
    {".pgm", [](const fs::path& path, HostIn volume, const Description& is) { save_pgm(path, volume, is.titles); }},
}};

const WrittenFormat& format_of(const fs::path& path) {
  const auto* const found = std::ranges::find(written_formats, extension_of(path), &WrittenFormat::extension);
  if (found == written_formats.end())
    throw UsageError("cannot write '" + path.string() + "': volumes are written as " +
                     enumerated(volume_extensions(FormatUse::written)));
  return *found;
}

}  // namespace

std::vector<std::string_view> volume_extensions(FormatUse use) {
  if (use == FormatUse::read) return VolumeReader::extensions();
  std::vector<std::string_view> extensions;
  for (const WrittenFormat& format : written_formats)
    extensions.push_back(format.extension);
  return extensions;
}

void require_volume_path(const fs::path& path) {
  (void)format_of(path);
  require_writable(path);
}

void save_volume(const fs::path& path, HostIn volume, const std::array<double, 3>& spacing,
                 const std::vector<std::string>& titles) {
  const WrittenFormat& format = format_of(path);
  if (!holds<float>(volume.shape) || volume.shape.kind != Kind::volume || volume.shape.items() == 0)
    throw UsageError("cannot write '" + path.string() + "': " + to_string(volume.shape) + " is no volume of floats");
  format.save(path, volume, {spacing, titles});
}

void save_dat(const fs::path& path, const DatHeader& header, HostIn volume) {
  const Shape& shape = volume.shape;
  if (!holds<float>(shape) || header.count[0] != shape.width || header.count[2] != shape.height ||
      header.count[1] != shape.depth)
    throw UsageError("cannot write '" + path.string() + "': the header is not that of " + to_string(shape));
  FileWriter writer(path);
  for (const std::uint16_t value : {header.pixel, header.theta, header.alpha})
    writer.write(&value, sizeof value);
  for (const auto& axes : {header.voxel, header.count, header.planes})
    writer.write(axes.data(), sizeof axes);
  for (const std::uint32_t value :
       {header.object_side, header.detector_side, header.detector_distance, header.source_distance})
    writer.write(&value, sizeof value);
  std::vector<double> line(static_cast<std::size_t>(shape.width));
  for (std::int64_t row = 0; row < shape.height * shape.depth; ++row) {
    std::copy_n(values_of(volume) + row * shape.width, shape.width, line.begin());
    writer.write(line.data(), line.size() * sizeof(double));
  }
  writer.commit();
}

}  // namespace threadscape::io

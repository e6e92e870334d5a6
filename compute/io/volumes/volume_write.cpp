#include <fcntl.h>
#include <sys/file.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "compute/io/deflate.h"
#include "compute/io/descriptor.h"
#include "compute/io/file_extension.h"
#include "compute/io/file_writer.h"
#include "compute/io/input_file.h"
#include "compute/io/numbered_files.h"
#include "compute/io/numbers/npy_array.h"
#include "compute/io/outside.h"
#include "compute/io/pictures/png_codec.h"
#include "compute/io/standard_stream.h"
#include "compute/io/volumes/nifti_header.h"
#include "compute/io/volumes/text_header.h"
#include "compute/io/volumes/volume_file.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

std::string number_text(double value) {
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

/// A volume that is written layer by layer, from memory or from a reader whose volume need not fit into memory.
class Layers {
 public:
  explicit Layers(HostIn volume) : shape_(volume.shape), values_(values_of(volume)) {}
  explicit Layers(LayerReader& reader) : shape_(reader.shape()), reader_(&reader), at_once_(layers_at_once(shape_)) {
    buffer_.resize(static_cast<std::size_t>(at_once_ * count()));
  }
  /// The layers that a reader is asked for at a time.
  [[nodiscard]] static std::int64_t layers_at_once(const Shape& volume) {
    constexpr std::int64_t chunk = std::int64_t{16}
                                   << 20;  // Large enough that readers with threads have work for them.
    const std::int64_t layer =
        std::max<std::int64_t>(volume.width * volume.height * static_cast<std::int64_t>(sizeof(float)), 1);
    return std::clamp<std::int64_t>(chunk / layer, 1, std::max<std::int64_t>(volume.depth, 1));
  }

  [[nodiscard]] const Shape& shape() const { return shape_; }
  /// Values in a layer.
  [[nodiscard]] std::int64_t count() const { return shape_.width * shape_.height; }
  /// Calls write(values, count) for all values in their order, some layers at a time.
  template <class Write>
  void for_each(const Write& write) {
    for (std::int64_t first = 0; first < shape_.depth; first += at_once_) {
      const std::int64_t end = std::min(first + at_once_, shape_.depth);
      const float* values = reader_ != nullptr ? buffer_.data() : values_ + first * count();
      if (reader_ != nullptr) reader_->read(first, end, buffer_.data());
      write(values, static_cast<std::size_t>((end - first) * count()));
    }
  }

 private:
  Shape shape_;
  const float* values_ = nullptr;  ///< The values of a volume in memory.
  LayerReader* reader_ = nullptr;  ///< What makes the layers of another one.
  std::int64_t at_once_ = 1;
  std::vector<float> buffer_;
};

void write_numbers(FileWriter& writer, Layers& volume) {
  volume.for_each([&](const float* values, std::size_t count) { writer.write(values, count * sizeof(float)); });
}

/// Returns true if there is a MetaImage at `header` whose numbers are in the file `numbers`, or in several of which it
/// is one. Throws EnvironmentError if it cannot be read.
bool is_named_by(const fs::path& header, const fs::path& numbers) {
  std::error_code missing;
  if (!fs::is_regular_file(header, missing) || !fs::is_regular_file(numbers, missing)) return false;
  try {
    const std::vector<std::byte> bytes = load_bytes(header, Limit::header_bytes);
    const TextHeader text = read_metaimage_header({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    return std::ranges::any_of(text.files, [&](const std::string& name) {
      std::error_code other;
      return fs::equivalent(folder_of(header) / name, numbers, other);
    });
  } catch (const DecodeFailure&) {
    return false;
  }
}

/// The numbers are in NAME.raw and NAME.mhd.raw in turns, so that a header has those that it was written with at any
/// time: new ones come first, then the header that names them, and then the old ones go.
void save_meta(const fs::path& path, Layers& volume, const FileNotes& notes) {
  const Shape& shape = volume.shape();
  const fs::path first = fs::path(path).replace_extension(".raw"), second = fs::path(path) += ".raw";
  FileWriter header(path), data(first);
  write_numbers(data, volume);
  // Other processes that write the same volume take their turns.
  const Descriptor folder(open(folder_of(path).c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  (void)flock(folder.get(), LOCK_EX);
  FileGroup pair;
  const bool is_first = is_named_by(path, first), is_second = is_named_by(path, second);
  // Numbers that are a link to another place stay there.
  const fs::path& numbers = is_first && !fs::is_symlink(first) ? second : first;
  if (numbers == second) data.rename(second);
  if (numbers == second || is_second) pair.remove_after(numbers == second ? first : second);
  std::string slices;
  for (const std::string& title : notes.titles)
    slices += " " + title;
  if (!slices.empty()) slices = std::string(slice_titles_key) + " =" + slices + "\n";
  header.write("ObjectType = Image\nNDims = 3\nBinaryData = True\nBinaryDataByteOrderMSB = False\nDimSize = " +
               std::to_string(shape.width) + " " + std::to_string(shape.height) + " " + std::to_string(shape.depth) +
               "\nElementSpacing = " + number_text(notes.spacing[0]) + " " + number_text(notes.spacing[2]) + " " +
               number_text(notes.spacing[1]) + "\n" + slices +
               "ElementType = MET_FLOAT\nElementDataFile = " + numbers.filename().string() + "\n");
  data.commit();
  header.commit();
  pair.commit();
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

void save_pictures(const fs::path& path, HostIn volume, const FileNotes&) {
  const Shape& shape = volume.shape;
  const Range range = range_of(volume);
  if (shape.height == 1 || shape.depth == 1)
    return save_png(path, values_of(volume), shape.width, shape.height * shape.depth, range);
  for (std::int64_t z = 0; z < shape.depth; ++z) {
    save_png(numbered_path(path, z), values_of(volume) + z * shape.width * shape.height, shape.width, shape.height,
             range);
  }
}

/// The comment above a slice: an angle has six decimals, as in the files of source document 001.
std::string pgm_comment(std::string_view title) {
  double angle = 0.0;
  const auto [end, error] = std::from_chars(title.data(), title.data() + title.size(), angle);
  const bool is_number = error == std::errc{} && end == title.data() + title.size();
  return "#" + (is_number ? std::to_string(angle) : std::string(title));
}

void save_pgm(const fs::path& path, HostIn volume, const FileNotes& notes) {
  const Shape& shape = volume.shape;
  const Range range = range_of(volume);
  FileWriter writer(path);
  writer.write("P2\n" + std::to_string(shape.width) + " " + std::to_string(shape.height * shape.depth) + "\n255\n");
  const float* value = values_of(volume);
  for (std::int64_t z = 0; z < shape.depth; ++z) {
    const auto i = static_cast<std::size_t>(z);
    writer.write((i < notes.titles.size() ? pgm_comment(notes.titles[i]) : "#" + std::to_string(z)) + "\n");
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

void save_raw(const fs::path& path, Layers& volume, const FileNotes&) {
  FileWriter writer(path);
  write_numbers(writer, volume);
  writer.commit();
}

void save_nrrd(const fs::path& path, Layers& volume, const FileNotes& notes) {
  const Shape& shape = volume.shape();
  FileWriter writer(path);
  writer.write("NRRD0004\ntype: float\ndimension: 3\nsizes: " + std::to_string(shape.width) + " " +
               std::to_string(shape.height) + " " + std::to_string(shape.depth) +
               "\nspacings: " + number_text(notes.spacing[0]) + " " + number_text(notes.spacing[2]) + " " +
               number_text(notes.spacing[1]) + "\nendian: little\nencoding: gzip\n\n");
  GzipWriter packed(writer);
  volume.for_each([&](const float* values, std::size_t count) { packed.write(values, count * sizeof(float)); });
  packed.finish();
  writer.commit();
}

void save_npy(const fs::path& path, Layers& volume, const FileNotes&) {
  const Shape& shape = volume.shape();
  FileWriter writer(path);
  writer.write(npy_header_text("<f4", {shape.depth, shape.height, shape.width}));
  write_numbers(writer, volume);
  writer.commit();
}

void save_nifti(const fs::path& path, Layers& volume, const FileNotes& notes) {
  FileWriter writer(path);
  const std::string header = nifti_header_text(volume.shape(), {notes.spacing[0], notes.spacing[2], notes.spacing[1]});
  if (extension_of(path) == ".nii") {
    writer.write(header);
    write_numbers(writer, volume);
  } else {
    GzipWriter packed(writer);
    packed.write(header.data(), header.size());
    volume.for_each([&](const float* values, std::size_t count) { packed.write(values, count * sizeof(float)); });
    packed.finish();
  }
  writer.commit();
}

/// A length or an angle as the whole number that a header stores. Throws UsageError if it is none or too large.
template <class Stored>
Stored whole(const fs::path& path, const char* what, double value) {
  if (!(value >= 0 && value <= static_cast<double>(std::numeric_limits<Stored>::max())) || value != std::floor(value))
    throw UsageError("cannot write '" + path.string() + "': a .dat file stores " + what + " as a whole number up to " +
                     std::to_string(std::numeric_limits<Stored>::max()) + ", not " + number_text(value));
  return static_cast<Stored>(value);
}

/// The scan of a volume that states none: with the proportions of the source project, in which a detector of n pixels
/// of the side 85 belongs to a cube of the side 42 n.
ScanNotes usual_scan(double object_side, double voxel) {
  constexpr double object_of_pixel = 42, pixel = 85, voxel_of_pixel = 100;
  return {.pixel = std::max(1.0, std::floor(voxel * pixel / voxel_of_pixel)),
          .detector_side = std::floor(object_side * pixel / object_of_pixel),
          .detector_distance = std::floor(1.5 * object_side),
          .source_distance = 6 * object_side,
          .arc = 90,
          .step = 15};
}

void write_dat(const fs::path& path, const DatHeader& header, Layers& volume) {
  FileWriter writer(path);
  for (const std::uint16_t value : {header.pixel, header.theta, header.alpha})
    writer.write(&value, sizeof value);
  for (const auto& axes : {header.voxel, header.count, header.planes})
    writer.write(axes.data(), sizeof axes);
  for (const std::uint32_t value :
       {header.object_side, header.detector_side, header.detector_distance, header.source_distance})
    writer.write(&value, sizeof value);
  std::vector<double> line(static_cast<std::size_t>(volume.shape().width));
  volume.for_each([&](const float* values, std::size_t count) {
    for (std::size_t i = 0; i < count; i += line.size()) {
      std::copy_n(values + i, line.size(), line.begin());
      writer.write(line.data(), line.size() * sizeof(double));
    }
  });
  writer.commit();
}

void save_described_dat(const fs::path& path, Layers& volume, const FileNotes& notes) {
  const Shape& shape = volume.shape();
  const std::array<std::int64_t, 3> counts{shape.width, shape.depth, shape.height};
  DatHeader header;
  for (std::size_t axis = 0; axis < 3; ++axis) {
    header.voxel[axis] = whole<std::uint16_t>(path, "the sides of voxels", notes.spacing[axis]);
    header.count[axis] = whole<std::uint16_t>(path, "the number of voxels", static_cast<double>(counts[axis]));
    header.planes[axis] = static_cast<std::uint16_t>(header.count[axis] + 1);
  }
  const double side = notes.spacing[0] * static_cast<double>(counts[0]);
  const ScanNotes scan = notes.scan.value_or(usual_scan(side, notes.spacing[0]));
  header.object_side = whole<std::uint32_t>(path, "the side of the volume", side);
  header.pixel = whole<std::uint16_t>(path, "the side of a pixel", scan.pixel);
  header.theta = whole<std::uint16_t>(path, "the arc", scan.arc);
  header.alpha = whole<std::uint16_t>(path, "the angle between views", scan.step);
  header.detector_side = whole<std::uint32_t>(path, "the side of the detector", scan.detector_side);
  header.detector_distance = whole<std::uint32_t>(path, "the distance of the detector", scan.detector_distance);
  header.source_distance = whole<std::uint32_t>(path, "the distance of the source", scan.source_distance);
  write_dat(path, header, volume);
}

/// A file format that volumes are written in: as numbers, layer by layer, or as pictures, whose grey levels are known
/// only once the whole volume is. One of the two functions is null.
struct VolumeFormat {
  std::string_view extension;
  int files;  ///< The number of files that a volume takes; 2 stands for "two or more".
  void (*save_layers)(const fs::path& path, Layers& volume, const FileNotes& notes);
  void (*save_pictures)(const fs::path& path, HostIn volume, const FileNotes& notes);
};
constexpr std::array<VolumeFormat, 9> volume_formats{{{".mhd", 2, save_meta, nullptr},
                                                      {".nrrd", 1, save_nrrd, nullptr},
                                                      {".npy", 1, save_npy, nullptr},
                                                      {".nii", 1, save_nifti, nullptr},
                                                      {".nii.gz", 1, save_nifti, nullptr},
                                                      {".dat", 1, save_described_dat, nullptr},
                                                      {".raw", 1, save_raw, nullptr},
                                                      {".png", 2, nullptr, save_pictures},
                                                      {".pgm", 1, nullptr, save_pgm}}};

const VolumeFormat& volume_format_of(const fs::path& path) {
  const auto* const found = std::ranges::find(volume_formats, extension_of(path), &VolumeFormat::extension);
  if (found == volume_formats.end())
    throw UsageError("cannot write '" + path.string() + "': volumes are written as " +
                     enumerated(volume_extensions(FormatUse::written)));
  return *found;
}

void require_volume(const fs::path& path, const Shape& shape) {
  if (!holds<float>(shape) || shape.kind != Kind::volume || shape.items() == 0)
    throw UsageError("cannot write '" + path.string() + "': " + to_string(shape) + " is no volume of floats");
}

}  // namespace

std::vector<std::string_view> volume_extensions(FormatUse use) {
  if (use == FormatUse::read) return VolumeReader::extensions();
  std::vector<std::string_view> extensions;
  for (const VolumeFormat& format : volume_formats)
    extensions.push_back(format.extension);
  return extensions;
}

void require_volume_path(const fs::path& path) {
  if (volume_format_of(path).files > 1 && is_standard_stream(path))
    throw UsageError("cannot write '" + path.string() + "': the format takes several files; raw:- takes one");
  require_writable(path);
}

void save_volume(const fs::path& path, HostIn volume, const FileNotes& notes) {
  const VolumeFormat& format = volume_format_of(path);
  require_volume(path, volume.shape);
  if (format.save_pictures != nullptr) return format.save_pictures(path, volume, notes);
  Layers layers(volume);
  format.save_layers(path, layers, notes);
}

bool writes_layers(const fs::path& path) {
  return volume_format_of(path).save_layers != nullptr;
}

std::size_t layer_buffer_bytes(const Shape& volume) {
  return static_cast<std::size_t>(Layers::layers_at_once(volume) * volume.width * volume.height) * sizeof(float);
}

void save_volume_layers(const fs::path& path, LayerReader& volume, const FileNotes& notes) {
  const VolumeFormat& format = volume_format_of(path);
  require_volume(path, volume.shape());
  if (format.save_layers == nullptr)
    throw UsageError("cannot write '" + path.string() + "' layer by layer: its grey levels span the whole volume");
  Layers layers(volume);
  format.save_layers(path, layers, notes);
}

void save_dat(const fs::path& path, const DatHeader& header, HostIn volume) {
  const Shape& shape = volume.shape;
  if (!holds<float>(shape) || header.count[0] != shape.width || header.count[2] != shape.height ||
      header.count[1] != shape.depth)
    throw UsageError("cannot write '" + path.string() + "': the header is not that of " + to_string(shape));
  Layers layers(volume);
  write_dat(path, header, layers);
}

}  // namespace threadscape::io

#include "compute/io/volumes/volume_file.h"

#include <algorithm>
#include <bit>
#include <charconv>
#include <system_error>
#include <utility>

#include "compute/core/border.h"
#include "compute/core/clip.h"
#include "compute/core/machine.h"
#include "compute/io/file_extension.h"
#include "compute/io/numbered_files.h"
#include "compute/io/outside.h"
#include "compute/io/pictures/clip_file.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/standard_stream.h"
#include "compute/io/volumes/dicom_series.h"

namespace threadscape::io {

namespace fs = std::filesystem;

static_assert(std::endian::native == std::endian::little, "files are little endian, and memory is read as it is");

namespace {

constexpr std::int64_t dat_header_bytes = 12 * 2 + 4 * 4;
constexpr std::int64_t max_side = 1 << 24;
// Outside of these limits products of lengths leave the range of float, and projections are not finite.
constexpr double min_spacing = 1e-6, max_spacing = 1e6;

template <class T>
void luma_rows(const HostIn& picture, float* to) {
  const auto view = picture.image<T>();
  for (int y = 0; y < view.height; ++y)
    for (int x = 0; x < view.width; ++x) {
      if constexpr (PixelTraits<T>::channels == 1)
        *to++ = static_cast<float>(view(x, y));
      else
        *to++ = static_cast<float>(luma(view(x, y)));
    }
}

/// The luma of a picture, row by row.
void to_luma(const HostIn& picture, float* to) {
  const Shape& shape = picture.shape;
  const bool grey = shape.channels == 1;
  if (shape.element == Element::u8)
    grey ? luma_rows<std::uint8_t>(picture, to) : luma_rows<Rgba8>(picture, to);
  else if (shape.element == Element::u16)
    grey ? luma_rows<std::uint16_t>(picture, to) : luma_rows<Rgba16>(picture, to);
  else
    grey ? luma_rows<float>(picture, to) : luma_rows<Rgba32f>(picture, to);
}

}  // namespace

struct VolumeReader::Format {
  std::string_view extension;
  void (VolumeReader::*open)(const Shape& wanted);
};
constexpr std::array<VolumeReader::Format, 14> VolumeReader::formats{{{".mhd", &VolumeReader::open_meta},
                                                                      {".mha", &VolumeReader::open_meta},
                                                                      {".nrrd", &VolumeReader::open_nrrd},
                                                                      {".nhdr", &VolumeReader::open_nrrd},
                                                                      {".npy", &VolumeReader::open_npy},
                                                                      {".npz", &VolumeReader::open_npy},
                                                                      {".nii", &VolumeReader::open_nifti},
                                                                      {".nii.gz", &VolumeReader::open_nifti},
                                                                      {".hdr", &VolumeReader::open_nifti},
                                                                      {".dcm", &VolumeReader::open_dicom},
                                                                      {".raw", &VolumeReader::open_raw},
                                                                      {".dat", &VolumeReader::open_dat},
                                                                      {".tif", &VolumeReader::open_pages},
                                                                      {".tiff", &VolumeReader::open_pages}}};

VolumeReader::VolumeReader(const fs::path& path, const Shape& wanted, const LoadOptions& options)
    : path_(path), options_(options) {
  options_.element.reset();
  open(wanted);
  if (options_.volume.axis != VolumeAxis::second) take_axis();
}

void VolumeReader::open(const Shape& wanted) {
  std::error_code error;
  if (fs::is_directory(path_, error)) return is_dicom_folder(path_) ? open_dicom(wanted) : open_stack(options_);
  if (reads_numbered_files(path_)) return open_stack(options_);
  if (!fs::exists(readable_path(path_, options_.stop), error)) fail("no such file");
  const auto* const format = std::ranges::find(formats, extension_of(path_), &Format::extension);
  // The files of a series often have no extension, or numbers behind a point.
  if (format == formats.end() && is_dicom(path_)) return open_dicom(wanted);
  if (format == formats.end()) {
    std::vector<std::string_view> readable = extensions();
    readable.insert(readable.end(), {"a folder of pictures or of a DICOM series", "a path with %d"});
    fail("volumes are read from " + enumerated(readable) +
         (is_standard_stream(path_) ? ": state the format, for example mha:-" : ""));
  }
  (this->*format->open)(wanted);
}

std::vector<std::string_view> VolumeReader::extensions() {
  std::vector<std::string_view> all;
  for (const Format& format : formats)
    all.push_back(format.extension);
  return all;
}

void VolumeReader::fail(const std::string& why) const {
  throw EnvironmentError("cannot read " + readable_name(path_) + ": " + why);
}

void VolumeReader::add_note(const std::string& text) {
  if (!text.empty()) note_ += (note_.empty() ? readable_name(path_) + ": " : "; ") + text;
}

void VolumeReader::set_extents(std::int64_t x, std::int64_t z, std::int64_t y) {
  for (const std::int64_t side : {x, z, y})
    if (side < 1 || side > max_side)
      fail("its extents are " + std::to_string(x) + " x " + std::to_string(z) + " x " + std::to_string(y));
  if (x * z > limit_of(Limit::voxels) / y)
    fail("its extents are " + std::to_string(x) + " x " + std::to_string(z) + " x " + std::to_string(y) + "; " +
         limit_text(Limit::voxels));
  shape_ = {Kind::volume, Element::f32, 1, x, z, y};
}

void VolumeReader::open_file(const fs::path& path) {
  file_.emplace(path, options_.stop);
  file_->require_regular();
}

void VolumeReader::take_numbers(const fs::path& path, std::int64_t offset) {
  const std::int64_t length = file_->size();
  const std::int64_t need = shape_.items() * numbers_.bytes();
  offset_ = offset < 0 ? length - need : offset;
  if (const std::int64_t more = length - offset_ - need; offset_ >= 0 && more > 0)
    add_note("the " + std::to_string(more) + " bytes behind its numbers are left out");
  if (offset_ < 0 || length - offset_ < need)
    fail("its extents ask for " + std::to_string(need) + " bytes of numbers, '" + path.filename().string() + "' has " +
         std::to_string(std::max<std::int64_t>(0, length - std::max<std::int64_t>(offset, 0))));
}

fs::path VolumeReader::data_file(const std::string& name) const {
  const fs::path folder = folder_of(path_), file = folder / name;
  std::error_code missing;
  fs::path target = fs::canonical(file, missing);
  if (missing) fail("its numbers, '" + file.string() + "', cannot be read: " + missing.message());
  if (!options_.allow_outside && !is_inside(folder, target))
    fail("its numbers are outside of its folder, in '" + target.string() +
         "': start the program with --allow-outside if this file may be read");
  return target;
}

std::vector<std::byte> VolumeReader::read_beginning() {
  std::vector<std::byte> beginning;
  open_file(path_);
  file_->read_on(beginning, limit_of(Limit::header_bytes));
  return beginning;
}

void VolumeReader::set_spacing(const std::array<double, 3>& file_order, const std::string& text) {
  for (const double side : file_order)
    if (!(side >= min_spacing && side <= max_spacing)) fail(text + ": three lengths are wanted, from 1e-6 to 1e6");
  spacing_ = {file_order[0], file_order[2], file_order[1]};
  spaced_ = true;
}

void VolumeReader::open_raw(const Shape& wanted) {
  set_extents(wanted.width, wanted.height, wanted.depth);
  open_file(path_);
  const std::int64_t length = file_->size(), voxels = shape_.items();
  const std::string extents =
      std::to_string(shape_.width) + " x " + std::to_string(shape_.depth) + " x " + std::to_string(shape_.height);
  if (length % voxels != 0) fail(std::to_string(length) + " bytes are no " + extents + " (x, y, z) voxels");
  switch (length / voxels) {
    case 1:
      numbers_.type = VolumeNumber::u8;
      break;
    case 2:
      numbers_.type = VolumeNumber::u16;
      break;
    case 4:
      numbers_.type = VolumeNumber::f32;
      break;
    case 8:
      numbers_.type = VolumeNumber::f64;
      break;
    default:
      fail(std::to_string(length) + " bytes for " + extents + " (x, y, z) voxels are " +
           std::to_string(length / voxels) + " bytes each: 1, 2, 4 or 8 are wanted");
  }
}

void VolumeReader::open_dat(const Shape&) {
  open_file(path_);
  std::array<std::uint16_t, 12> small{};
  std::array<std::uint32_t, 4> large{};
  if (!file_->read_at(0, small.data(), sizeof small) || !file_->read_at(sizeof small, large.data(), sizeof large))
    fail("it is shorter than its header");
  DatHeader header{.pixel = small[0], .theta = small[1], .alpha = small[2]};
  for (std::size_t axis = 0; axis < 3; ++axis) {
    header.voxel[axis] = small[3 + axis];
    header.count[axis] = small[6 + axis];
    header.planes[axis] = small[9 + axis];
    spacing_[axis] = header.voxel[axis];
    if (header.voxel[axis] == 0) fail("its voxels have no size");
  }
  header.object_side = large[0];
  header.detector_side = large[1];
  header.detector_distance = large[2];
  header.source_distance = large[3];
  dat_ = header;
  numbers_.type = VolumeNumber::f64;
  set_extents(header.count[0], header.count[2], header.count[1]);
  take_numbers(path_, dat_header_bytes);
}

void VolumeReader::open_stack(const LoadOptions& options) {
  try {
    pictures_ = stack_of_pictures(path_);
  } catch (const DecodeFailure& failure) {
    fail(failure.cause);
  }
  std::error_code error;
  if (pictures_.empty())
    fail(fs::is_directory(path_, error) ? "there are neither pictures nor DICOM files in it" : "there are no pictures");
  const Shape first = load_picture(pictures_[0], options).pixels.shape();
  set_extents(first.width, first.height, static_cast<std::int64_t>(pictures_.size()));
}

void VolumeReader::open_pages(const Shape&) {
  const Loaded pages = load_clip(path_, options_);
  const HostIn clip = pages.pixels.view();
  set_extents(clip.shape.width, clip.shape.height, clip.shape.depth);
  numbers_.type = VolumeNumber::f32;
  const auto layer = static_cast<std::size_t>(clip.shape.width * clip.shape.height);
  memory_.resize(layer * sizeof(float) * static_cast<std::size_t>(clip.shape.depth));
  for (std::int64_t page = 0; page < clip.shape.depth; ++page)
    to_luma(frame_of(clip, page), reinterpret_cast<float*>(memory_.data()) + layer * static_cast<std::size_t>(page));
}

void VolumeReader::read_picture(std::int64_t y, float* to) const {
  const fs::path& path = pictures_[static_cast<std::size_t>(y)];
  const HostArray picture = load_picture(path, options_).pixels;
  const Shape& shape = picture.shape();
  if (shape.width != shape_.width || shape.height != shape_.height)
    fail("'" + path.filename().string() + "' is " + std::to_string(shape.width) + " x " + std::to_string(shape.height) +
         ", the first picture " + std::to_string(shape_.width) + " x " + std::to_string(shape_.height));
  to_luma(picture.view(), to);
}

void VolumeReader::read_stored(std::int64_t y0, std::int64_t y1, float* to) {
  const std::int64_t layer = shape_.width * shape_.height;
  const std::int64_t layer_bytes = layer * numbers_.bytes();
  std::vector<std::byte> buffer(file_ ? static_cast<std::size_t>(layer_bytes) : 0);
  for (std::int64_t y = y0; y < y1; ++y, to += layer) {
    if (dicom_ != nullptr) {
      read_dicom(y, to);
      continue;
    }
    if (!pictures_.empty()) {
      read_picture(y, to);
      continue;
    }
    if (file_ && !file_->read_at(offset_ + y * layer_bytes, buffer.data(), buffer.size())) fail("it is truncated");
    const std::byte* bytes = file_ ? buffer.data() : memory_.data() + y * layer_bytes;
    numbers_.to_floats({bytes, static_cast<std::size_t>(layer_bytes)}, to);
  }
}

std::vector<std::pair<std::string, std::string>> VolumeReader::settings() const {
  std::vector<std::pair<std::string, std::string>> all{{"phantom", "file"}};
  const auto tell = [&](const char* name, double value) {
    char text[32];
    all.emplace_back(name, std::string(text, std::to_chars(text, text + sizeof text, value).ptr));
  };
  if (dat_) {
    all.emplace_back("voxels.geometry", "cone");
    tell("voxels.pixel_size", dat_->pixel);
    tell("voxels.arc", dat_->theta);
    tell("voxels.step", dat_->alpha);
    tell("voxels.source_distance", dat_->source_distance);
    tell("voxels.detector_distance", dat_->detector_distance);
    if (dat_->pixel > 0) {
      const std::uint32_t whole_pixels = dat_->detector_side / dat_->pixel;
      tell("voxels.detector_pixels", whole_pixels);
      // The source project divides integers, which leaves even numbers of odd pixels half a unit off centre.
      const double off = whole_pixels % 2 == 0 && dat_->pixel % 2 == 1 ? -0.5 : 0.0;
      tell("voxels.offset_u", off);
      tell("voxels.offset_v", off);
    }
  }
  if (of_views_) {
    // Projection::file_notes() writes the step in degrees as the spacing along y.
    const double step = spacing_[1], turn = step * static_cast<double>(shape_.depth);
    tell("views.pixel_size", spacing_[0]);
    if (spacing_[2] != spacing_[0]) tell("views.pixel_size_v", spacing_[2]);
    tell("views.step", step);
    tell("views.arc", turn >= 360 * (1 - 1e-6) ? 360 : turn - step);
  } else if (spaced_ || dat_) {
    tell("voxels.voxel_size", spacing_[0]);
    tell("voxels.voxel_size_y", spacing_[1]);
    tell("voxels.voxel_size_z", spacing_[2]);
    if (spaced_) tell("views.pixel_size", spacing_[0]);
  }
  return all;
}

Loaded load_volume(const fs::path& path, const Shape& wanted, const LoadOptions& options) {
  VolumeReader reader(path, wanted, options);
  const std::size_t bytes = HostArray::bytes_for(reader.shape());
  if (const auto free = free_host_bytes_below(bytes))
    cannot_read(path, "its voxels need " + std::to_string(bytes) + " bytes, " + std::to_string(*free) + " are free");
  HostArray volume(reader.shape());
  reader.read(0, reader.shape().depth, reinterpret_cast<float*>(volume.data()));
  return {.pixels = std::move(volume),
          .colour = FileColour::grey,
          .settings = reader.settings(),
          .note = reader.note(),
          .reading = options.volume};
}

}  // namespace threadscape::io

#include "compute/io/data_file.h"

#include <algorithm>
#include <array>
#include <string>
#include <string_view>
#include <system_error>
#include <vector>

#include "compute/core/convert.h"
#include "compute/core/shape.h"
#include "compute/io/input_file.h"
#include "compute/io/meshes/mesh_file.h"
#include "compute/io/numbers/sequence_file.h"
#include "compute/io/pictures/clip_file.h"
#include "compute/io/pictures/heightfield_file.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/video/frame_source.h"
#include "compute/io/volumes/dicom_header.h"
#include "compute/io/volumes/volume_file.h"

namespace threadscape::io {

namespace {

/// How data of a kind gets from and to files.
struct KindFiles {
  Kind kind = Kind::none;
  /// Null for kinds that are not read.
  Loaded (*load)(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options) = nullptr;
  void (*save)(const std::filesystem::path& path, HostIn data, const SaveOptions& options) = nullptr;
  /// Throws what `save` would throw for this path.
  void (*require_path)(const std::filesystem::path& path) = nullptr;
  std::vector<std::string_view> (*extensions)(FormatUse use) = nullptr;
  bool reads_any_file = false;  ///< If true, the bytes of any file are data of this kind.
};

/// Pictures, and files of moving pictures that have one frame, such as most GIFs.
Loaded load_image_file(const std::filesystem::path& path, const Shape&, const LoadOptions& options) {
  std::error_code error;
  if (!is_moving(path) || !std::filesystem::is_regular_file(path, error)) return load_picture(path, options);
  const auto source = open_frames(path, {.stop = options.stop});
  Frame frame;
  if (!source->next(frame)) cannot_read(path, "it has no frame that can be decoded");
  if (source->advance())
    cannot_read(path, "it moves: run reads it frame by frame and writes a video, view and render show it");
  const bool grey = frame.pixels.shape().channels == 1;
  Loaded loaded{.pixels = std::move(frame.pixels), .colour = grey ? FileColour::grey : FileColour::rgba};
  if (options.element && loaded.pixels.shape().element != *options.element)
    loaded.pixels = convert_picture(loaded.pixels.view(), *options.element);
  loaded.note = source->note();
  return loaded;
}

void save_image_file(const std::filesystem::path& path, HostIn data, const SaveOptions& options) {
  save_picture(path, data, options.colour, options.quality, options.facts);
}

std::vector<std::string_view> image_extensions(FormatUse use) {
  return format_extensions(use);
}

Loaded load_heightfield_file(const std::filesystem::path& path, const Shape&, const LoadOptions& options) {
  Loaded loaded;
  loaded.pixels = load_heightfield(path, options, &loaded.note);
  return loaded;
}

void save_heightfield_file(const std::filesystem::path& path, HostIn data, const SaveOptions& options) {
  save_heightfield(path, data, options.notes.bits);
}

Loaded load_sequence_file(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options) {
  return {load_sequence(path, wanted.element, options.stop), FileColour::grey};
}

void save_sequence_file(const std::filesystem::path& path, HostIn data, const SaveOptions&) {
  save_sequence(path, data);
}

std::vector<std::string_view> sequence_file_extensions(FormatUse) {
  return {sequence_extensions.begin(), sequence_extensions.end()};
}

void save_volume_file(const std::filesystem::path& path, HostIn data, const SaveOptions& options) {
  save_volume(path, data, options.notes);
}

Loaded load_mesh_file(const std::filesystem::path& path, const Shape&, const LoadOptions& options) {
  return load_mesh(path, options);
}

Loaded load_clip_file(const std::filesystem::path& path, const Shape&, const LoadOptions& options) {
  return load_clip(path, options);
}

void save_clip_file(const std::filesystem::path& path, HostIn data, const SaveOptions& options) {
  save_clip(path, data, options.colour, options.quality);
}

// The list of kinds that have file formats. A new kind of data is a row here, with its reader and writer in files of
// their own.
constexpr std::array kinds{
    KindFiles{Kind::image, load_image_file, save_image_file, require_picture_path, image_extensions},
    KindFiles{Kind::heightfield, load_heightfield_file, save_heightfield_file, require_heightfield_path,
              heightfield_extensions},
    KindFiles{Kind::sequence, load_sequence_file, save_sequence_file, require_sequence_path, sequence_file_extensions,
              true},
    KindFiles{Kind::volume, load_volume, save_volume_file, require_volume_path, volume_extensions},
    KindFiles{Kind::mesh, load_mesh_file, nullptr, nullptr, mesh_extensions},
    KindFiles{Kind::clip, load_clip_file, save_clip_file, require_clip_path, clip_extensions},
    KindFiles{Kind::scalar, nullptr, save_sequence_file, require_sequence_path, sequence_file_extensions},
};

/// The row of a kind; one without functions for kinds that have no file format.
const KindFiles& files_of(Kind kind) {
  static constexpr KindFiles no_files;
  const auto* const found = std::ranges::find(kinds, kind, &KindFiles::kind);
  return found == kinds.end() ? no_files : *found;
}

[[noreturn]] void no_file(const std::filesystem::path& path, Kind kind, const char* verb) {
  throw UsageError("cannot " + std::string(verb) + " '" + path.string() + "': there is no file format for a " +
                   std::string(name_of(kind)));
}

}  // namespace

Loaded load_data(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options) {
  const auto load = files_of(wanted.kind).load;
  if (load == nullptr) no_file(path, wanted.kind, "read");
  return load(path, wanted, options);
}

bool reads_any_file(Kind kind) {
  return files_of(kind).reads_any_file;
}

std::vector<std::string_view> data_extensions(Kind kind, FormatUse use) {
  const auto extensions = files_of(kind).extensions;
  return extensions == nullptr ? std::vector<std::string_view>{} : extensions(use);
}

std::vector<std::string_view> data_extensions(FormatUse use) {
  std::vector<std::string_view> all;
  for (const KindFiles& files : kinds)
    for (const std::string_view extension : files.extensions(use))
      if (std::ranges::count(all, extension) == 0) all.push_back(extension);
  return all;
}

bool is_only_volume(const std::filesystem::path& path) {
  std::error_code error;
  if (std::filesystem::is_directory(path, error)) return true;
  const std::string extension = extension_of(path);
  bool of_volumes = false, of_others = false;
  for (const KindFiles& files : kinds)
    if (std::ranges::count(files.extensions(FormatUse::read), extension) > 0)
      (files.kind == Kind::volume ? of_volumes : of_others) = true;
  return !of_others && (of_volumes || is_dicom(path));
}

void save_data(const std::filesystem::path& path, HostIn data, const SaveOptions& options) {
  const auto save = files_of(data.shape.kind).save;
  if (save == nullptr) no_file(path, data.shape.kind, "write");
  save(path, data, options);
}

std::string left_out_of(const std::filesystem::path& path, HostIn data, const SaveOptions& options) {
  return data.shape.kind == Kind::image ? facts_left_out(path, data, options.colour, options.facts) : "";
}

void require_data_path(const std::filesystem::path& path, Kind kind) {
  const auto require_path = files_of(kind).require_path;
  if (require_path == nullptr) no_file(path, kind, "write");
  require_path(path);
}

}  // namespace threadscape::io

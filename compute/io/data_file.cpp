#include "compute/io/data_file.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include "compute/io/heightfield_file.h"
#include "compute/io/image_format.h"
#include "compute/io/sequence_file.h"
#include "compute/io/volume_file.h"
#include "compute/registry/diagram.h"

namespace threadscape::io {

namespace {

[[noreturn]] void no_file(const std::filesystem::path& path, Kind kind, const char* verb) {
  throw UsageError("cannot " + std::string(verb) + " '" + path.string() + "': there is no file format for a " +
                   std::string(name_of(kind)));
}

}  // namespace

Picture load_data(const std::filesystem::path& path, const Shape& wanted, const LoadOptions& options) {
  switch (wanted.kind) {
    case Kind::image:
      return load_picture(path, options);
    case Kind::heightfield:
      return {load_heightfield(path, options), FileColour::grey};
    case Kind::sequence:
      return {load_sequence(path, wanted.element), FileColour::grey};
    case Kind::volume:
      return load_volume(path, wanted, options);
    default:
      no_file(path, wanted.kind, "read");
  }
}

std::vector<std::string_view> data_extensions(Kind kind, FormatUse use) {
  switch (kind) {
    case Kind::image:
      return format_extensions(use);
    case Kind::heightfield:
      return heightfield_extensions(use);
    case Kind::sequence:
    case Kind::scalar:
      return {sequence_extensions.begin(), sequence_extensions.end()};
    case Kind::volume:
      return volume_extensions(use);
    default:
      return {};
  }
}

std::vector<std::string_view> data_extensions(FormatUse use) {
  std::vector<std::string_view> all;
  for (const Kind kind : {Kind::image, Kind::heightfield, Kind::sequence, Kind::volume})
    for (const std::string_view extension : data_extensions(kind, use))
      if (std::ranges::count(all, extension) == 0) all.push_back(extension);
  return all;
}

std::string apply_settings(const AlgorithmInfo& algorithm, const Settings& settings, ParamBox& params) {
  if (settings.empty()) return {};
  std::string_view role = "voxels.", other = "views.";
  if (const auto scanner = diagrams_of(algorithm.name).scanner; scanner && algorithm.input_shape) {
    const ParamBox defaults = algorithm.defaults();  // what they make always fits them
    const auto diagram = scanner(defaults, algorithm.input_shape(defaults));
    if (diagram && diagram->input == ScannerDiagram::Holds::views) std::swap(role, other);
  }
  std::string told;
  for (const auto& [name, value] : settings) {
    if (name.starts_with(other)) continue;
    const std::string own = name.starts_with(role) ? name.substr(role.size()) : name;
    const auto fields = params.fields();
    if (std::ranges::none_of(fields, [&](const FieldRef& field) { return field.name == own; })) continue;
    try {
      params.assign(own, value);
    } catch (const UsageError&) {
      continue;
    }
    told += (told.empty() ? "" : ", ") + own + " = " + value;
  }
  return told;
}

void save_data(const std::filesystem::path& path, HostIn data, const SaveOptions& options) {
  switch (data.shape.kind) {
    case Kind::image:
      return save_picture(path, data, options.colour);
    case Kind::heightfield:
      return save_heightfield(path, data, options.notes.bits);
    case Kind::sequence:
    case Kind::scalar:
      return save_sequence(path, data);
    case Kind::volume:
      return save_volume(path, data, options.notes.spacing, options.notes.titles);
    default:
      no_file(path, data.shape.kind, "write");
  }
}

void require_data_path(const std::filesystem::path& path, Kind kind) {
  switch (kind) {
    case Kind::image:
      return require_picture_path(path);
    case Kind::heightfield:
      return require_heightfield_path(path);
    case Kind::sequence:
    case Kind::scalar:
      return require_sequence_path(path);
    case Kind::volume:
      return require_volume_path(path);
    default:
      no_file(path, kind, "write");
  }
}

}  // namespace threadscape::io

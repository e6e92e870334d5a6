#include "compute/io/meshes/mesh_file.h"

#include <algorithm>
#include <array>
#include <string>

#include "compute/core/machine.h"
#include "compute/core/mesh_shapes.h"
#include "compute/io/input_file.h"
#include "compute/io/meshes/model.h"
#include "compute/io/pictures/heightfield_file.h"
#include "compute/io/pictures/image_format.h"
#include "compute/io/standard_stream.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

struct ModelFormat {
  std::string_view extension;
  Model (*read)(Bytes file, const ModelFiles& files);
};

Model read_obj_file(Bytes file, const ModelFiles& files) {
  return read_obj({reinterpret_cast<const char*>(file.data()), file.size()}, files);
}

constexpr std::array<ModelFormat, 5> model_formats{
    {{".obj", read_obj_file}, {".ply", read_ply}, {".stl", read_stl}, {".gltf", read_gltf}, {".glb", read_gltf}}};

/// Reading a model takes several times the memory of its file: the text, the reader's scene, and the mesh.
constexpr std::uintmax_t memory_per_file_byte = 6;

void require_size(const fs::path& path, const MeshLimits& limits) {
  std::error_code error;
  const std::uintmax_t bytes = fs::file_size(path, error);
  if (error) cannot_read(path, error.message());
  const auto refuse = [&](const std::string& why) {
    throw EnvironmentError("cannot read '" + path.string() + "': it has " + std::to_string(bytes) + " bytes, " + why);
  };
  if (bytes == 0) refuse("so there is no model in it");
  if (bytes > limits.file_bytes) refuse("the limit for models is " + std::to_string(limits.file_bytes));
  if (const std::size_t free = free_host_bytes(); bytes > free / memory_per_file_byte)
    refuse("and reading it may need " + std::to_string(memory_per_file_byte) + " times as much, but " +
           std::to_string(free) + " are free");
}

/// Throws UsageError for a file that is neither a model nor one of heights by its extension, and no picture by its
/// content.
void require_heights(const fs::path& path, const LoadOptions& options) {
  const std::vector<std::string_view> heights = heightfield_extensions(FormatUse::read);
  std::error_code error;
  if (std::ranges::count(heights, extension_of(path)) > 0 || !fs::is_regular_file(path, error)) return;
  std::vector<std::byte> beginning;
  InputFile(path, options.stop).read_on(beginning, 4096);
  if (!beginning.empty() && sniffed_format(beginning) != nullptr) return;
  std::vector<std::string_view> models;
  for (const ModelFormat& format : model_formats)
    models.push_back(format.extension);
  throw UsageError("models are read from " + enumerated(models, "and") +
                   ", and heights from pictures, .r32, .r16, .asc and .hgt: "
                   "export one of these");
}

}  // namespace

std::vector<std::string_view> mesh_extensions(FormatUse use) {
  if (use == FormatUse::written) return {};
  std::vector<std::string_view> extensions;
  for (const ModelFormat& format : model_formats)
    extensions.push_back(format.extension);
  for (const std::string_view extension : heightfield_extensions(use))
    if (std::ranges::count(extensions, extension) == 0) extensions.push_back(extension);
  return extensions;
}

Loaded load_mesh(const fs::path& path, const LoadOptions& options, const MeshLimits& limits) {
  const auto* const format = std::ranges::find(model_formats, extension_of(path), &ModelFormat::extension);
  const bool is_model = format != model_formats.end();
  if (is_model && is_standard_stream(path))
    throw UsageError("cannot read " + readable_name(path) +
                     ": models are read from files, because their textures and materials lie beside them");
  std::error_code error;
  if (!fs::exists(path, error))
    if (const auto builtin = parse_builtin_mesh(path.string()))
      return {.pixels = make_builtin_mesh(builtin->shape, builtin->subdivision)};
  try {
    if (!is_model) {
      require_heights(path, options);
      Loaded loaded;
      const HostArray heights = load_heightfield(path, options, &loaded.note);
      loaded.pixels = mesh_of_heights(heights.view());
      return loaded;
    }
    InputFile(path, options.stop).require_regular();
    require_size(path, limits);
    const ModelFiles files(path, options, limits);
    return mesh_of_model(format->read(load_bytes(path, Limit::file_bytes, options.stop), files), files);
  } catch (const UsageError& failure) {
    cannot_read(path, failure.what());
  } catch (const DecodeFailure& failure) {
    cannot_read(path, failure.cause);
  } catch (const std::bad_alloc&) {
    cannot_read(path, "reading it needs more memory than is free");
  }
}

}  // namespace threadscape::io

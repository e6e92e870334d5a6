#pragma once
// Meshes from files: models (OBJ with MTL, PLY, STL, glTF 2.0 as .gltf or .glb) and heightfields, and built-in meshes
// by their names.

#include <filesystem>
#include <string_view>
#include <vector>

#include "compute/core/mesh.h"
#include "compute/io/file_extension.h"
#include "compute/io/loaded.h"

namespace threadscape::io {

/// The extensions, in lower case with the dot, of the files that meshes are read from. Meshes are not written.
[[nodiscard]] std::vector<std::string_view> mesh_extensions(FormatUse use);

/// Reads a mesh. A path that is no file, but the name of a built-in mesh ("teapot", "teapot:125"), is that mesh. A file
/// with the extension of a model is read as one, any other file as a heightfield (mesh_of_heights()).
/// `options.normals` says how missing normals are made; Limit::pixels limits each texture. Throws EnvironmentError with
/// the path and the cause, and UsageError for a model from standard input, which has no folder.
[[nodiscard]] Loaded load_mesh(const std::filesystem::path& path, const LoadOptions& options,
                               const MeshLimits& limits = {});

}  // namespace threadscape::io

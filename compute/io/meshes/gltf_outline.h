#pragma once
// The outline of glTF files, checked before Assimp reads them: Assimp makes a node for every place that a node has in
// the scene, and draws files that require what it does not know.

#include <filesystem>
#include <stop_token>

namespace threadscape::io {

/// Refuses a file with the extension .gltf or .glb that requires an extension of glTF other than those of materials,
/// lights and places of textures, whose nodes contain themselves, or whose scene has more than a million nodes, each
/// counted at every place. Other files are accepted, damaged ones too. Throws UsageError, and Cancelled.
void check_gltf(const std::filesystem::path& path, const std::stop_token& stop);

}  // namespace threadscape::io

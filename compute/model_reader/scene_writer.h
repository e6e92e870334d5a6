#pragma once
// Writes what Assimp has read to standard output, in the flat form of compute/io/meshes/model_scene.h.

#include <cstdint>
#include <string>

struct aiScene;

namespace threadscape::model_reader {

/// Writes all nodes of a scene at their places, without animations, and its materials with the names or bytes of their
/// textures; `flags` are bits of io::SceneHeader::flags to set. Throws std::system_error if nobody reads the output.
void write_scene(const aiScene& scene, std::uint32_t flags);

/// Writes that the model is refused, and why. What is longer than a message may be is cut off.
void write_message(std::string text);

}  // namespace threadscape::model_reader

#pragma once
// Meshes (compute/kernel/mesh_view.h) on the host: their limits, how they are laid out, and their checks.

#include <cstdint>

#include "compute/core/data.h"
#include "compute/kernel/mesh_view.h"

namespace threadscape {

/// The most that one mesh may have. Readers refuse larger files before they take memory.
struct MeshLimits {
  std::uint64_t file_bytes = std::uint64_t{4} << 30;
  std::uint64_t vertices = std::uint64_t{1} << 28;
  std::uint64_t triangles = std::uint64_t{1} << 28;
  std::uint64_t materials = std::uint64_t{1} << 16;
  std::uint64_t textures = 1024;
  std::uint64_t texture_side = 16384;
  std::uint64_t words = 0xffffffffu;
};

/// The shape of a mesh of `words` 32-bit words.
[[nodiscard]] inline Shape mesh_shape(std::uint32_t words) {
  return {.kind = Kind::mesh, .element = Element::u32, .channels = 1, .width = words, .height = 1, .depth = 1};
}

/// How many of everything a mesh has, which determines where its sections are.
struct MeshCounts {
  std::uint64_t vertices = 0, triangles = 0;
  std::uint64_t materials = 1, textures = 0, texels = 0;
  bool texcoords = false, colours = false, triangle_materials = false;
};
/// The header of a mesh with these counts: offsets and length. The box is left empty. Throws UsageError if a count is
/// above its limit, or if the mesh has more words than a 32-bit offset can state.
[[nodiscard]] MeshHeader lay_out_mesh(const MeshCounts& counts, const MeshLimits& limits = {});

/// Number of mip levels of a texture, and the number of texels of all its levels.
[[nodiscard]] std::uint32_t texture_levels(std::uint32_t width, std::uint32_t height);
[[nodiscard]] std::uint64_t texture_texels(std::uint32_t width, std::uint32_t height);

/// Throws UsageError with the first error found unless the data are a mesh that MeshView can read: header and offsets
/// within the array, indices of vertices, materials and maps within their sections, and only finite numbers.
void check_mesh(const HostIn& mesh);

}  // namespace threadscape

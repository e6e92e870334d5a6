#pragma once
// Triangle meshes. A mesh is one contiguous array of 32-bit words (Kind::mesh, Element::u32), so that it is uploaded to
// a device as one linear buffer and contains no pointers. It starts with a MeshHeader, which states the number of words
// before each section:
//
//   positions            3 floats per vertex
//   normals              3 floats per vertex, of length 1
//   texture coordinates  2 floats per vertex; (0, 0) is the corner of the first texel
//   colours              1 word per vertex, red in the lowest byte, then green, blue, alpha
//   triangles            3 vertex indices per triangle, counter-clockwise if seen from outside
//   triangle materials   1 word per triangle
//   materials            MeshMaterial
//   textures             MeshTexture
//   texels               1 word per texel, in the order of the bytes of colours; rows from v = 0 upwards
//
// The offset of a section that a mesh does not have is 0. Without colours every vertex is white, without texture
// coordinates every vertex has (0, 0), and without triangle materials every triangle has material 0.

#include "compute/kernel/std.h"

namespace threadscape {

/// A point, a direction or a colour (red, green, blue in 0..1).
struct Float3 {
  float x = 0.0f, y = 0.0f, z = 0.0f;
  friend bool operator==(const Float3&, const Float3&) = default;
};
struct Float2 {
  float x = 0.0f, y = 0.0f;
  friend bool operator==(const Float2&, const Float2&) = default;
};

inline constexpr std::uint32_t mesh_magic = 0x484d5354;  ///< "TSMH" in the order of bytes in memory.
inline constexpr std::uint32_t mesh_version = 1;
/// The index of a map that a material does not have.
inline constexpr std::uint32_t no_map = 0xffffffffu;

/// The first words of a mesh. Offsets are counted in words from the start of the mesh.
struct MeshHeader {
  std::uint32_t magic = mesh_magic;
  std::uint32_t version = mesh_version;
  std::uint32_t words = 0;  ///< Length of the whole mesh.
  std::uint32_t vertices = 0, triangles = 0, materials = 0, textures = 0;
  std::uint32_t texels = 0;  ///< Number of texels of all levels of all textures.
  std::uint32_t positions_at = 0, normals_at = 0, texcoords_at = 0, colours_at = 0;
  std::uint32_t triangles_at = 0, triangle_materials_at = 0, materials_at = 0, textures_at = 0, texels_at = 0;
  Float3 low, high;  ///< The box that contains all positions.
  std::uint32_t reserved = 0;
};
static_assert(sizeof(MeshHeader) == 24 * sizeof(std::uint32_t));

/// How a surface reflects light, by the terms of Phong's model. A map multiplies the value of the same name, except
/// that the normal map replaces the normal, and the overlay is drawn over the colour map by its alpha.
struct MeshMaterial {
  Float3 ambient{0.2f, 0.2f, 0.2f};
  Float3 diffuse{0.8f, 0.8f, 0.8f};
  Float3 specular;
  Float3 emission;
  float shininess = 32.0f;  ///< Phong's exponent, 0..1000.
  float opacity = 1.0f;
  std::uint32_t colour_map = no_map;
  std::uint32_t normal_map = no_map;  ///< Tangent space; red, green and blue are x, y and z, and 128 is 0.
  std::uint32_t specular_map = no_map;
  std::uint32_t alpha_map = no_map;  ///< The red channel is the opacity.
  std::uint32_t overlay_map = no_map;
  std::uint32_t reserved = 0;
};
static_assert(sizeof(MeshMaterial) == 20 * sizeof(std::uint32_t));

/// A texture with all its mip levels. Level k is max(1, width >> k) x max(1, height >> k) texels, and follows the level
/// before it; the last level is a single texel.
struct MeshTexture {
  std::uint32_t width = 0, height = 0, levels = 0;
  std::uint32_t texels_at = 0;  ///< Offset of level 0, in words from the start of the mesh.
};
static_assert(sizeof(MeshTexture) == 4 * sizeof(std::uint32_t));

/// Reads a mesh on the host or on a device. The words must have passed check_mesh(); nothing is checked here.
struct MeshView {
  const std::uint32_t* words = nullptr;

  MeshView() = default;
  TS_HD explicit MeshView(const std::uint32_t* words_) : words(words_) {}
  /// The mesh in a DataView.
  template <class Data>
  requires requires(const Data& view) { view.shape.kind; }
  explicit MeshView(const Data& view) : words(reinterpret_cast<const std::uint32_t*>(view.data)) {}

  [[nodiscard]] TS_HD const MeshHeader& header() const { return *reinterpret_cast<const MeshHeader*>(words); }
  [[nodiscard]] TS_HD std::uint32_t vertices() const { return header().vertices; }
  [[nodiscard]] TS_HD std::uint32_t triangles() const { return header().triangles; }
  [[nodiscard]] TS_HD bool has_texcoords() const { return header().texcoords_at != 0; }
  [[nodiscard]] TS_HD bool has_colours() const { return header().colours_at != 0; }

  [[nodiscard]] TS_HD const float* floats(std::uint32_t at) const { return reinterpret_cast<const float*>(words) + at; }
  [[nodiscard]] TS_HD Float3 triple(std::uint32_t at, std::uint32_t index) const {
    const float* const v = floats(at) + std::size_t{3} * index;
    return {v[0], v[1], v[2]};
  }
  [[nodiscard]] TS_HD Float3 position(std::uint32_t vertex) const { return triple(header().positions_at, vertex); }
  [[nodiscard]] TS_HD Float3 normal(std::uint32_t vertex) const { return triple(header().normals_at, vertex); }
  [[nodiscard]] TS_HD Float2 texcoord(std::uint32_t vertex) const {
    if (!has_texcoords()) return {};
    const float* const v = floats(header().texcoords_at) + std::size_t{2} * vertex;
    return {v[0], v[1]};
  }
  /// The colour of a vertex as a word, red in the lowest byte.
  [[nodiscard]] TS_HD std::uint32_t colour(std::uint32_t vertex) const {
    return has_colours() ? words[std::size_t{header().colours_at} + vertex] : 0xffffffffu;
  }
  /// The vertex at a corner (0, 1, 2) of a triangle.
  [[nodiscard]] TS_HD std::uint32_t corner(std::uint32_t triangle, int corner) const {
    return words[header().triangles_at + std::size_t{3} * triangle + static_cast<std::size_t>(corner)];
  }
  [[nodiscard]] TS_HD std::uint32_t material_index(std::uint32_t triangle) const {
    const std::uint32_t at = header().triangle_materials_at;
    return at == 0 ? 0 : words[std::size_t{at} + triangle];
  }
  [[nodiscard]] TS_HD const MeshMaterial& material(std::uint32_t index) const {
    return reinterpret_cast<const MeshMaterial*>(words + header().materials_at)[index];
  }
  [[nodiscard]] TS_HD const MeshTexture& texture(std::uint32_t index) const {
    return reinterpret_cast<const MeshTexture*>(words + header().textures_at)[index];
  }
  /// The texels of a level of a texture, row by row.
  [[nodiscard]] TS_HD const std::uint32_t* level(const MeshTexture& texture, std::uint32_t level) const {
    std::size_t at = texture.texels_at;
    for (std::uint32_t i = 0; i < level; ++i)
      at += std::size_t{side(texture.width, i)} * side(texture.height, i);
    return words + at;
  }
  /// Width or height of a mip level, from that of level 0.
  [[nodiscard]] TS_HD static std::uint32_t side(std::uint32_t side0, std::uint32_t level) {
    return (side0 >> level) > 0 ? side0 >> level : 1;
  }
};

}  // namespace threadscape

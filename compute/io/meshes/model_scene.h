#pragma once
// The flat form of a model in which the process that reads models (compute/model_reader) hands a scene to this program:
// a SceneHeader, and after it these sections without gaps, in the byte order of the machine:
//
//   vertices   SceneHeader::vertices of MeshVertex
//   triangles  SceneHeader::triangles of SceneTriangle
//   materials  SceneHeader::materials of SceneMaterial
//   textures   SceneHeader::textures of SceneTexture
//   text       the names of all textures, one after another; or the message alone
//   data       the bytes of all embedded textures, one after another
//
// The process may have been taken over by the file that it has read, so that every byte is judged before it is used.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <span>
#include <type_traits>

#include "compute/core/mesh.h"
#include "compute/core/mesh_builder.h"
#include "compute/io/loaded.h"

namespace threadscape::io {

/// The first bytes of the form, whose last character is its version.
inline constexpr std::array<char, 8> scene_magic{'T', 'S', 'S', 'C', 'E', 'N', 'E', '1'};
/// The bytes that a message may have, and those that the names of all textures may have together.
inline constexpr std::uint64_t scene_message_bytes = 4096, scene_name_bytes = std::uint64_t{1} << 22;

enum class SceneContent : std::uint32_t {
  scene,    ///< All sections are there.
  message,  ///< The model was refused: the section text says why, and the others are empty.
};
/// Bits of SceneHeader::flags: the file states texture coordinates or colours of vertices.
inline constexpr std::uint32_t scene_has_texcoords = 1, scene_has_colours = 2;
/// The kernel has granted the process none of the defences that keep a hostile model inside of it.
inline constexpr std::uint32_t scene_is_unconfined = 4;

struct SceneHeader {
  std::array<char, 8> magic = scene_magic;
  SceneContent content = SceneContent::scene;
  std::uint32_t flags = 0;
  std::uint64_t vertices = 0, triangles = 0, materials = 0, textures = 0;  ///< The numbers of items in the sections.
  std::uint64_t text_bytes = 0, data_bytes = 0;
};
static_assert(sizeof(SceneHeader) == 64);

struct SceneTriangle {
  std::array<std::uint32_t, 3> corner;  ///< The indices of its vertices, counter-clockwise if seen from outside.
  std::uint32_t material;
};
static_assert(sizeof(SceneTriangle) == 16);

/// A material whose maps are indices of textures of the scene, or no_map.
struct SceneMaterial {
  MeshMaterial values;
  std::uint32_t alpha_is_channel = 0;  ///< With 1, the alpha channel of the texture `values.alpha_map` is the opacity.
};
static_assert(sizeof(SceneMaterial) == 84 && std::is_trivially_copyable_v<SceneMaterial>);

enum class TextureContent : std::uint32_t {
  named,    ///< A file of this name is the texture.
  encoded,  ///< The data are a file in a format of pictures.
  texels,   ///< The data are width x height words, red in the lowest byte, in rows from v = 1 downwards.
};

struct SceneTexture {
  TextureContent content = TextureContent::named;
  std::uint32_t width = 0, height = 0;  ///< Stated for texels only.
  std::uint32_t name_bytes = 0;
  std::uint64_t data_bytes = 0;
};
static_assert(sizeof(SceneTexture) == 24);
static_assert(sizeof(MeshVertex) == 36 && std::is_trivially_copyable_v<MeshVertex>);

/// The number of bytes that follow a header. Throws UsageError for a header that is not one, for a scene above the
/// limits or without triangles, and for one that needs more memory than is free.
[[nodiscard]] std::uint64_t scene_bytes(const SceneHeader& header, const MeshLimits& limits);

/// Makes a mesh of a scene in its flat form. Files of textures are looked for at the names that the scene states, and
/// beside the model at `path`; `options` decides which of them may be read. Throws UsageError with the message that the
/// bytes contain, with what is wrong with them, and with the cause where a texture cannot be read.
[[nodiscard]] Loaded mesh_of_scene(std::span<const std::byte> bytes, const std::filesystem::path& path,
                                   const LoadOptions& options, const MeshLimits& limits);

}  // namespace threadscape::io

#pragma once
// A model as its file states it: what the readers of the formats make, and what becomes a mesh.

#include <array>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/mesh.h"
#include "compute/core/mesh_builder.h"
#include "compute/io/bytes.h"
#include "compute/io/loaded.h"
#include "compute/io/meshes/polygon.h"

namespace threadscape::io {

struct ModelVertex {
  Point position{};
  Float3 normal;  ///< The normal, of any length; zero if it has to be made.
  Float2 texcoord;
  std::uint32_t colour = 0xffffffffu;  ///< Red in the lowest byte.
  friend bool operator==(const ModelVertex&, const ModelVertex&) = default;
};

struct ModelTriangle {
  std::array<std::uint32_t, 3> corner;  ///< The indices of its vertices, counter-clockwise if seen from outside.
  std::uint32_t material = 0;
};

/// A material whose maps are indices of textures of the model, or no_map.
struct ModelMaterial {
  MeshMaterial values;
  bool alpha_is_channel = false;  ///< The alpha channel of the texture `values.alpha_map` is the opacity.
};

/// A texture: the bytes of a file of a picture, or without them the name of such a file.
struct ModelTexture {
  std::string name;
  std::vector<std::byte> data;
};

struct Model {
  std::vector<ModelVertex> vertices;
  std::vector<ModelTriangle> triangles;
  std::vector<ModelMaterial> materials;
  std::vector<ModelTexture> textures;
  bool has_texcoords = false, has_colours = false;  ///< The file states them.
  std::vector<std::string> notes;                   ///< What was left out or assumed, each said once.

  void note(const std::string& text);
  /// The index of the texture that a file of this name is; no_map for no name. Throws UsageError for too many.
  [[nodiscard]] std::uint32_t texture_named(std::string_view name);
};

/// The word of a colour of a vertex, with parts in 0..1.
[[nodiscard]] std::uint32_t colour_word(double red, double green, double blue, double alpha);
/// The highlight of a surface whose roughness and metalness describe a microfacet distribution, for its diffuse colour.
void make_glossy(MeshMaterial& material, float roughness, float metalness);
/// Throws UsageError if this many vertices and triangles, with the mesh that they become, need more memory than is
/// free, or are above the limits.
void require_model_memory(std::uint64_t vertices, std::uint64_t triangles, const MeshLimits& limits);

/// The model that is read, and the files beside it that it may name.
class ModelFiles {
 public:
  ModelFiles(std::filesystem::path model, LoadOptions options, MeshLimits limits);

  /// The bytes of a file that the model names, in its folder and below, or everywhere if that is allowed; none if it is
  /// not there. Throws UsageError for one that may not be read or is no regular file.
  [[nodiscard]] std::optional<std::vector<std::byte>> load(const std::string& name) const;
  /// The path of a texture: the one that is stated, or else of the same name in the folder of the model; none if
  /// neither is there. Throws UsageError if it is only where it may not be read.
  [[nodiscard]] std::optional<std::filesystem::path> texture(std::string name) const;

  const std::filesystem::path path;
  const LoadOptions options;
  const MeshLimits limits;
};

/// The readers of the formats, whose arguments are the bytes of a file, and for text the whole text. All throw
/// UsageError and DecodeFailure with the cause, and Cancelled.
[[nodiscard]] Model read_obj(std::string_view text, const ModelFiles& files);
[[nodiscard]] Model read_ply(Bytes file, const ModelFiles& files);
[[nodiscard]] Model read_stl(Bytes file, const ModelFiles& files);
[[nodiscard]] Model read_gltf(Bytes file, const ModelFiles& files);

/// Appends the materials of an MTL text, and states their indices by their names.
void read_mtl(std::string_view text, Model& model, std::map<std::string, std::uint32_t>& names);

/// Makes a mesh of a model. Equal vertices become one. The coordinates of a model that is small and far from the origin
/// are counted from a point beside it, which a note states. Throws UsageError with the cause.
[[nodiscard]] Loaded mesh_of_model(Model model, const ModelFiles& files);

}  // namespace threadscape::io

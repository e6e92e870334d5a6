#pragma once
// Collects vertices, triangles, materials and textures, and makes a mesh (compute/core/mesh.h) of them.

#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

#include "compute/core/mesh.h"

namespace threadscape {

/// How missing normals are made. angle: a corner gets the mean of the normals of the triangles around its vertex,
/// weighted by their areas; triangles that differ from its own by more than an angle are left out, unless more than
/// max_crease_triangles are around the vertex. face: every corner gets the normal of its triangle. Vertices are
/// duplicated where their corners have different normals.
enum class NormalMode : std::uint8_t { angle, face };

/// Around a vertex of more triangles there are no creases: its corners get the mean of all normals, because the work of
/// comparing every pair of triangles grows with the square of their number.
inline constexpr std::uint32_t max_crease_triangles = 1024;

struct NormalOptions {
  NormalMode mode = NormalMode::angle;
  float crease_degrees = 60.0f;  ///< Used by NormalMode::angle.
};

struct MeshVertex {
  Float3 position;
  Float3 normal;  ///< Of length 1, or zero if it has to be made.
  Float2 texcoord;
  std::uint32_t colour = 0xffffffffu;  ///< Red in the lowest byte.
};

class MeshBuilder {
 public:
  explicit MeshBuilder(const MeshLimits& limits = {}) : limits_(limits) {}

  /// Adds one and returns its index. Throws UsageError if that is above a limit; so do the other functions that add.
  std::uint32_t add_vertex(const MeshVertex& vertex);
  std::uint32_t add_material(const MeshMaterial& material);
  /// Adds a texture of width x height texels, row by row from v = 0 upwards, red in the lowest byte. Its mip levels are
  /// made by build().
  std::uint32_t add_texture(std::uint32_t width, std::uint32_t height, std::vector<std::uint32_t> texels);
  void add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t material = 0);

  [[nodiscard]] std::size_t vertices() const { return vertices_.size(); }
  [[nodiscard]] std::size_t triangles() const { return triangles_.size(); }

  /// States that texture coordinates or colours were given; the mesh has no section for them otherwise.
  void use_texcoords() { texcoords_ = true; }
  void use_colours() { colours_ = true; }

  /// Makes the mesh; one without materials gets a default material. Normals are made for the vertices without one.
  /// Throws what lay_out_mesh() and check_mesh() throw, EnvironmentError if memory runs out, and Cancelled if `stop`
  /// asks for it while normals are made. The builder cannot be used again.
  [[nodiscard]] HostArray build(const NormalOptions& normals = {}, const std::stop_token& stop = {});

 private:
  struct Triangle {
    std::uint32_t corner[3];
    std::uint32_t material;
  };
  struct Texture {
    std::uint32_t width, height;
    std::vector<std::uint32_t> texels;
  };
  struct Faces;

  [[nodiscard]] bool lacks_normals() const;
  [[nodiscard]] Faces faces() const;
  void make_normals(const NormalOptions& options, const std::stop_token& stop);
  void write_vertices(HostArray& mesh) const;
  void write_textures(HostArray& mesh) const;

  MeshLimits limits_;
  std::vector<MeshVertex> vertices_;
  std::vector<Triangle> triangles_;
  std::vector<MeshMaterial> materials_;
  std::vector<Texture> textures_;
  bool texcoords_ = false, colours_ = false;
};

/// Makes the levels above level 0 of a texture whose level 0 is at the start of `texels`, which has room for
/// texture_texels(width, height). A texel is the rounded mean of the texels below it: of 2x2, and of 3 along a side of
/// odd length with weights that keep the mean of the picture.
void make_mip_levels(std::uint32_t width, std::uint32_t height, std::span<std::uint32_t> texels);

/// The normal of a triangle times twice its area.
[[nodiscard]] Float3 area_normal(const Float3& a, const Float3& b, const Float3& c);
/// The vector divided by its length; (0, 0, 0) if it has none.
[[nodiscard]] Float3 normalised(const Float3& v);

}  // namespace threadscape

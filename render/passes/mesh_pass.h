#pragma once
// Draws a mesh by OpenGL with the settings of a run of the software rasteriser, so that both pictures can be compared.
// Vertices are multiplied with the same matrix in the same order of operations, textures have the same mip levels, and
// the shaders compute the terms of rasterize_shade.h. What GL leaves to the implementation differs: see README.md.
// Triangles are drawn by their indices, so that GL shades a vertex once for all triangles that follow each other
// closely.

#include <cstdint>
#include <glm/vec2.hpp>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize_plan.h"
#include "compute/core/data.h"
#include "compute/core/mesh.h"
#include "render/gl/buffer.h"
#include "render/gl/program.h"
#include "render/gl/texture.h"
#include "render/gl/timer.h"
#include "render/passes/mesh_buffers.h"

namespace threadscape::render {

/// The textures that a picture of a mesh is drawn into: colours, depth and triangles. Move-only.
class MeshTarget {
 public:
  MeshTarget() = default;
  /// Throws EnvironmentError if GL cannot create them.
  MeshTarget(glm::ivec2 size, rasterize::DepthBits depth_bits);
  ~MeshTarget();
  MeshTarget(MeshTarget&& other) noexcept { swap(other); }
  MeshTarget& operator=(MeshTarget&& other) noexcept {
    MeshTarget(std::move(other)).swap(*this);
    return *this;
  }
  [[nodiscard]] bool fits(glm::ivec2 size, rasterize::DepthBits depth_bits) const {
    return id_ != 0 && size == size_ && depth_bits == depth_bits_;
  }
  [[nodiscard]] GLuint id() const { return id_; }
  [[nodiscard]] GLuint depth() const { return depth_; }
  [[nodiscard]] GLuint triangles() const { return triangles_; }
  [[nodiscard]] const gl::Texture& colour() const { return colour_; }
  [[nodiscard]] glm::ivec2 size() const { return size_; }

 private:
  void swap(MeshTarget& other) noexcept;

  GLuint id_ = 0, depth_ = 0, triangles_ = 0;
  gl::Texture colour_;
  glm::ivec2 size_{0, 0};
  rasterize::DepthBits depth_bits_ = rasterize::DepthBits::float32;
};

class MeshPass {
 public:
  /// The library must outlive the pass.
  explicit MeshPass(const gl::ShaderLibrary& library);
  ~MeshPass();
  MeshPass(const MeshPass&) = delete;
  MeshPass& operator=(const MeshPass&) = delete;

  /// Uploads a mesh that has passed check_mesh(). Throws EnvironmentError if GL has no buffer of its size.
  void set_mesh(const HostIn& mesh);
  /// Draws the mesh as the plan says, into textures of the size of its picture. The order of transparent triangles is
  /// that of the mesh, or for all other orders that of their farthest corners, from far to near. Visibility::painter
  /// draws all triangles in that order without a depth buffer; all other methods use one. Leaves the current
  /// framebuffer, and its viewport, changed.
  void draw(const rasterize::Plan& plan) { draw(plan, true); }
  /// Draws the same picture, and leaves read_triangles() undefined: OpenGL then writes no number for each fragment.
  void draw_colours(const rasterize::Plan& plan) { draw(plan, false); }

  /// The picture; row 0 is the top row. Empty before draw().
  [[nodiscard]] const gl::Texture& picture() const { return target_.colour(); }
  /// For each pixel, row by row from the top, the triangle that is seen plus 1, or 0 for none. Transparent triangles
  /// do not count. Waits for the GPU.
  [[nodiscard]] std::vector<std::uint32_t> read_triangles() const;
  /// For each pixel, row by row from the top, the window depth; 1 where nothing was drawn. Waits for the GPU.
  [[nodiscard]] std::vector<float> read_depths() const;
  /// How often draw() has sorted the triangles and uploaded their order.
  [[nodiscard]] std::uint64_t orders_made() const { return orders_made_; }
  /// Milliseconds that the GPU took for the last draw() whose time has arrived; 0 if there is none.
  [[nodiscard]] double draw_ms();
  /// The message of a reloaded shader that does not compile; "" if all do.
  [[nodiscard]] std::string error() const { return program_.error(); }

 private:
  /// Triangles that follow each other in the order of drawing and have the same maps, and with Gouraud shading the same
  /// exponent of highlights.
  struct Batch {
    std::uint32_t first = 0, count = 0;
    std::uint32_t material = 0;  ///< A material with those maps.
    bool transparent = false;
  };
  /// What the order of drawing and the batches depend on.
  struct OrderCause {
    bool sorted_opaque = false, sorted_transparent = false;
    bool by_shininess = false;
    rasterize::Matrix clip;
  };
  /// What the shader needs of whole triangles.
  enum class Facets : std::uint8_t { none, flat, tangents };

  void draw(const rasterize::Plan& plan, bool numbered);
  [[nodiscard]] Facets facets_for(const rasterize::Plan& plan) const;
  void make_facets(Facets facets);
  void upload_textures(const MeshView& mesh);
  void upload_environment(const rasterize::Environment& environment);
  void make_order(const rasterize::Plan& plan);
  void upload_order(const std::vector<std::uint32_t>& order);
  void make_batches(const std::vector<std::uint32_t>& order, std::size_t opaque);
  void choose_program(const rasterize::Plan& plan, bool numbered);
  void set_uniforms(const rasterize::Plan& plan);
  void bind_maps(const Batch& batch);
  void draw_batches(const rasterize::Plan& plan, bool transparent);

  const gl::ShaderLibrary& library_;
  gl::Program program_;
  std::string defines_;
  MeshTarget target_;
  MeshBuffers buffers_;
  /// The triangles and their vertices in the order of drawing; empty if in_order_.
  gl::Buffer order_, elements_;
  gl::Buffer facet_vectors_;  ///< Six floats for each triangle, as facets_ says.
  Facets facets_ = Facets::none;
  bool in_order_ = false;  ///< The order of drawing is that of the mesh.
  std::vector<GLuint> textures_;
  GLuint environment_ = 0;  ///< The faces of the map with this version, as an array; 0 before the first.
  std::uint64_t environment_version_ = 0;
  HostArray mesh_;
  std::vector<Batch> batches_;
  std::optional<OrderCause> order_cause_;
  bool transparent_ = false;   ///< Some triangle of the mesh is transparent.
  bool normal_maps_ = false;   ///< Some material has a normal map.
  bool one_material_ = false;  ///< All triangles have material 0.
  std::uint64_t orders_made_ = 0;
  GLuint sampler_ = 0;
  gl::GpuTimer timer_;
  double draw_ms_ = 0.0;
};

}  // namespace threadscape::render

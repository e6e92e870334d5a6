#pragma once
// A mesh in buffers of OpenGL. Each section of the mesh (compute/core/mesh.h) has a buffer of its own, because drivers
// limit what a shader can read of one buffer, often to 2 GiB: a terrain of 134 million triangles has 3.2 GB.

#include <glad/gl.h>

#include <array>
#include <cstddef>
#include <string_view>

#include "compute/core/mesh.h"
#include "render/gl/buffer.h"

namespace threadscape::render {

/// Throws EnvironmentError if this many bytes are more than a shader can read of one buffer; `what` is what each
/// triangle of a mesh has in it, for example "materials".
void check_storage(std::size_t bytes, std::string_view what);

class MeshBuffers {
 public:
  MeshBuffers();
  ~MeshBuffers();
  MeshBuffers(const MeshBuffers&) = delete;
  MeshBuffers& operator=(const MeshBuffers&) = delete;

  /// Uploads a mesh that has passed check_mesh(). Throws EnvironmentError if GL has no buffers of its size.
  void set(const MeshView& mesh);
  /// Tells GL to read the vertices of triangles from these indices, which are either triangles() or in another order.
  void draw_triangles_of(const gl::Buffer& indices);

  /// The attributes 0 to 3 are position, normal, texture coordinates and colour; those that the mesh lacks are
  /// disabled.
  [[nodiscard]] GLuint vertex_array() const { return vertex_array_; }
  /// The MeshHeader, the materials, and the material of each triangle. The header states where in this buffer the
  /// latter two begin. Empty before set().
  [[nodiscard]] const gl::Buffer& tables() const { return tables_; }
  /// Three vertex indices for each triangle.
  [[nodiscard]] const gl::Buffer& triangles() const { return triangles_; }

 private:
  void upload_tables(const MeshView& mesh);
  void upload_vertices(const MeshView& mesh);

  GLuint vertex_array_ = 0;
  gl::Buffer tables_, triangles_;
  /// Positions, normals, texture coordinates and colours.
  std::array<gl::Buffer, 4> vertices_;
};

}  // namespace threadscape::render

#include "render/passes/mesh_buffers.h"

#include <cstring>
#include <string>
#include <tuple>
#include <vector>

#include "compute/core/errors.h"

namespace threadscape::render {

void check_storage(std::size_t bytes, std::string_view what) {
  GLint64 most = 0;
  glGetInteger64v(GL_MAX_SHADER_STORAGE_BLOCK_SIZE, &most);
  if (bytes > static_cast<std::size_t>(most))
    throw EnvironmentError("OpenGL: the " + std::string(what) + " of the mesh's triangles have " +
                           std::to_string(bytes) + " bytes, a shader of this driver reads up to " +
                           std::to_string(most) + "; choose a mesh with fewer triangles");
}

MeshBuffers::MeshBuffers() {
  glCreateVertexArrays(1, &vertex_array_);
}

MeshBuffers::~MeshBuffers() {
  glDeleteVertexArrays(1, &vertex_array_);
}

void MeshBuffers::set(const MeshView& mesh) {
  upload_tables(mesh);
  upload_vertices(mesh);
}

void MeshBuffers::draw_triangles_of(const gl::Buffer& indices) {
  glVertexArrayElementBuffer(vertex_array_, indices.id());
}

void MeshBuffers::upload_tables(const MeshView& mesh) {
  MeshHeader header = mesh.header();
  constexpr std::size_t header_words = sizeof(MeshHeader) / sizeof(std::uint32_t);
  constexpr std::size_t material_words = sizeof(MeshMaterial) / sizeof(std::uint32_t);
  const std::size_t materials = header.materials * material_words;
  const std::size_t numbers = header.triangle_materials_at == 0 ? 0 : header.triangles;
  const std::size_t bytes = (header_words + materials + numbers) * sizeof(std::uint32_t);
  check_storage(bytes, "materials");
  std::vector<std::uint32_t> words(header_words + materials + numbers);
  std::memcpy(words.data() + header_words, mesh.words + header.materials_at, materials * sizeof(std::uint32_t));
  if (numbers != 0)
    std::memcpy(words.data() + header_words + materials, mesh.words + header.triangle_materials_at,
                numbers * sizeof(std::uint32_t));
  header.materials_at = static_cast<std::uint32_t>(header_words);
  if (numbers != 0) header.triangle_materials_at = static_cast<std::uint32_t>(header_words + materials);
  std::memcpy(words.data(), &header, sizeof header);
  tables_ = {};
  tables_ = gl::Buffer(gl::BufferUse::device, bytes, words.data());
}

void MeshBuffers::upload_vertices(const MeshView& mesh) {
  const MeshHeader& header = mesh.header();
  struct Attribute {
    std::uint32_t at;  ///< In words from the start of the mesh; 0 if the mesh has none.
    GLint components;
    GLenum type;
    GLsizei stride;
  };
  const std::array<Attribute, 4> attributes{{{header.positions_at, 3, GL_FLOAT, 12},
                                             {header.normals_at, 3, GL_FLOAT, 12},
                                             {header.texcoords_at, 2, GL_FLOAT, 8},
                                             {header.colours_at, 4, GL_UNSIGNED_BYTE, 4}}};
  static_assert(std::tuple_size_v<decltype(vertices_)> == std::tuple_size_v<decltype(attributes)>);
  for (GLuint i = 0; i < attributes.size(); ++i) {
    const Attribute& attribute = attributes[i];
    vertices_[i] = {};
    if (attribute.at == 0 || header.vertices == 0) {
      glDisableVertexArrayAttrib(vertex_array_, i);
      continue;
    }
    vertices_[i] =
        gl::Buffer(gl::BufferUse::device, std::size_t{header.vertices} * static_cast<std::size_t>(attribute.stride),
                   mesh.words + attribute.at);
    glEnableVertexArrayAttrib(vertex_array_, i);
    glVertexArrayAttribBinding(vertex_array_, i, i);
    glVertexArrayAttribFormat(vertex_array_, i, attribute.components, attribute.type,
                              attribute.type == GL_UNSIGNED_BYTE ? GL_TRUE : GL_FALSE, 0);
    glVertexArrayVertexBuffer(vertex_array_, i, vertices_[i].id(), 0, attribute.stride);
  }
  triangles_ = {};
  if (header.triangles != 0)
    triangles_ = gl::Buffer(gl::BufferUse::device, std::size_t{header.triangles} * 3 * sizeof(std::uint32_t),
                            mesh.words + header.triangles_at);
}

}  // namespace threadscape::render

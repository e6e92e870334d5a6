#include "compute/core/mesh.h"

#include <algorithm>
#include <cmath>
#include <string>

namespace threadscape {

namespace {

constexpr std::uint64_t header_words = sizeof(MeshHeader) / sizeof(std::uint32_t);
constexpr std::uint64_t material_words = sizeof(MeshMaterial) / sizeof(std::uint32_t);
constexpr std::uint64_t texture_words = sizeof(MeshTexture) / sizeof(std::uint32_t);

[[noreturn]] void refuse_mesh(const std::string& cause) {
  throw UsageError("mesh: " + cause);
}

void require_at_most(std::uint64_t count, std::uint64_t limit, const char* what) {
  if (count > limit)
    refuse_mesh(std::to_string(count) + " " + what + ", at most " + std::to_string(limit) + " are accepted");
}

/// The smallest index below `count` for which ok(index) is false; `count` if it is true for all.
template <class Ok>
std::int64_t first_wrong(std::int64_t count, const Ok& ok) {
  std::int64_t first = count;
#pragma omp parallel for schedule(static) reduction(min : first) if (count > 65536)
  for (std::int64_t i = 0; i < count; ++i)
    if (!ok(i)) first = std::min(first, i);
  return first;
}

void require_section(const MeshHeader& header, std::uint64_t at, std::uint64_t words, const char* what,
                     bool optional = false) {
  if (optional && at == 0) return;
  if (at < header_words || at + words > header.words)
    refuse_mesh(std::string("its ") + what + " are not within its " + std::to_string(header.words) + " words");
}

void require_finite(const MeshView& mesh, std::uint32_t at, std::int64_t per_vertex, const char* what) {
  if (at == 0) return;
  const float* const values = mesh.floats(at);
  const std::int64_t count = per_vertex * mesh.vertices();
  const std::int64_t wrong = first_wrong(count, [&](std::int64_t i) { return std::isfinite(values[i]); });
  if (wrong < count)
    refuse_mesh(std::string(what) + " of vertex " + std::to_string(wrong / per_vertex) + " is not a finite number");
}

void check_sections(const MeshHeader& header) {
  require_section(header, header.positions_at, std::uint64_t{3} * header.vertices, "positions");
  require_section(header, header.normals_at, std::uint64_t{3} * header.vertices, "normals");
  require_section(header, header.texcoords_at, std::uint64_t{2} * header.vertices, "texture coordinates", true);
  require_section(header, header.colours_at, header.vertices, "colours", true);
  require_section(header, header.triangles_at, std::uint64_t{3} * header.triangles, "triangles");
  require_section(header, header.triangle_materials_at, header.triangles, "materials of triangles", true);
  require_section(header, header.materials_at, material_words * header.materials, "materials");
  require_section(header, header.textures_at, texture_words * header.textures, "textures", header.textures == 0);
  require_section(header, header.texels_at, header.texels, "texels", header.texels == 0);
}

void check_textures(const MeshView& mesh) {
  const MeshHeader& header = mesh.header();
  for (std::uint32_t i = 0; i < header.textures; ++i) {
    const MeshTexture& texture = mesh.texture(i);
    const std::string name = "texture " + std::to_string(i);
    const std::uint64_t side = MeshLimits{}.texture_side;
    if (texture.width == 0 || texture.height == 0 || texture.width > side || texture.height > side)
      refuse_mesh(name + " is " + std::to_string(texture.width) + "x" + std::to_string(texture.height) +
                  " texels, accepted are 1 to " + std::to_string(side) + " on a side");
    if (texture.levels != texture_levels(texture.width, texture.height)) refuse_mesh(name + " lacks mip levels");
    const std::uint64_t end = texture.texels_at + texture_texels(texture.width, texture.height);
    if (texture.texels_at < header.texels_at || end > std::uint64_t{header.texels_at} + header.texels)
      refuse_mesh("the texels of " + name + " are not within its section");
  }
}

void check_materials(const MeshView& mesh) {
  const MeshHeader& header = mesh.header();
  for (std::uint32_t i = 0; i < header.materials; ++i) {
    const MeshMaterial& material = mesh.material(i);
    const std::string name = "material " + std::to_string(i);
    const auto within = [](float value, float most) { return value >= 0.0f && value <= most; };
    for (const Float3& colour : {material.ambient, material.diffuse, material.specular, material.emission})
      for (const float value : {colour.x, colour.y, colour.z})
        if (!within(value, 1000.0f)) refuse_mesh(name + " has a colour outside of 0..1000");
    if (!within(material.shininess, 1000.0f)) refuse_mesh(name + " has a shininess outside of 0..1000");
    if (!within(material.opacity, 1.0f)) refuse_mesh(name + " has an opacity outside of 0..1");
    for (const std::uint32_t map :
         {material.colour_map, material.normal_map, material.specular_map, material.alpha_map, material.overlay_map})
      if (map != no_map && map >= header.textures)
        refuse_mesh(name + " has map " + std::to_string(map) + ", but there are " + std::to_string(header.textures) +
                    " textures");
  }
}

void check_triangles(const MeshView& mesh) {
  const MeshHeader& header = mesh.header();
  const std::int64_t corners = std::int64_t{3} * header.triangles;
  const std::uint32_t* const indices = mesh.words + header.triangles_at;
  if (const std::int64_t wrong = first_wrong(corners, [&](std::int64_t i) { return indices[i] < header.vertices; });
      wrong < corners)
    refuse_mesh("triangle " + std::to_string(wrong / 3) + " has vertex " + std::to_string(indices[wrong]) +
                ", but there are " + std::to_string(header.vertices) + " vertices");
  if (header.triangle_materials_at == 0) return;
  const std::uint32_t* const of = mesh.words + header.triangle_materials_at;
  const std::int64_t count = header.triangles;
  if (const std::int64_t wrong = first_wrong(count, [&](std::int64_t i) { return of[i] < header.materials; });
      wrong < count)
    refuse_mesh("triangle " + std::to_string(wrong) + " has material " + std::to_string(of[wrong]) +
                ", but there are " + std::to_string(header.materials) + " materials");
}

}  // namespace

std::uint32_t texture_levels(std::uint32_t width, std::uint32_t height) {
  std::uint32_t levels = 1;
  for (std::uint32_t side = std::max(width, height); side > 1; side >>= 1)
    ++levels;
  return levels;
}

std::uint64_t texture_texels(std::uint32_t width, std::uint32_t height) {
  std::uint64_t texels = 0;
  for (std::uint32_t i = 0; i < texture_levels(width, height); ++i)
    texels += std::uint64_t{MeshView::side(width, i)} * MeshView::side(height, i);
  return texels;
}

MeshHeader lay_out_mesh(const MeshCounts& counts, const MeshLimits& limits) {
  require_at_most(counts.vertices, limits.vertices, "vertices");
  require_at_most(counts.triangles, limits.triangles, "triangles");
  require_at_most(counts.materials, limits.materials, "materials");
  require_at_most(counts.textures, limits.textures, "textures");
  require_at_most(counts.texels, limits.words, "texels");
  std::uint64_t end = header_words;
  // Sections that are not there stay at 0.
  const auto place = [&](std::uint64_t words, bool there = true) {
    const std::uint64_t at = there ? end : 0;
    if (there) end += words;
    return static_cast<std::uint32_t>(at);
  };
  MeshHeader header;
  header.vertices = static_cast<std::uint32_t>(counts.vertices);
  header.triangles = static_cast<std::uint32_t>(counts.triangles);
  header.materials = static_cast<std::uint32_t>(counts.materials);
  header.textures = static_cast<std::uint32_t>(counts.textures);
  header.texels = static_cast<std::uint32_t>(counts.texels);
  header.positions_at = place(3 * counts.vertices);
  header.normals_at = place(3 * counts.vertices);
  header.texcoords_at = place(2 * counts.vertices, counts.texcoords);
  header.colours_at = place(counts.vertices, counts.colours);
  header.triangles_at = place(3 * counts.triangles);
  header.triangle_materials_at = place(counts.triangles, counts.triangle_materials);
  header.materials_at = place(material_words * counts.materials);
  header.textures_at = place(texture_words * counts.textures, counts.textures > 0);
  header.texels_at = place(counts.texels, counts.texels > 0);
  require_at_most(end, limits.words, "32-bit words");
  header.words = static_cast<std::uint32_t>(end);
  return header;
}

void check_mesh(const HostIn& mesh) {
  const Shape& shape = mesh.shape;
  if (shape.kind != Kind::mesh || shape.element != Element::u32 || shape.channels != 1)
    throw UsageError(to_string(shape) + " is not a mesh");
  if (shape.width < static_cast<std::int64_t>(header_words)) refuse_mesh("it is shorter than its header");
  const MeshView view(mesh);
  const MeshHeader& header = view.header();
  if (header.magic != mesh_magic) refuse_mesh("its first word is not that of a mesh");
  if (header.version != mesh_version)
    refuse_mesh("version " + std::to_string(header.version) + ", accepted is " + std::to_string(mesh_version));
  if (header.words != shape.width)
    refuse_mesh("its header states " + std::to_string(header.words) + " words, but there are " +
                std::to_string(shape.width));
  if (header.vertices == 0 || header.triangles == 0) refuse_mesh("it has no triangles");
  if (header.materials == 0) refuse_mesh("it has no material");
  check_sections(header);
  check_textures(view);
  check_materials(view);
  check_triangles(view);
  require_finite(view, header.positions_at, 3, "the position");
  require_finite(view, header.normals_at, 3, "the normal");
  require_finite(view, header.texcoords_at, 2, "the texture coordinate");
}

}  // namespace threadscape

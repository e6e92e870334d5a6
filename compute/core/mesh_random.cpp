#include <cstring>
#include <string>

#include "compute/core/mesh_builder.h"
#include "compute/core/mesh_shapes.h"
#include "compute/kernel/philox.h"

namespace threadscape {

namespace {

constexpr std::uint32_t random_materials = 2;
constexpr std::uint32_t texture_width = 8, texture_height = 4;

/// Random numbers for a vertex, which depend only on its number and the seed.
struct VertexNumbers {
  VertexNumbers(std::uint32_t vertex, std::uint64_t seed)
      : place(philox({{vertex, 0, 0, 0}}, seed)), look(philox({{vertex, 1, 0, 0}}, seed)) {}
  PhiloxBlock place, look;
};

float between(std::uint32_t word, float low, float high) {
  return low + (high - low) * unit_float(word);
}

}  // namespace

HostArray make_random_mesh(std::uint32_t words, float extent, std::uint64_t seed) {
  if (words < smallest_random_mesh)
    throw UsageError("a mesh of " + std::to_string(words) + " words: at least " + std::to_string(smallest_random_mesh) +
                     " are wanted");
  const auto counts_for = [](std::uint64_t triangles) {
    return MeshCounts{.vertices = 3 * triangles,
                      .triangles = triangles,
                      .materials = random_materials,
                      .textures = 1,
                      .texels = texture_texels(texture_width, texture_height),
                      .texcoords = true,
                      .colours = true,
                      .triangle_materials = true};
  };
  const std::uint32_t fixed = lay_out_mesh(counts_for(0)).words;
  const std::uint32_t per_triangle = lay_out_mesh(counts_for(1)).words - fixed;
  const std::uint32_t triangles = (words - fixed) / per_triangle;
  MeshHeader header = lay_out_mesh(counts_for(triangles));
  header.words = words;
  header.low = {-1.5f - extent, -1.5f - extent, -1.5f - extent};
  header.high = {1.5f + extent, 1.5f + extent, 1.5f + extent};

  HostArray mesh(mesh_shape(words));
  auto* const data = reinterpret_cast<std::uint32_t*>(mesh.data());
  std::memset(data, 0, std::size_t{words} * sizeof(std::uint32_t));
  *reinterpret_cast<MeshHeader*>(data) = header;
  auto* const positions = reinterpret_cast<Float3*>(data + header.positions_at);
  auto* const normals = reinterpret_cast<Float3*>(data + header.normals_at);
  auto* const texcoords = reinterpret_cast<Float2*>(data + header.texcoords_at);
  for (std::uint32_t v = 0; v < header.vertices; ++v) {
    const VertexNumbers own(v, seed), first(v - v % 3, seed);
    // The corners of a triangle are near its first corner.
    const auto coordinate = [&](std::size_t axis) {
      return between(first.place.word[axis], -1.5f, 1.5f) +
             (v % 3 == 0 ? 0.0f : between(own.place.word[axis], -extent, extent));
    };
    positions[v] = {coordinate(0), coordinate(1), coordinate(2)};
    const PhiloxBlock turn = philox({{v, 2, 0, 0}}, seed);
    normals[v] = normalised(
        {between(turn.word[0], -1.0f, 1.0f), between(turn.word[1], -1.0f, 1.0f), between(turn.word[2], -1.0f, 1.0f)});
    texcoords[v] = {between(own.look.word[0], -2.0f, 2.0f), between(own.look.word[1], -2.0f, 2.0f)};
    data[header.colours_at + v] = own.look.word[2] | 0xff000000u;
    data[header.triangles_at + v] = v;
  }
  for (std::uint32_t t = 0; t < triangles; ++t)
    data[header.triangle_materials_at + t] = t % random_materials;
  auto* const materials = reinterpret_cast<MeshMaterial*>(data + header.materials_at);
  materials[0] = {.specular = {0.6f, 0.6f, 0.6f}, .shininess = 24.0f, .colour_map = 0};
  materials[1] = {.diffuse = {0.3f, 0.6f, 0.9f}, .emission = {0.1f, 0.0f, 0.0f}, .opacity = 0.5f};
  materials[1].normal_map = materials[1].specular_map = materials[1].alpha_map = materials[1].overlay_map = 0;
  *reinterpret_cast<MeshTexture*>(data + header.textures_at) = {
      texture_width, texture_height, texture_levels(texture_width, texture_height), header.texels_at};
  for (std::uint32_t i = 0; i < texture_width * texture_height; ++i)
    data[header.texels_at + i] = philox({{i, 3, 0, 0}}, seed).word[0];
  make_mip_levels(texture_width, texture_height, {data + header.texels_at, header.texels});
  return mesh;
}

}  // namespace threadscape

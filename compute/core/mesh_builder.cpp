#include "compute/core/mesh_builder.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <limits>
#include <numbers>
#include <string>
#include <utility>

namespace threadscape {

namespace {

constexpr std::uint32_t no_vertex = std::numeric_limits<std::uint32_t>::max();

float dot(const Float3& a, const Float3& b) {
  return a.x * b.x + a.y * b.y + a.z * b.z;
}

Float3 plus(const Float3& a, const Float3& b) {
  return {a.x + b.x, a.y + b.y, a.z + b.z};
}

template <class T>
T* section(HostArray& mesh, std::uint32_t at) {
  return reinterpret_cast<T*>(reinterpret_cast<std::uint32_t*>(mesh.data()) + at);
}

void require_room(std::size_t count, std::uint64_t limit, const char* what) {
  if (count >= limit) throw UsageError("mesh: more than " + std::to_string(limit) + " " + what + " are not accepted");
}

/// The texels of the level below along one side that a texel is made of, and their weights. Sides of even length are
/// halved; the texel i of n out of 2 n + 1 covers parts of three texels (NVIDIA, "Non-power-of-two mipmapping", 2005).
struct Taps {
  std::uint32_t first = 0;
  int count = 1;
  std::array<float, 3> weight{1.0f, 0.0f, 0.0f};
};

Taps taps_of(std::uint32_t i, std::uint32_t below, std::uint32_t side) {
  if (below == 1) return {};
  if (below % 2 == 0) return {.first = 2 * i, .count = 2, .weight = {0.5f, 0.5f, 0.0f}};
  const auto n = static_cast<float>(side), whole = static_cast<float>(below), at = static_cast<float>(i);
  return {.first = 2 * i, .count = 3, .weight = {(n - at) / whole, n / whole, (at + 1.0f) / whole}};
}

std::uint32_t mean_texel(const std::uint32_t* texels, std::uint32_t pitch, const Taps& x, const Taps& y) {
  std::uint32_t texel = 0;
  for (int channel = 0; channel < 4; ++channel) {
    float sum = 0.0f;
    for (int j = 0; j < y.count; ++j)
      for (int i = 0; i < x.count; ++i) {
        const std::size_t at =
            std::size_t{y.first + static_cast<std::uint32_t>(j)} * pitch + x.first + static_cast<std::uint32_t>(i);
        const auto value = static_cast<float>((texels[at] >> (8 * channel)) & 255u);
        sum += value * (x.weight[static_cast<std::size_t>(i)] * y.weight[static_cast<std::size_t>(j)]);
      }
    texel |= std::min(255u, static_cast<std::uint32_t>(sum + 0.5f)) << (8 * channel);
  }
  return texel;
}

/// The direction of a sum of area vectors. A triangle without area has no normal; any direction will do, because it
/// covers no pixel.
Float3 normal_along(const Float3& sum) {
  const Float3 normal = normalised(sum);
  return normal == Float3{} ? Float3{0.0f, 0.0f, 1.0f} : normal;
}

/// Finds the copies that vertices have got for their normals: a hash table whose entries are lists of copies, so that a
/// vertex with a million normals takes as long for each of them as any other.
class VertexCopies {
 public:
  /// `expected` is about the number of copies that there will be.
  explicit VertexCopies(std::size_t expected) : newest_(std::bit_ceil(std::max<std::size_t>(expected, 1)), no_vertex) {}

  /// The copy of vertex v with this normal among those `made`; no_vertex if there is none.
  [[nodiscard]] std::uint32_t find(std::uint32_t v, const Float3& normal, const std::vector<MeshVertex>& made) const {
    std::uint32_t copy = newest_[entry(v, normal)];
    while (copy != no_vertex && (copy_of_[copy] != v || made[copy].normal != normal))
      copy = older_[copy];
    return copy;
  }
  /// States that the next copy is one of vertex v with this normal.
  void add(std::uint32_t v, const Float3& normal) {
    const auto copy = static_cast<std::uint32_t>(copy_of_.size());
    copy_of_.push_back(v);
    older_.push_back(std::exchange(newest_[entry(v, normal)], copy));
  }

 private:
  [[nodiscard]] std::size_t entry(std::uint32_t v, const Float3& normal) const {
    std::uint64_t hash = v;
    // The sum with 0 is 0 for -0 as well, because the two are equal and their bits are not.
    for (const float value : {normal.x, normal.y, normal.z})
      hash = mixed(hash ^ (std::uint64_t{std::bit_cast<std::uint32_t>(value + 0.0f)} << 32));
    return static_cast<std::size_t>(hash) & (newest_.size() - 1);
  }
  /// A bijection in which every bit of the argument changes about half of the bits of the result (G. Steele, D. Lea,
  /// C. Flood, "Fast splittable pseudorandom number generators", 2014).
  static std::uint64_t mixed(std::uint64_t bits) {
    bits += 0x9e3779b97f4a7c15u;
    bits = (bits ^ (bits >> 30)) * 0xbf58476d1ce4e5b9u;
    bits = (bits ^ (bits >> 27)) * 0x94d049bb133111ebu;
    return bits ^ (bits >> 31);
  }

  std::vector<std::uint32_t> newest_;           ///< For each entry of the table the newest copy.
  std::vector<std::uint32_t> older_, copy_of_;  ///< For each copy the one before it in its list, and its vertex.
};

}  // namespace

Float3 area_normal(const Float3& a, const Float3& b, const Float3& c) {
  const Float3 u{b.x - a.x, b.y - a.y, b.z - a.z}, v{c.x - a.x, c.y - a.y, c.z - a.z};
  return {u.y * v.z - u.z * v.y, u.z * v.x - u.x * v.z, u.x * v.y - u.y * v.x};
}

Float3 normalised(const Float3& v) {
  // Scaled by the largest component first, because squares of tiny and of huge numbers leave the range of float.
  const float largest = std::max({std::fabs(v.x), std::fabs(v.y), std::fabs(v.z)});
  if (!(largest > 0.0f) || !std::isfinite(largest)) return {};
  const Float3 scaled{v.x / largest, v.y / largest, v.z / largest};
  const float length = std::sqrt(dot(scaled, scaled));
  return {scaled.x / length, scaled.y / length, scaled.z / length};
}

void make_mip_levels(std::uint32_t width, std::uint32_t height, std::span<std::uint32_t> texels) {
  const std::uint32_t levels = texture_levels(width, height);
  std::size_t below_at = 0;
  for (std::uint32_t level = 1; level < levels; ++level) {
    const std::uint32_t below_w = MeshView::side(width, level - 1), below_h = MeshView::side(height, level - 1);
    const std::uint32_t w = MeshView::side(width, level), h = MeshView::side(height, level);
    const std::size_t at = below_at + std::size_t{below_w} * below_h;
    for (std::uint32_t y = 0; y < h; ++y)
      for (std::uint32_t x = 0; x < w; ++x)
        texels[at + std::size_t{y} * w + x] =
            mean_texel(&texels[below_at], below_w, taps_of(x, below_w, w), taps_of(y, below_h, h));
    below_at = at;
  }
}

std::uint32_t MeshBuilder::add_vertex(const MeshVertex& vertex) {
  require_room(vertices_.size(), limits_.vertices, "vertices");
  vertices_.push_back(vertex);
  return static_cast<std::uint32_t>(vertices_.size() - 1);
}

std::uint32_t MeshBuilder::add_material(const MeshMaterial& material) {
  require_room(materials_.size(), limits_.materials, "materials");
  materials_.push_back(material);
  return static_cast<std::uint32_t>(materials_.size() - 1);
}

std::uint32_t MeshBuilder::add_texture(std::uint32_t width, std::uint32_t height, std::vector<std::uint32_t> texels) {
  require_room(textures_.size(), limits_.textures, "textures");
  if (width == 0 || height == 0 || width > limits_.texture_side || height > limits_.texture_side ||
      texels.size() != std::size_t{width} * height)
    throw UsageError("mesh: a texture of " + std::to_string(width) + "x" + std::to_string(height) +
                     " texels; accepted are 1 to " + std::to_string(limits_.texture_side) + " on a side");
  textures_.push_back({width, height, std::move(texels)});
  return static_cast<std::uint32_t>(textures_.size() - 1);
}

void MeshBuilder::add_triangle(std::uint32_t a, std::uint32_t b, std::uint32_t c, std::uint32_t material) {
  require_room(triangles_.size(), limits_.triangles, "triangles");
  triangles_.push_back({{a, b, c}, material});
}

bool MeshBuilder::lacks_normals() const {
  return std::ranges::any_of(triangles_, [&](const Triangle& triangle) {
    return std::ranges::any_of(
        triangle.corner, [&](std::uint32_t v) { return v < vertices_.size() && vertices_[v].normal == Float3{}; });
  });
}

/// The normals of the triangles, and which triangles are around each vertex.
struct MeshBuilder::Faces {
  std::vector<Float3> areas, units;  ///< area_normal() of each triangle, and the same of length 1.
  /// The triangles around vertex v, in their order: around[first[v]] to around[first[v + 1] - 1].
  std::vector<std::uint32_t> first, around;

  [[nodiscard]] std::uint32_t count(std::uint32_t v) const { return first[v + 1] - first[v]; }

  /// The sum of the area vectors of all triangles around a vertex.
  [[nodiscard]] Float3 sum(std::uint32_t v) const {
    Float3 sum;
    for (std::uint32_t i = first[v]; i < first[v + 1]; ++i)
      sum = plus(sum, areas[around[i]]);
    return sum;
  }
  /// The sum for the corner of triangle t at a vertex, without the triangles whose normals have an angle to that of t
  /// with a cosine below `crease`.
  [[nodiscard]] Float3 sum_within(std::uint32_t v, std::uint32_t t, float crease) const {
    Float3 sum;
    for (std::uint32_t i = first[v]; i < first[v + 1]; ++i)
      if (around[i] == t || dot(units[t], units[around[i]]) >= crease) sum = plus(sum, areas[around[i]]);
    return sum;
  }
};

MeshBuilder::Faces MeshBuilder::faces() const {
  Faces faces;
  faces.areas.resize(triangles_.size());
  faces.units.resize(triangles_.size());
  faces.first.resize(vertices_.size() + 1, 0);
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    const auto& corner = triangles_[t].corner;
    for (const std::uint32_t v : corner)
      if (v >= vertices_.size())
        throw UsageError("mesh: triangle " + std::to_string(t) + " has vertex " + std::to_string(v) +
                         ", but there are " + std::to_string(vertices_.size()) + " vertices");
    faces.areas[t] =
        area_normal(vertices_[corner[0]].position, vertices_[corner[1]].position, vertices_[corner[2]].position);
    faces.units[t] = normalised(faces.areas[t]);
    for (const std::uint32_t v : corner)
      ++faces.first[v + 1];
  }
  for (std::size_t v = 0; v < vertices_.size(); ++v)
    faces.first[v + 1] += faces.first[v];
  faces.around.resize(3 * triangles_.size());
  std::vector<std::uint32_t> next(faces.first.begin(), faces.first.end() - 1);
  for (std::size_t t = 0; t < triangles_.size(); ++t)
    for (const std::uint32_t v : triangles_[t].corner)
      faces.around[next[v]++] = static_cast<std::uint32_t>(t);
  return faces;
}

void MeshBuilder::make_normals(const NormalOptions& options, const std::stop_token& stop) {
  const Faces all = faces();
  const float degrees = std::clamp(options.crease_degrees, 0.0f, 180.0f);
  const float crease = std::cos(degrees * std::numbers::pi_v<float> / 180.0f) - 1e-6f;
  if (options.mode == NormalMode::angle)
    for (std::uint32_t v = 0; v < vertices_.size(); ++v)
      if (vertices_[v].normal == Float3{} && all.count(v) > max_crease_triangles)
        vertices_[v].normal = normal_along(all.sum(v));
  std::vector<MeshVertex> made;
  made.reserve(vertices_.size());
  VertexCopies copies(std::max(vertices_.size(), triangles_.size()));
  for (std::uint32_t t = 0; t < triangles_.size(); ++t) {
    if (t % 4096 == 0 && stop.stop_requested()) throw Cancelled();
    for (std::uint32_t& corner : triangles_[t].corner) {
      const std::uint32_t v = corner;
      MeshVertex vertex = vertices_[v];
      if (vertex.normal == Float3{})
        vertex.normal = normal_along(options.mode == NormalMode::angle ? all.sum_within(v, t, crease) : all.areas[t]);
      corner = copies.find(v, vertex.normal, made);
      if (corner != no_vertex) continue;
      require_room(made.size(), limits_.vertices, "vertices");
      corner = static_cast<std::uint32_t>(made.size());
      made.push_back(vertex);
      copies.add(v, vertex.normal);
    }
  }
  vertices_ = std::move(made);
}

void MeshBuilder::write_vertices(HostArray& mesh) const {
  auto& header = *section<MeshHeader>(mesh, 0);
  auto* const positions = section<Float3>(mesh, header.positions_at);
  auto* const normals = section<Float3>(mesh, header.normals_at);
  header.low = header.high = vertices_.empty() ? Float3{} : vertices_.front().position;
  for (std::size_t v = 0; v < vertices_.size(); ++v) {
    const MeshVertex& vertex = vertices_[v];
    const Float3& p = vertex.position;
    positions[v] = p;
    normals[v] = vertex.normal;
    if (texcoords_) section<Float2>(mesh, header.texcoords_at)[v] = vertex.texcoord;
    if (colours_) section<std::uint32_t>(mesh, header.colours_at)[v] = vertex.colour;
    header.low = {std::min(header.low.x, p.x), std::min(header.low.y, p.y), std::min(header.low.z, p.z)};
    header.high = {std::max(header.high.x, p.x), std::max(header.high.y, p.y), std::max(header.high.z, p.z)};
  }
}

void MeshBuilder::write_textures(HostArray& mesh) const {
  const auto& header = *section<MeshHeader>(mesh, 0);
  std::uint32_t at = header.texels_at;
  for (std::size_t i = 0; i < textures_.size(); ++i) {
    const Texture& texture = textures_[i];
    section<MeshTexture>(mesh, header.textures_at)[i] = {texture.width, texture.height,
                                                         texture_levels(texture.width, texture.height), at};
    auto* const texels = section<std::uint32_t>(mesh, at);
    const auto count = static_cast<std::size_t>(texture_texels(texture.width, texture.height));
    std::ranges::copy(texture.texels, texels);
    make_mip_levels(texture.width, texture.height, {texels, count});
    at += static_cast<std::uint32_t>(count);
  }
}

HostArray MeshBuilder::build(const NormalOptions& normals, const std::stop_token& stop) {
  if (materials_.empty()) materials_.emplace_back();
  if (lacks_normals()) make_normals(normals, stop);
  MeshCounts counts{.vertices = vertices_.size(),
                    .triangles = triangles_.size(),
                    .materials = materials_.size(),
                    .textures = textures_.size(),
                    .texels = 0,
                    .texcoords = texcoords_,
                    .colours = colours_,
                    .triangle_materials = materials_.size() > 1};
  for (const Texture& texture : textures_)
    counts.texels += texture_texels(texture.width, texture.height);
  const MeshHeader header = lay_out_mesh(counts, limits_);
  HostArray mesh(mesh_shape(header.words));
  *section<MeshHeader>(mesh, 0) = header;
  write_vertices(mesh);
  auto* const triangles = section<std::uint32_t>(mesh, header.triangles_at);
  for (std::size_t t = 0; t < triangles_.size(); ++t) {
    std::copy_n(triangles_[t].corner, 3, triangles + 3 * t);
    if (counts.triangle_materials)
      section<std::uint32_t>(mesh, header.triangle_materials_at)[t] = triangles_[t].material;
  }
  std::ranges::copy(materials_, section<MeshMaterial>(mesh, header.materials_at));
  write_textures(mesh);
  check_mesh(std::as_const(mesh).view());
  return mesh;
}

}  // namespace threadscape

// Makes a mesh of a model, with the textures that it names.

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/convert.h"
#include "compute/core/machine.h"
#include "compute/io/input_file.h"
#include "compute/io/meshes/model.h"
#include "compute/io/outside.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// A number of a material within its range; the lowest one in place of a number that is not finite.
float within(float value, float low, float high) {
  return std::isfinite(value) ? std::clamp(value, low, high) : low;
}

Float3 colour_within(const Float3& c) {
  return {within(c.x, 0.0f, 1000.0f), within(c.y, 0.0f, 1000.0f), within(c.z, 0.0f, 1000.0f)};
}

/// A texture of the file in rows from v = 0 upwards.
struct Texture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint32_t> texels;
};

std::uint32_t texel_of(const Rgba8& p) {
  return p.r | (std::uint32_t{p.g} << 8) | (std::uint32_t{p.b} << 16) | (std::uint32_t{p.a} << 24);
}

Texture from_picture(const HostArray& pixels) {
  const Shape& shape = pixels.shape();
  Texture texture{static_cast<std::uint32_t>(shape.width), static_cast<std::uint32_t>(shape.height), {}};
  texture.texels.reserve(static_cast<std::size_t>(shape.items()));
  for (int y = static_cast<int>(shape.height) - 1; y >= 0; --y)
    for (int x = 0; x < static_cast<int>(shape.width); ++x) {
      if (shape.channels == 1) {
        const std::uint32_t grey = pixels.image<std::uint8_t>()(x, y);
        texture.texels.push_back(grey | (grey << 8) | (grey << 16) | 0xff000000u);
      } else {
        texture.texels.push_back(texel_of(pixels.image<Rgba8>()(x, y)));
      }
    }
  return texture;
}

/// The materials of a model and the textures that they need, in the mesh.
class Materials {
 public:
  Materials(Model& model, const ModelFiles& files, MeshBuilder& mesh)
      : model_(model), files_(files), options_(files.options), mesh_(mesh) {
    options_.element = Element::u8;
  }

  void add(const ModelMaterial& stated) {
    MeshMaterial to = stated.values;
    to.ambient = colour_within(to.ambient);
    to.diffuse = colour_within(to.diffuse);
    to.specular = colour_within(to.specular);
    to.emission = colour_within(to.emission);
    to.shininess = within(to.shininess, 0.0f, 1000.0f);
    to.opacity = within(to.opacity, 0.0f, 1.0f);
    to.colour_map = map_of(to.colour_map);
    to.normal_map = map_of(to.normal_map);
    to.specular_map = map_of(to.specular_map);
    to.alpha_map = stated.alpha_is_channel ? alpha_of(to.alpha_map) : map_of(to.alpha_map);
    mesh_.add_material(to);
  }

 private:
  std::uint32_t map_of(std::uint32_t texture) {
    if (texture == no_map) return no_map;
    if (const auto known = maps_.find(texture); known != maps_.end()) return known->second;
    Texture made = read(texture);
    return maps_[texture] =
               made.texels.empty() ? no_map : mesh_.add_texture(made.width, made.height, std::move(made.texels));
  }

  /// The alpha channel of a texture as a map; none if it is opaque everywhere.
  std::uint32_t alpha_of(std::uint32_t texture) {
    if (texture == no_map) return no_map;
    if (const auto known = alphas_.find(texture); known != alphas_.end()) return known->second;
    Texture made = read(texture);
    const bool opaque = std::ranges::all_of(made.texels, [](std::uint32_t texel) { return texel >> 24 == 255; });
    if (opaque) return alphas_[texture] = no_map;
    for (std::uint32_t& texel : made.texels)
      texel = (texel >> 24) * 0x010101u | 0xff000000u;
    return alphas_[texture] = mesh_.add_texture(made.width, made.height, std::move(made.texels));
  }

  /// A texture, without texels where its file is missing.
  [[nodiscard]] Texture read(std::uint32_t index) {
    const ModelTexture& stated = model_.textures.at(index);
    const std::string name = "its texture '" + stated.name + "'";
    try {
      if (!stated.data.empty()) {
        HostArray pixels = decode_picture(stated.data).pixels;
        if (pixels.shape().element != Element::u8) pixels = convert_picture(pixels.view(), Element::u8);
        return from_picture(pixels);
      }
      if (const auto file = files_.texture(stated.name)) return from_picture(load_picture(*file, options_).pixels);
    } catch (const DecodeFailure& failure) {
      throw UsageError(name + ": " + failure.cause);
    } catch (const EnvironmentError& failure) {
      throw UsageError(name + ": " + failure.what() + "; replace it, or remove it from the material");
    }
    model_.note(name + " is not there, so its material is drawn without it: put it beside the model");
    return {};
  }

  Model& model_;
  const ModelFiles& files_;
  LoadOptions options_;
  MeshBuilder& mesh_;
  std::map<std::uint32_t, std::uint32_t> maps_, alphas_;  ///< The maps of the mesh that textures of the model became.
};

/// Moves a model to the origin if its coordinates would lose what tells its vertices apart: floats have 24 bits, and a
/// model that is 256 times as far away as it is wide has 16 of them left.
void move_near(Model& model) {
  constexpr double infinity = std::numeric_limits<double>::infinity();
  Point low{infinity, infinity, infinity}, high{-infinity, -infinity, -infinity};
  for (const ModelVertex& vertex : model.vertices)
    for (std::size_t k = 0; k < 3; ++k) {
      low[k] = std::min(low[k], vertex.position[k]);
      high[k] = std::max(high[k], vertex.position[k]);
    }
  double size = 0.0, distance = 0.0;
  for (std::size_t k = 0; k < 3; ++k) {
    size = std::max(size, high[k] - low[k]);
    distance = std::max({distance, std::fabs(low[k]), std::fabs(high[k])});
  }
  if (!(size > 0.0) || !std::isfinite(distance) || distance < 256.0 * size) return;
  const double unit = std::exp2(std::ceil(std::log2(size)));
  Point origin{};
  std::string text;
  for (std::size_t k = 0; k < 3; ++k) {
    origin[k] = std::floor(low[k] / unit) * unit;
    std::array<char, 32> digits{};
    (void)std::snprintf(digits.data(), digits.size(), "%s%.10g", k == 0 ? "" : ", ", origin[k]);
    text += digits.data();
  }
  for (ModelVertex& vertex : model.vertices)
    for (std::size_t k = 0; k < 3; ++k)
      vertex.position[k] -= origin[k];
  model.note("it is far from the origin, so its coordinates are counted from (" + text + ")");
}

std::uint64_t hash_of(const ModelVertex& vertex) {
  std::uint64_t hash = vertex.colour;
  const auto add = [&](std::uint64_t bits) { hash = std::rotl((hash ^ bits) * 0x9e3779b97f4a7c15u, 29); };
  // The sum with 0 is 0 for -0 as well, because the two are equal and their bits are not.
  for (const double value : vertex.position)
    add(std::bit_cast<std::uint64_t>(value + 0.0));
  for (const float value : {vertex.normal.x, vertex.normal.y, vertex.normal.z, vertex.texcoord.x, vertex.texcoord.y})
    add(std::bit_cast<std::uint32_t>(value + 0.0f));
  return hash;
}

/// Gives equal vertices one index, so that normals are made across the faces of files that state no indices.
void join_equal_vertices(Model& model) {
  constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();
  std::vector<ModelVertex>& vertices = model.vertices;
  std::vector<std::uint32_t> table(std::bit_ceil(2 * vertices.size() + 1), none), index_of(vertices.size());
  std::uint32_t kept = 0;
  for (std::size_t v = 0; v < vertices.size(); ++v) {
    auto at = static_cast<std::size_t>(hash_of(vertices[v])) & (table.size() - 1);
    while (table[at] != none && vertices[table[at]] != vertices[v])
      at = (at + 1) & (table.size() - 1);
    if (table[at] == none) {
      vertices[kept] = vertices[v];
      table[at] = kept++;
    }
    index_of[v] = table[at];
  }
  vertices.resize(kept);
  for (ModelTriangle& triangle : model.triangles)
    for (std::uint32_t& corner : triangle.corner)
      corner = index_of[corner];
}

}  // namespace

void Model::note(const std::string& text) {
  constexpr std::size_t most = 8;
  if (notes.size() > most || std::ranges::count(notes, text) > 0) return;
  notes.push_back(notes.size() < most ? text : "there is more of this kind");
}

std::uint32_t Model::texture_named(std::string_view name) {
  if (name.empty()) return no_map;
  const auto known = std::ranges::find(textures, name, &ModelTexture::name);
  const auto index = static_cast<std::uint32_t>(known - textures.begin());
  constexpr std::size_t most = 4096;
  if (textures.size() == most) throw UsageError("it names more than " + std::to_string(most) + " textures");
  if (known == textures.end()) textures.push_back({.name = std::string(name), .data = {}});
  return index;
}

std::uint32_t colour_word(double red, double green, double blue, double alpha) {
  const auto byte = [](double value) {
    return static_cast<std::uint32_t>(within(static_cast<float>(value), 0.0f, 1.0f) * 255.0f + 0.5f);
  };
  return byte(red) | (byte(green) << 8) | (byte(blue) << 16) | (byte(alpha) << 24);
}

void make_glossy(MeshMaterial& material, float roughness, float metalness) {
  // Phong's exponent 2 / r^4 - 2 gives a highlight of the same width (B. Karis, "Specular BRDF Reference", 2013).
  const float r = within(roughness, 0.05f, 1.0f), metal = within(metalness, 0.0f, 1.0f), gloss = 1.0f - r;
  material.shininess = within(2.0f / (r * r * r * r) - 2.0f, 1.0f, 1000.0f);
  const auto mixed = [&](float base) { return gloss * (0.2f + (base - 0.2f) * metal); };
  material.specular = {mixed(material.diffuse.x), mixed(material.diffuse.y), mixed(material.diffuse.z)};
}

void require_model_memory(std::uint64_t vertices, std::uint64_t triangles, const MeshLimits& limits) {
  if (triangles == 0) throw UsageError("it has no triangles: points, lines and curves alone are not drawn");
  (void)lay_out_mesh({.vertices = vertices, .triangles = triangles}, limits);
  // A vertex is counted in the model, in the builder, and with its entries in the table of equal ones; a triangle in
  // both, with its indices, its area vector and that of length 1, and three vertices with normals of their own.
  constexpr std::uint64_t vertex_bytes = sizeof(ModelVertex) + sizeof(MeshVertex) + 16;
  constexpr std::uint64_t triangle_bytes = 2 * sizeof(ModelTriangle) + 12 + 24 + 3 * sizeof(MeshVertex);
  const std::uint64_t bytes = vertices * vertex_bytes + triangles * triangle_bytes;
  if (const auto free = free_host_bytes_below(bytes))
    throw UsageError("mesh: its " + std::to_string(vertices) + " vertices and " + std::to_string(triangles) +
                     " triangles, counted at every place in its scene, need " + std::to_string(bytes) + " bytes, " +
                     std::to_string(*free) + " are free");
}

ModelFiles::ModelFiles(fs::path model, LoadOptions load_options, MeshLimits mesh_limits)
    : path(std::move(model)), options(std::move(load_options)), limits(mesh_limits) {}

std::optional<std::vector<std::byte>> ModelFiles::load(const std::string& name) const {
  std::string local = name;
  std::ranges::replace(local, '\\', '/');
  const fs::path file = folder_of(path) / local;
  std::error_code error;
  const fs::file_status status = fs::status(file, error);
  if (!fs::exists(status)) return std::nullopt;
  if (!fs::is_regular_file(status)) throw UsageError("it names '" + name + "', which is no regular file");
  if (!options.allow_outside && !is_inside(folder_of(path), file))
    throw UsageError("it names '" + name +
                     "', which is outside of its folder: start the program with --allow-outside if this file may be "
                     "read");
  if (fs::file_size(file, error) > limits.file_bytes)
    throw UsageError("it names '" + name + "', which has more than the " + std::to_string(limits.file_bytes) +
                     " bytes that files of models may have");
  return load_bytes(file, Limit::file_bytes, options.stop);
}

std::optional<fs::path> ModelFiles::texture(std::string name) const {
  std::ranges::replace(name, '\\', '/');
  const fs::path folder = folder_of(path), stated = folder / name;
  fs::path refused;
  for (const fs::path& file : {stated, folder / stated.filename()}) {
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    if (options.allow_outside || is_inside(folder, file)) return file;
    if (refused.empty()) refused = file;
  }
  if (refused.empty()) return std::nullopt;
  throw UsageError(
      "its texture '" + refused.string() +
      "' is outside of the model's folder: put it beside the model, or start the program with --allow-outside "
      "if this file may be read");
}

Loaded mesh_of_model(Model model, const ModelFiles& files) {
  const auto stop_if_asked = [&] {
    if (files.options.stop.stop_requested()) throw Cancelled();
  };
  stop_if_asked();
  require_model_memory(model.vertices.size(), model.triangles.size(), files.limits);
  move_near(model);
  join_equal_vertices(model);
  stop_if_asked();
  MeshBuilder mesh(files.limits);
  if (model.has_texcoords) mesh.use_texcoords();
  if (model.has_colours) mesh.use_colours();
  Materials materials(model, files, mesh);
  for (const ModelMaterial& material : model.materials)
    materials.add(material);
  for (const ModelVertex& v : model.vertices)
    mesh.add_vertex({.position = {static_cast<float>(v.position[0]), static_cast<float>(v.position[1]),
                                  static_cast<float>(v.position[2])},
                     .normal = normalised(v.normal),
                     .texcoord = v.texcoord,
                     .colour = v.colour});
  for (const ModelTriangle& t : model.triangles)
    mesh.add_triangle(t.corner[0], t.corner[1], t.corner[2], t.material);
  Loaded loaded{.pixels = mesh.build(files.options.normals, files.options.stop)};
  for (const std::string& note : model.notes)
    loaded.note += (loaded.note.empty() ? "'" + files.path.string() + "': " : "; ") + note;
  return loaded;
}

}  // namespace threadscape::io

#include "compute/io/meshes/model_scene.h"

#include <algorithm>
#include <cmath>
#include <cstring>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/convert.h"
#include "compute/core/machine.h"
#include "compute/io/outside.h"
#include "compute/io/pictures/image_format.h"

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void refuse(const std::string& why) {
  throw UsageError("the reader of models gave a damaged scene: " + why);
}

/// A number of a material within its range; the lowest one in place of a number that is not finite.
float within(float value, float low, float high) {
  return std::isfinite(value) ? std::clamp(value, low, high) : low;
}

Float3 colour_within(const Float3& c) {
  return {within(c.x, 0.0f, 1000.0f), within(c.y, 0.0f, 1000.0f), within(c.z, 0.0f, 1000.0f)};
}

/// A message in one line: characters that control a terminal become spaces.
std::string one_line(std::span<const std::byte> bytes) {
  std::string text(reinterpret_cast<const char*>(bytes.data()), bytes.size());
  for (char& letter : text)
    if (static_cast<unsigned char>(letter) < 0x20 || letter == 0x7f) letter = ' ';
  return text;
}

/// Takes items from the front of bytes that need not be aligned.
class Taker {
 public:
  explicit Taker(std::span<const std::byte> bytes) : rest_(bytes) {}

  [[nodiscard]] std::span<const std::byte> bytes(std::uint64_t count) {
    if (count > rest_.size()) refuse("it ends too early");
    const auto taken = rest_.first(static_cast<std::size_t>(count));
    rest_ = rest_.subspan(taken.size());
    return taken;
  }
  template <class T>
  [[nodiscard]] T take() {
    static_assert(std::is_trivially_copyable_v<T>);
    T item;
    std::memcpy(&item, bytes(sizeof(T)).data(), sizeof(T));
    return item;
  }
  [[nodiscard]] bool empty() const { return rest_.empty(); }

 private:
  std::span<const std::byte> rest_;
};

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

/// Where a texture is: at the path that the file states, or else in the folder of the model. Throws UsageError if it
/// is only where the options do not allow it to be read; a missing texture is at the stated path.
fs::path texture_path(std::string name, const fs::path& model, bool allow_outside) {
  std::ranges::replace(name, '\\', '/');
  const fs::path folder = folder_of(model);
  fs::path stated = folder / name, refused;
  const fs::path beside = folder / stated.filename();
  for (const fs::path& file : {stated, beside}) {
    std::error_code error;
    if (!fs::exists(file, error)) continue;
    if (allow_outside || is_inside(folder, file)) return file;
    if (refused.empty()) refused = file;
  }
  if (refused.empty()) return stated;
  throw UsageError(
      "its texture '" + refused.string() +
      "' is outside of the model's folder: put it beside the model, or start the program with --allow-outside "
      "if this file may be read");
}

/// Turns a scene into a mesh.
class SceneMesh {
 public:
  SceneMesh(const fs::path& path, const LoadOptions& options, const MeshLimits& limits)
      : path_(path), options_(options), mesh_(limits) {
    options_.element = Element::u8;
  }

  HostArray build(const SceneHeader& header, Taker from) {
    // Textures are at the end of the bytes, and materials need them before vertices are made.
    auto vertices = Taker(from.bytes(header.vertices * sizeof(MeshVertex)));
    auto triangles = Taker(from.bytes(header.triangles * sizeof(SceneTriangle)));
    auto materials = Taker(from.bytes(header.materials * sizeof(SceneMaterial)));
    take_textures(header, from);
    while (!materials.empty())
      add_material(materials.take<SceneMaterial>());
    add_vertices(header, vertices);
    for (std::uint64_t t = 0; t < header.triangles; ++t) {
      stop_if_asked(t);
      const auto triangle = triangles.take<SceneTriangle>();
      for (const std::uint32_t v : triangle.corner)
        if (v >= header.vertices) refuse("triangle " + std::to_string(t) + " has vertex " + std::to_string(v));
      if (triangle.material >= header.materials && triangle.material != 0)
        refuse("triangle " + std::to_string(t) + " has material " + std::to_string(triangle.material));
      mesh_.add_triangle(triangle.corner[0], triangle.corner[1], triangle.corner[2], triangle.material);
    }
    return mesh_.build(options_.normals, options_.stop);
  }

 private:
  struct Stated {
    SceneTexture texture;
    std::string name;
    std::span<const std::byte> data;
  };

  void stop_if_asked(std::uint64_t item) const {
    if (item % 65536 == 0 && options_.stop.stop_requested()) throw Cancelled();
  }

  void add_vertices(const SceneHeader& header, Taker& from) {
    if ((header.flags & scene_has_texcoords) != 0) mesh_.use_texcoords();
    if ((header.flags & scene_has_colours) != 0) mesh_.use_colours();
    for (std::uint64_t v = 0; v < header.vertices; ++v) {
      stop_if_asked(v);
      auto vertex = from.take<MeshVertex>();
      vertex.normal = normalised(vertex.normal);
      mesh_.add_vertex(vertex);
    }
  }

  void take_textures(const SceneHeader& header, Taker& from) {
    for (std::uint64_t i = 0; i < header.textures; ++i)
      textures_.push_back({.texture = from.take<SceneTexture>(), .name = {}, .data = {}});
    auto text = Taker(from.bytes(header.text_bytes));
    auto data = Taker(from.bytes(header.data_bytes));
    if (!from.empty()) refuse("bytes follow it");
    for (Stated& stated : textures_) {
      stated.name = one_line(text.bytes(stated.texture.name_bytes));
      stated.data = data.bytes(stated.texture.data_bytes);
    }
  }

  void add_material(const SceneMaterial& stated) {
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
    to.alpha_map = stated.alpha_is_channel == 1 ? alpha_of(to.alpha_map) : map_of(to.alpha_map);
    to.overlay_map = no_map;
    to.reserved = 0;
    mesh_.add_material(to);
  }

  std::uint32_t map_of(std::uint32_t texture) {
    if (texture == no_map) return no_map;
    if (const auto known = maps_.find(texture); known != maps_.end()) return known->second;
    Texture made = read(texture);
    return maps_[texture] = mesh_.add_texture(made.width, made.height, std::move(made.texels));
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

  [[nodiscard]] Texture read(std::uint32_t index) const {
    if (index >= textures_.size()) refuse("a material has the texture " + std::to_string(index));
    const Stated& stated = textures_[index];
    try {
      return read(stated);
    } catch (const DecodeFailure& failure) {
      throw UsageError("its texture '" + stated.name + "': " + failure.cause);
    } catch (const EnvironmentError& failure) {
      throw UsageError("its texture '" + stated.name + "': " + failure.what() +
                       "; put it beside the model, or remove it from the material");
    }
  }

  [[nodiscard]] Texture read(const Stated& stated) const {
    const SceneTexture& texture = stated.texture;
    switch (texture.content) {
      case TextureContent::named:
        return from_picture(load_picture(texture_path(stated.name, path_, options_.allow_outside), options_).pixels);
      case TextureContent::encoded: {
        HostArray pixels = decode_picture(stated.data).pixels;
        if (pixels.shape().element != Element::u8) pixels = convert_picture(pixels.view(), Element::u8);
        return from_picture(pixels);
      }
      case TextureContent::texels:
        return from_texels(texture, Taker(stated.data));
    }
    refuse("the texture '" + stated.name + "' has a content that is unknown");
  }

  static Texture from_texels(const SceneTexture& stated, Taker data) {
    check_header(stated.width, stated.height, sizeof(std::uint32_t));
    const std::size_t row = stated.width, rows = stated.height;
    if (stated.data_bytes / sizeof(std::uint32_t) != row * rows) refuse("a texture has another number of texels");
    Texture texture{stated.width, stated.height, std::vector<std::uint32_t>(row * rows)};
    for (std::size_t y = rows; y-- > 0;)
      std::memcpy(&texture.texels[y * row], data.bytes(row * sizeof(std::uint32_t)).data(),
                  row * sizeof(std::uint32_t));
    return texture;
  }

  fs::path path_;
  LoadOptions options_;
  MeshBuilder mesh_;
  std::vector<Stated> textures_;
  std::map<std::uint32_t, std::uint32_t> maps_, alphas_;  ///< The maps of the mesh that textures of the scene became.
};

/// Throws UsageError if the scene and its mesh need more memory than is free. A vertex is counted as it comes and as it
/// is collected; so is a triangle, with its indices and its material, its area vector and that of length 1, and three
/// vertices with normals of their own.
void require_memory(const SceneHeader& header) {
  constexpr std::uint64_t vertex_bytes = 2 * sizeof(MeshVertex);
  constexpr std::uint64_t triangle_bytes = sizeof(SceneTriangle) + 16 + 24 + 3 * sizeof(MeshVertex);
  const std::uint64_t bytes =
      header.vertices * vertex_bytes + header.triangles * triangle_bytes + header.text_bytes + header.data_bytes;
  if (const auto free = free_host_bytes_below(bytes))
    throw UsageError("mesh: its " + std::to_string(header.vertices) + " vertices and " +
                     std::to_string(header.triangles) + " triangles, counted at every place in its scene, need " +
                     std::to_string(bytes) + " bytes, " + std::to_string(*free) + " are free");
}

}  // namespace

std::uint64_t scene_bytes(const SceneHeader& header, const MeshLimits& limits) {
  if (header.magic != scene_magic) refuse("it does not begin as a scene of this version");
  if (header.content == SceneContent::message) {
    if (header.text_bytes > scene_message_bytes)
      refuse("its message has " + std::to_string(header.text_bytes) + " bytes");
    return header.text_bytes;
  }
  if (header.content != SceneContent::scene) refuse("its content is unknown");
  if (header.triangles == 0) throw UsageError("mesh: it has no triangles");
  (void)lay_out_mesh({.vertices = header.vertices,
                      .triangles = header.triangles,
                      .materials = header.materials,
                      .textures = header.textures},
                     limits);
  if (header.text_bytes > scene_name_bytes) refuse("its names have " + std::to_string(header.text_bytes) + " bytes");
  if (header.data_bytes > limits.file_bytes)
    throw UsageError("mesh: its embedded textures have " + std::to_string(header.data_bytes) +
                     " bytes, the limit for models is " + std::to_string(limits.file_bytes));
  require_memory(header);
  return header.vertices * sizeof(MeshVertex) + header.triangles * sizeof(SceneTriangle) +
         header.materials * sizeof(SceneMaterial) + header.textures * sizeof(SceneTexture) + header.text_bytes +
         header.data_bytes;
}

Loaded mesh_of_scene(std::span<const std::byte> bytes, const fs::path& path, const LoadOptions& options,
                     const MeshLimits& limits) {
  Taker from(bytes);
  const auto header = from.take<SceneHeader>();
  (void)scene_bytes(header, limits);
  if (header.content == SceneContent::message) throw UsageError(one_line(from.bytes(header.text_bytes)));
  Loaded loaded{.pixels = SceneMesh(path, options, limits).build(header, from)};
  if ((header.flags & scene_is_unconfined) != 0)
    loaded.note = "'" + path.string() +
                  "' was read without a sandbox, because this system has neither Landlock nor seccomp: open models of "
                  "people that you trust only";
  return loaded;
}

}  // namespace threadscape::io

#include "compute/model_reader/scene_writer.h"

#include <assimp/GltfMaterial.h>
#include <assimp/material.h>
#include <assimp/scene.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <system_error>
#include <utility>
#include <vector>

#include "compute/io/meshes/model_scene.h"

namespace threadscape::model_reader {

namespace {

using io::SceneHeader;
using io::SceneMaterial;
using io::SceneTexture;
using io::SceneTriangle;
using io::TextureContent;

/// Collects small pieces, and writes them together to standard output.
class Output {
 public:
  template <class T>
  void item(const T& value) {
    bytes(&value, sizeof(T));
  }
  void bytes(const void* from, std::size_t count) {
    const auto* const begin = static_cast<const std::byte*>(from);
    waiting_.insert(waiting_.end(), begin, begin + count);
    if (waiting_.size() >= most_waiting) flush();
  }
  void flush() {
    for (std::size_t done = 0; done < waiting_.size();) {
      const ssize_t written = write(STDOUT_FILENO, waiting_.data() + done, waiting_.size() - done);
      if (written < 0 && errno != EINTR) throw std::system_error(errno, std::generic_category(), "write");
      if (written > 0) done += static_cast<std::size_t>(written);
    }
    waiting_.clear();
  }

 private:
  static constexpr std::size_t most_waiting = std::size_t{1} << 18;
  std::vector<std::byte> waiting_;
};

Float3 point(const aiVector3D& v) {
  return {v.x, v.y, v.z};
}

float within(float value, float low, float high) {
  return std::isfinite(value) ? std::clamp(value, low, high) : low;
}

std::uint32_t byte_of(float value) {
  return static_cast<std::uint32_t>(within(value, 0.0f, 1.0f) * 255.0f + 0.5f);
}

std::uint32_t colour_word(const aiColor4D& c) {
  return byte_of(c.r) | (byte_of(c.g) << 8) | (byte_of(c.b) << 16) | (byte_of(c.a) << 24);
}

std::optional<Float3> colour(const aiMaterial& from, const char* key, unsigned int type, unsigned int index) {
  aiColor4D c;
  if (from.Get(key, type, index, c) != aiReturn_SUCCESS) return std::nullopt;
  return Float3{within(c.r, 0.0f, 1000.0f), within(c.g, 0.0f, 1000.0f), within(c.b, 0.0f, 1000.0f)};
}

/// The highlight of a material of glTF, whose roughness r and metalness describe a microfacet distribution: Phong's
/// exponent 2 / r^4 - 2 gives a highlight of the same width (B. Karis, "Specular BRDF Reference", 2013).
void make_glossy(MeshMaterial& to, const aiMaterial& from, float roughness) {
  const float r = within(roughness, 0.05f, 1.0f);
  to.shininess = within(2.0f / (r * r * r * r) - 2.0f, 1.0f, 1000.0f);
  float metalness = 0.0f;
  (void)from.Get(AI_MATKEY_METALLIC_FACTOR, metalness);
  const float metal = within(metalness, 0.0f, 1.0f), gloss = 1.0f - r;
  const auto mixed = [&](float base) { return gloss * (0.2f + (base - 0.2f) * metal); };
  to.specular = {mixed(to.diffuse.x), mixed(to.diffuse.y), mixed(to.diffuse.z)};
}

class SceneWriter {
 public:
  SceneWriter(const aiScene& scene, std::uint32_t flags) : scene_(scene), header_{.flags = flags} {}

  void write() {
    count(*scene_.mRootNode);
    for (unsigned int i = 0; i < scene_.mNumMaterials; ++i)
      add_material(*scene_.mMaterials[i]);
    header_.materials = materials_.size();
    header_.textures = textures_.size();
    out_.item(header_);
    // The parent has judged the header before it reads on, so that a scene that it refuses is not written further.
    out_.flush();
    write_vertices(*scene_.mRootNode, aiMatrix4x4());
    write_triangles(*scene_.mRootNode, aiMatrix4x4());
    for (const SceneMaterial& material : materials_)
      out_.item(material);
    for (const Stated& stated : textures_)
      out_.item(stated.texture);
    for (const Stated& stated : textures_)
      out_.bytes(stated.name.data(), stated.name.size());
    for (const Stated& stated : textures_)
      write_data(stated);
    out_.flush();
  }

 private:
  struct Stated {
    SceneTexture texture;
    std::string name;
    const aiTexture* embedded;
  };

  static bool has_triangles(const aiMesh& part) { return (part.mPrimitiveTypes & aiPrimitiveType_TRIANGLE) != 0; }

  /// Counts what all nodes have together: a part that many nodes place is written for each of them.
  void count(const aiNode& node) {
    for (unsigned int i = 0; i < node.mNumMeshes; ++i) {
      const aiMesh& part = *scene_.mMeshes[node.mMeshes[i]];
      if (!has_triangles(part)) continue;
      header_.vertices += part.mNumVertices;
      header_.triangles += static_cast<std::uint64_t>(
          std::count_if(part.mFaces, part.mFaces + part.mNumFaces, [](const aiFace& f) { return f.mNumIndices == 3; }));
      if (part.HasTextureCoords(0)) header_.flags |= io::scene_has_texcoords;
      if (part.HasVertexColors(0)) header_.flags |= io::scene_has_colours;
    }
    for (unsigned int i = 0; i < node.mNumChildren; ++i)
      count(*node.mChildren[i]);
  }

  void write_vertices(const aiNode& node, const aiMatrix4x4& parent) {
    const aiMatrix4x4 here = parent * node.mTransformation;
    for (unsigned int i = 0; i < node.mNumMeshes; ++i)
      if (const aiMesh& part = *scene_.mMeshes[node.mMeshes[i]]; has_triangles(part)) write_vertices(part, here);
    for (unsigned int i = 0; i < node.mNumChildren; ++i)
      write_vertices(*node.mChildren[i], here);
  }

  void write_vertices(const aiMesh& part, const aiMatrix4x4& place) {
    aiMatrix3x3 for_normals(place);
    for_normals.Inverse().Transpose();
    for (unsigned int i = 0; i < part.mNumVertices; ++i) {
      MeshVertex vertex{.position = point(place * part.mVertices[i])};
      if (part.HasNormals()) vertex.normal = point(for_normals * part.mNormals[i]);
      if (part.HasTextureCoords(0)) vertex.texcoord = {part.mTextureCoords[0][i].x, part.mTextureCoords[0][i].y};
      if (part.HasVertexColors(0)) vertex.colour = colour_word(part.mColors[0][i]);
      out_.item(vertex);
    }
  }

  void write_triangles(const aiNode& node, const aiMatrix4x4& parent) {
    const aiMatrix4x4 here = parent * node.mTransformation;
    const bool mirrored = aiMatrix3x3(here).Determinant() < 0.0f;
    for (unsigned int i = 0; i < node.mNumMeshes; ++i)
      if (const aiMesh& part = *scene_.mMeshes[node.mMeshes[i]]; has_triangles(part)) write_triangles(part, mirrored);
    for (unsigned int i = 0; i < node.mNumChildren; ++i)
      write_triangles(*node.mChildren[i], here);
  }

  void write_triangles(const aiMesh& part, bool mirrored) {
    for (unsigned int i = 0; i < part.mNumFaces; ++i) {
      const aiFace& face = part.mFaces[i];
      if (face.mNumIndices != 3) continue;
      const unsigned int* const v = face.mIndices;
      out_.item(SceneTriangle{{first_ + v[0], first_ + (mirrored ? v[2] : v[1]), first_ + (mirrored ? v[1] : v[2])},
                              part.mMaterialIndex});
    }
    first_ += part.mNumVertices;
  }

  void add_material(const aiMaterial& from) {
    SceneMaterial made;
    MeshMaterial& to = made.values;
    to.diffuse = colour(from, AI_MATKEY_BASE_COLOR)
                     .value_or(colour(from, AI_MATKEY_COLOR_DIFFUSE).value_or(Float3{0.8f, 0.8f, 0.8f}));
    to.specular = colour(from, AI_MATKEY_COLOR_SPECULAR).value_or(Float3{});
    to.emission = colour(from, AI_MATKEY_COLOR_EMISSIVE).value_or(Float3{});
    // Most files state no ambient colour, or black, which would leave everything that faces away from the light black.
    const Float3 quarter{0.25f * to.diffuse.x, 0.25f * to.diffuse.y, 0.25f * to.diffuse.z};
    to.ambient = colour(from, AI_MATKEY_COLOR_AMBIENT).value_or(quarter);
    if (to.ambient == Float3{} && to.emission == Float3{}) to.ambient = quarter;
    float number = 0.0f;
    if (from.Get(AI_MATKEY_SHININESS, number) == aiReturn_SUCCESS) to.shininess = within(number, 0.0f, 1000.0f);
    if (from.Get(AI_MATKEY_OPACITY, number) == aiReturn_SUCCESS) to.opacity = within(number, 0.0f, 1.0f);
    if (from.Get(AI_MATKEY_ROUGHNESS_FACTOR, number) == aiReturn_SUCCESS) make_glossy(to, from, number);
    to.colour_map = map_of(from, aiTextureType_BASE_COLOR);
    if (to.colour_map == no_map) to.colour_map = map_of(from, aiTextureType_DIFFUSE);
    to.normal_map = map_of(from, aiTextureType_NORMALS);
    to.specular_map = map_of(from, aiTextureType_SPECULAR);
    to.alpha_map = map_of(from, aiTextureType_OPACITY);
    if (aiString mode; from.Get(AI_MATKEY_GLTF_ALPHAMODE, mode) == aiReturn_SUCCESS &&
                       std::string(mode.C_Str()) != "OPAQUE" && to.alpha_map == no_map) {
      to.alpha_map = map_of(from, aiTextureType_BASE_COLOR);
      made.alpha_is_channel = 1;
    }
    materials_.push_back(made);
  }

  std::uint32_t map_of(const aiMaterial& from, aiTextureType type) {
    aiString stated;
    if (from.GetTextureCount(type) == 0 || from.GetTexture(type, 0, &stated) != aiReturn_SUCCESS) return no_map;
    const std::string name = stated.C_Str();
    if (name.empty()) return no_map;
    const auto [known, is_new] = indices_.try_emplace(name, static_cast<std::uint32_t>(textures_.size()));
    if (is_new) add_texture(name);
    return known->second;
  }

  void add_texture(const std::string& name) {
    SceneTexture texture{.name_bytes = static_cast<std::uint32_t>(name.size())};
    const aiTexture* const embedded = scene_.GetEmbeddedTexture(name.c_str());
    if (embedded != nullptr && embedded->mHeight == 0) {
      texture.content = TextureContent::encoded;
      texture.data_bytes = embedded->mWidth;
    } else if (embedded != nullptr) {
      texture.content = TextureContent::texels;
      texture.width = embedded->mWidth;
      texture.height = embedded->mHeight;
      texture.data_bytes = sizeof(std::uint32_t) * std::uint64_t{embedded->mWidth} * embedded->mHeight;
    }
    header_.text_bytes += texture.name_bytes;
    header_.data_bytes += texture.data_bytes;
    textures_.push_back({texture, name, embedded});
  }

  void write_data(const Stated& stated) {
    if (stated.texture.content == TextureContent::encoded)
      out_.bytes(stated.embedded->pcData, static_cast<std::size_t>(stated.texture.data_bytes));
    if (stated.texture.content != TextureContent::texels) return;
    for (std::uint64_t i = 0; i < stated.texture.data_bytes / sizeof(std::uint32_t); ++i) {
      const aiTexel& t = stated.embedded->pcData[i];
      out_.item(t.r | (std::uint32_t{t.g} << 8) | (std::uint32_t{t.b} << 16) | (std::uint32_t{t.a} << 24));
    }
  }

  const aiScene& scene_;
  SceneHeader header_;
  std::vector<SceneMaterial> materials_;
  std::vector<Stated> textures_;
  std::map<std::string, std::uint32_t> indices_;  ///< The textures by their names.
  std::uint32_t first_ = 0;                       ///< The number of vertices of all parts before the present one.
  Output out_;
};

}  // namespace

void write_scene(const aiScene& scene, std::uint32_t flags) {
  SceneWriter(scene, flags).write();
}

void write_message(std::string text) {
  text.resize(std::min<std::size_t>(text.size(), io::scene_message_bytes));
  Output out;
  out.item(SceneHeader{.content = io::SceneContent::message, .text_bytes = text.size()});
  out.bytes(text.data(), text.size());
  out.flush();
}

}  // namespace threadscape::model_reader

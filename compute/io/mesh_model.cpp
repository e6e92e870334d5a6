// Reads models by Assimp. Only the importers of the formats that mesh_file.h names are used, and only the steps that do
// not multiply what is in the file.

#include <assimp/GltfMaterial.h>
#include <assimp/importerdesc.h>
#include <assimp/material.h>
#include <assimp/postprocess.h>
#include <assimp/scene.h>

#include <assimp/BaseImporter.h>
#include <assimp/DefaultIOSystem.h>
#include <algorithm>
#include <assimp/Importer.hpp>
#include <cmath>
#include <map>
#include <memory>
#include <optional>
#include <sstream>
#include <stdexcept>
#include <string>
#include <utility>

#include "compute/core/machine.h"
#include "compute/io/convert.h"
#include "compute/io/image_format.h"
#include "compute/io/input_file.h"
#include "compute/io/mesh_file.h"
#include "compute/io/outside.h"

namespace Assimp {

/// Takes the place of Assimp's function, which ends the program. Assimp's builds with assertions, Debian's among them,
/// call it for damaged files. The exception ends the import, and its text becomes that of Importer::GetErrorString().
[[noreturn]] __attribute__((visibility("default"))) void aiAssertViolation(const char* expression, const char* file,
                                                                           int line);
void aiAssertViolation(const char* expression, const char* file, int line) {
  const std::string name = std::filesystem::path(file).filename().string();
  throw std::runtime_error("the model is damaged, since Assimp expected " + std::string(expression) + " (" + name +
                           ":" + std::to_string(line) + ")");
}

}  // namespace Assimp

namespace threadscape::io {

namespace fs = std::filesystem;

namespace {

/// Removes the importers of all other formats, because Assimp chooses an importer by the content where the extension
/// is of no help.
void keep_importers(Assimp::Importer& importer) {
  std::vector<Assimp::BaseImporter*> others;
  for (std::size_t i = 0; i < importer.GetImporterCount(); ++i) {
    // The extensions of an importer are words, for example "gltf glb".
    const std::string words = " " + std::string(importer.GetImporterInfo(i)->mFileExtensions) + " ";
    const auto reads = [&](const char* extension) {
      return words.find(std::string(" ") + extension + " ") != std::string::npos;
    };
    if (!reads("obj") && !reads("ply") && !reads("stl") && !reads("gltf")) others.push_back(importer.GetImporter(i));
  }
  for (Assimp::BaseImporter* other : others) {
    importer.UnregisterLoader(other);
    const std::unique_ptr<Assimp::BaseImporter> freed(other);  // The library no longer owns it.
  }
}

/// Opens for Assimp the model itself and, of the files that the model names, regular files in its folder and below;
/// with `allow_outside`, regular files everywhere. Assimp opens by fopen(), which waits without end for the writer of a
/// pipe.
class ModelFiles final : public Assimp::DefaultIOSystem {
 public:
  /// The first file that is refused sets `refusal`, which outlives the object, to the end of a message. The importers
  /// of some formats continue without a file that is refused.
  ModelFiles(fs::path model, bool allow_outside, std::string& refusal)
      : model_(std::move(model)), allow_outside_(allow_outside), refusal_(refusal) {}

  bool Exists(const char* file) const override { return !refuses(file) && DefaultIOSystem::Exists(file); }
  Assimp::IOStream* Open(const char* file, const char* mode) override {
    return refuses(file) ? nullptr : DefaultIOSystem::Open(file, mode);
  }

 private:
  [[nodiscard]] bool refuses(const fs::path& file) const {
    std::error_code error;
    const fs::file_status status = fs::status(file, error);
    // The caller has chosen the model, which may be a symbolic link to a file of another folder.
    if (!fs::exists(status) || fs::equivalent(file, model_, error)) return false;
    std::string why;
    if (!fs::is_regular_file(status))
      why = "which is no regular file";
    else if (!allow_outside_ && !is_inside(folder_of(model_), file))
      why = "which is outside of its folder: start the program with --allow-outside if this file may be read";
    if (!why.empty() && refusal_.empty()) refusal_ = "it names '" + file.string() + "', " + why;
    return !why.empty();
  }

  fs::path model_;
  bool allow_outside_;
  std::string& refusal_;
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

/// A texture of the file in rows from v = 0 upwards.
struct Texture {
  std::uint32_t width = 0, height = 0;
  std::vector<std::uint32_t> texels;
};

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
        const Rgba8 p = pixels.image<Rgba8>()(x, y);
        texture.texels.push_back(p.r | (std::uint32_t{p.g} << 8) | (std::uint32_t{p.b} << 16) |
                                 (std::uint32_t{p.a} << 24));
      }
    }
  return texture;
}

/// Turns the scene of a file into a mesh.
class Model {
 public:
  Model(const aiScene& scene, fs::path path, const LoadOptions& options, const MeshLimits& limits)
      : scene_(scene), path_(std::move(path)), options_(options), limits_(limits), mesh_(limits) {
    options_.element = Element::u8;
  }

  HostArray build() {
    count(*scene_.mRootNode);
    if (triangles_ == 0) throw UsageError("mesh: it has no triangles");
    // Refused before anything is copied.
    (void)lay_out_mesh({.vertices = vertices_, .triangles = triangles_, .materials = scene_.mNumMaterials}, limits_);
    require_memory();
    for (unsigned int i = 0; i < scene_.mNumMaterials; ++i)
      add_material(*scene_.mMaterials[i]);
    add(*scene_.mRootNode, aiMatrix4x4());
    return mesh_.build(options_.normals, options_.stop);
  }

 private:
  static bool has_triangles(const aiMesh& part) { return (part.mPrimitiveTypes & aiPrimitiveType_TRIANGLE) != 0; }

  /// Counts what all nodes have together: a part that many nodes place takes memory for each of them.
  void count(const aiNode& node) {
    for (unsigned int i = 0; i < node.mNumMeshes; ++i) {
      const aiMesh& part = *scene_.mMeshes[node.mMeshes[i]];
      if (!has_triangles(part)) continue;
      vertices_ += part.mNumVertices;
      triangles_ += part.mNumFaces;
    }
    for (unsigned int i = 0; i < node.mNumChildren; ++i)
      count(*node.mChildren[i]);
  }

  /// Throws UsageError if the mesh needs more memory than is free. A vertex is counted as it is read; a triangle with
  /// its indices and its material, its area vector and that of length 1, and three vertices with normals of their own.
  void require_memory() const {
    constexpr std::uint64_t triangle_bytes = 16 + 24 + 3 * sizeof(MeshVertex);
    const std::uint64_t bytes = vertices_ * sizeof(MeshVertex) + triangles_ * triangle_bytes;
    if (const std::size_t free = free_host_bytes(); bytes > free)
      throw UsageError("mesh: its " + std::to_string(vertices_) + " vertices and " + std::to_string(triangles_) +
                       " triangles, counted at every place in its scene, need " + std::to_string(bytes) + " bytes, " +
                       std::to_string(free) + " are free");
  }

  void add(const aiNode& node, const aiMatrix4x4& parent) {
    const aiMatrix4x4 here = parent * node.mTransformation;
    for (unsigned int i = 0; i < node.mNumMeshes; ++i)
      add_part(*scene_.mMeshes[node.mMeshes[i]], here);
    for (unsigned int i = 0; i < node.mNumChildren; ++i)
      add(*node.mChildren[i], here);
  }

  void add_part(const aiMesh& part, const aiMatrix4x4& place) {
    if (!has_triangles(part)) return;
    const auto first = static_cast<std::uint32_t>(mesh_.vertices());
    aiMatrix3x3 for_normals(place);
    const bool mirrored = for_normals.Determinant() < 0.0f;
    for_normals.Inverse().Transpose();
    if (part.HasTextureCoords(0)) mesh_.use_texcoords();
    if (part.HasVertexColors(0)) mesh_.use_colours();
    for (unsigned int i = 0; i < part.mNumVertices; ++i) {
      MeshVertex vertex{.position = point(place * part.mVertices[i])};
      if (part.HasNormals()) vertex.normal = normalised(point(for_normals * part.mNormals[i]));
      if (part.HasTextureCoords(0)) vertex.texcoord = {part.mTextureCoords[0][i].x, part.mTextureCoords[0][i].y};
      if (part.HasVertexColors(0)) vertex.colour = colour_word(part.mColors[0][i]);
      mesh_.add_vertex(vertex);
    }
    for (unsigned int i = 0; i < part.mNumFaces; ++i) {
      const aiFace& face = part.mFaces[i];
      if (face.mNumIndices != 3) continue;
      const unsigned int* const v = face.mIndices;
      mesh_.add_triangle(first + v[0], first + (mirrored ? v[2] : v[1]), first + (mirrored ? v[1] : v[2]),
                         part.mMaterialIndex);
    }
  }

  static std::optional<Float3> colour(const aiMaterial& from, const char* key, unsigned int type, unsigned int index) {
    aiColor4D c;
    if (from.Get(key, type, index, c) != aiReturn_SUCCESS) return std::nullopt;
    return Float3{within(c.r, 0.0f, 1000.0f), within(c.g, 0.0f, 1000.0f), within(c.b, 0.0f, 1000.0f)};
  }

  void add_material(const aiMaterial& from) {
    MeshMaterial to;
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
                       std::string(mode.C_Str()) != "OPAQUE" && to.alpha_map == no_map)
      to.alpha_map = alpha_of(from, aiTextureType_BASE_COLOR);
    mesh_.add_material(to);
  }

  /// The highlight of a material of glTF, whose roughness r and metalness describe a microfacet distribution: Phong's
  /// exponent 2 / r^4 - 2 gives a highlight of the same width (B. Karis, "Specular BRDF Reference", 2013).
  static void make_glossy(MeshMaterial& to, const aiMaterial& from, float roughness) {
    const float r = within(roughness, 0.05f, 1.0f);
    to.shininess = within(2.0f / (r * r * r * r) - 2.0f, 1.0f, 1000.0f);
    float metalness = 0.0f;
    (void)from.Get(AI_MATKEY_METALLIC_FACTOR, metalness);
    const float metal = within(metalness, 0.0f, 1.0f), gloss = 1.0f - r;
    const auto mixed = [&](float base) { return gloss * (0.2f + (base - 0.2f) * metal); };
    to.specular = {mixed(to.diffuse.x), mixed(to.diffuse.y), mixed(to.diffuse.z)};
  }

  static std::string texture_name(const aiMaterial& from, aiTextureType type) {
    aiString name;
    if (from.GetTextureCount(type) == 0 || from.GetTexture(type, 0, &name) != aiReturn_SUCCESS) return "";
    return name.C_Str();
  }

  std::uint32_t map_of(const aiMaterial& from, aiTextureType type) {
    const std::string name = texture_name(from, type);
    if (name.empty()) return no_map;
    if (const auto known = maps_.find(name); known != maps_.end()) return known->second;
    Texture texture = read(name);
    return maps_[name] = mesh_.add_texture(texture.width, texture.height, std::move(texture.texels));
  }

  /// The alpha channel of a texture as a map; none if it is opaque everywhere.
  std::uint32_t alpha_of(const aiMaterial& from, aiTextureType type) {
    const std::string name = texture_name(from, type), key = name + " alpha";
    if (name.empty()) return no_map;
    if (const auto known = maps_.find(key); known != maps_.end()) return known->second;
    Texture texture = read(name);
    const bool opaque = std::ranges::all_of(texture.texels, [](std::uint32_t texel) { return texel >> 24 == 255; });
    if (opaque) return maps_[key] = no_map;
    for (std::uint32_t& texel : texture.texels)
      texel = (texel >> 24) * 0x010101u | 0xff000000u;
    return maps_[key] = mesh_.add_texture(texture.width, texture.height, std::move(texture.texels));
  }

  Texture read(const std::string& name) const try {
    const aiTexture* const embedded = scene_.GetEmbeddedTexture(name.c_str());
    if (embedded == nullptr) return from_picture(load_picture(texture_path(name), options_).pixels);
    if (embedded->mHeight == 0) {
      const Bytes file(reinterpret_cast<const std::byte*>(embedded->pcData), embedded->mWidth);
      HostArray pixels = decode_picture(file).pixels;
      if (pixels.shape().element != Element::u8) pixels = convert(pixels.view(), Element::u8);
      return from_picture(pixels);
    }
    check_header(embedded->mWidth, embedded->mHeight, sizeof(std::uint32_t));
    Texture texture{embedded->mWidth, embedded->mHeight, {}};
    for (unsigned int y = texture.height; y-- > 0;)
      for (unsigned int x = 0; x < texture.width; ++x) {
        const aiTexel t = embedded->pcData[std::size_t{y} * texture.width + x];
        texture.texels.push_back(t.r | (std::uint32_t{t.g} << 8) | (std::uint32_t{t.b} << 16) |
                                 (std::uint32_t{t.a} << 24));
      }
    return texture;
  } catch (const DecodeFailure& failure) {
    throw UsageError("its texture '" + name + "': " + failure.cause);
  } catch (const EnvironmentError& failure) {
    throw UsageError("its texture '" + name + "': " + failure.what() +
                     "; put it beside the model, or remove it from the material");
  }

  /// Where a texture is: at the path that the file states, or else in the folder of the model. Throws UsageError if it
  /// is only where the options do not allow it to be read; a missing texture is at the stated path.
  [[nodiscard]] fs::path texture_path(std::string name) const {
    std::ranges::replace(name, '\\', '/');
    const fs::path folder = folder_of(path_);
    fs::path stated = folder / name, refused;
    const fs::path beside = folder / stated.filename();
    for (const fs::path& file : {stated, beside}) {
      std::error_code error;
      if (!fs::exists(file, error)) continue;
      if (options_.allow_outside || is_inside(folder, file)) return file;
      if (refused.empty()) refused = file;
    }
    if (refused.empty()) return stated;
    throw UsageError(
        "its texture '" + refused.string() +
        "' is outside of the model's folder: put it beside the model, or start the program with --allow-outside "
        "if this file may be read");
  }

  const aiScene& scene_;
  fs::path path_;
  LoadOptions options_;
  MeshLimits limits_;
  MeshBuilder mesh_;
  std::uint64_t vertices_ = 0, triangles_ = 0;
  std::map<std::string, std::uint32_t> maps_;
};

/// Refuses a PLY file whose header counts more elements than the file has bytes, because Assimp takes memory for what
/// the header says, or whose header does not end. Throws UsageError.
void check_ply_header(const fs::path& path, const std::stop_token& stop) {
  constexpr std::int64_t longest_header = 64 * 1024;
  InputFile file(path, stop);
  std::vector<std::byte> beginning;
  file.read_on(beginning, longest_header);
  std::istringstream words(std::string(reinterpret_cast<const char*>(beginning.data()), beginning.size()));
  std::string word;
  if (!(words >> word) || word != "ply") return;
  std::int64_t elements = 0;
  while (words >> word && word != "end_header") {
    if (word != "element") continue;
    std::string name;
    std::uint64_t count = 0;
    // An element takes a byte at least.
    if (words >> name >> count && count > static_cast<std::uint64_t>(file.size() - elements))
      throw UsageError("its header counts " + std::to_string(count) + " elements '" + name + "', it has " +
                       std::to_string(file.size()) + " bytes");
    elements += static_cast<std::int64_t>(count);
  }
  // Assimp searches without end for the next line of a header that is cut off.
  if (words.view().find("end_header") == std::string_view::npos)
    throw UsageError("its header does not end with end_header within " + std::to_string(longest_header) +
                     " bytes: the file is cut off");
}

}  // namespace

bool reads_models() {
  return true;
}

HostArray load_model(const fs::path& path, const LoadOptions& options, const MeshLimits& limits) {
  check_ply_header(path, options.stop);
  std::string refusal;
  Assimp::Importer importer;
  // The importer owns the object that opens files, and deletes it.
  importer.SetIOHandler(new ModelFiles(path, options.allow_outside, refusal));
  keep_importers(importer);
  importer.SetPropertyInteger(AI_CONFIG_PP_RVC_FLAGS, aiComponent_ANIMATIONS | aiComponent_BONEWEIGHTS |
                                                          aiComponent_CAMERAS | aiComponent_LIGHTS |
                                                          aiComponent_TANGENTS_AND_BITANGENTS);
  importer.SetPropertyInteger(AI_CONFIG_PP_SBP_REMOVE, aiPrimitiveType_POINT | aiPrimitiveType_LINE);
  const aiScene* const scene =
      importer.ReadFile(path.string(), aiProcess_RemoveComponent | aiProcess_Triangulate | aiProcess_SortByPType |
                                           aiProcess_JoinIdenticalVertices | aiProcess_ValidateDataStructure);
  if (!refusal.empty()) throw UsageError(refusal);
  if (scene == nullptr || scene->mRootNode == nullptr)
    throw EnvironmentError("cannot read '" + path.string() + "': " + importer.GetErrorString());
  return Model(*scene, path, options, limits).build();
}

}  // namespace threadscape::io

// glTF 2.0 (Khronos Group): all nodes of the scene at their places, without animations.

#include <algorithm>
#include <array>
#include <cmath>
#include <nlohmann/json.hpp>
#include <string>
#include <utility>

#include "compute/core/json_limits.h"
#include "compute/core/path_text.h"
#include "compute/io/base64.h"
#include "compute/io/meshes/affine.h"
#include "compute/io/meshes/gltf_numbers.h"
#include "compute/io/meshes/model.h"
#include "compute/io/words.h"

namespace threadscape::io {

namespace {

using Json = nlohmann::json;

constexpr std::size_t most_nodes = 1'000'000;

/// Extensions that files may require. Those of materials change colours alone.
bool is_read(const std::string& extension) {
  constexpr std::array<std::string_view, 4> others{"KHR_lights_punctual", "KHR_mesh_quantization",
                                                   "KHR_texture_transform", "EXT_texture_webp"};
  return extension.starts_with("KHR_materials_") || std::ranges::count(others, extension) > 0;
}

/// An index or a count in glTF: a number that is no fraction and not below 0. Throws UsageError for other values.
std::size_t count_of(const Json& value) {
  if (!value.is_number_unsigned()) throw UsageError("its text has " + readable_word(value.dump()) + " for a count");
  return value.get<std::size_t>();
}

/// A count that may be missing.
std::size_t count_of(const Json& object, const char* key, std::size_t missing) {
  const auto at = object.find(key);
  return at == object.end() ? missing : count_of(*at);
}

/// The item of a list at an index. Throws UsageError where the list has no such item.
const Json& item_at(const Json& gltf, const char* list, std::size_t index) {
  const auto items = gltf.find(list);
  if (items == gltf.end() || !items->is_array() || index >= items->size())
    throw UsageError("it has no item " + std::to_string(index) + " of '" + list + "'");
  return (*items)[index];
}

/// The item that `object[key]` is the index of; null if there is no such key.
const Json* item_of(const Json& gltf, const char* list, const Json& object, const char* key) {
  const auto at = object.find(key);
  return at == object.end() ? nullptr : &item_at(gltf, list, count_of(*at));
}

/// The binary data: buffers, and the accessors that read numbers from them.
class GltfData {
 public:
  /// `binary` is the chunk of a .glb file behind its text; empty for other files.
  GltfData(const Json& gltf, Bytes binary, const ModelFiles& files);

  /// The bytes of a view of a buffer. Throws UsageError if they are not within it.
  [[nodiscard]] Bytes view(const Json& view);
  /// The bytes that a URI stands for, in the text or in a file; none where the file is missing.
  [[nodiscard]] std::optional<std::vector<std::byte>> uri(const std::string& text) const;
  /// Reads `parts` numbers for each item of an accessor, whose items may have more or fewer; the latter are filled up
  /// with `missing`. Normalised integers become -1..1. Throws UsageError if its items are not within its view.
  [[nodiscard]] std::vector<double> numbers(const Json& accessor, std::size_t parts, double missing = 0.0);

 private:
  [[nodiscard]] Bytes buffer(std::size_t index);

  const Json& gltf_;
  Bytes binary_;
  const ModelFiles& files_;
  std::vector<std::optional<std::vector<std::byte>>> buffers_;
};

GltfData::GltfData(const Json& gltf, Bytes binary, const ModelFiles& files)
    : gltf_(gltf), binary_(binary), files_(files) {}

std::optional<std::vector<std::byte>> GltfData::uri(const std::string& text) const {
  if (!text.starts_with("data:")) return files_.load(without_escapes(text));
  constexpr std::string_view code = ";base64,";
  const std::size_t comma = text.find(code);
  if (comma == std::string::npos) throw UsageError("it has data that are not in base64");
  const auto bytes = from_base64(std::string_view(text).substr(comma + code.size()));
  if (!bytes) throw UsageError("its base64 data have other characters");
  const auto* const begin = reinterpret_cast<const std::byte*>(bytes->data());
  return std::vector<std::byte>(begin, begin + bytes->size());
}

Bytes GltfData::buffer(std::size_t index) {
  const Json& buffer = item_at(gltf_, "buffers", index);
  const auto name = buffer.find("uri");
  if (name == buffer.end()) {
    if (index != 0 || binary_.empty()) throw UsageError("its buffer " + std::to_string(index) + " has no data");
    return binary_;
  }
  if (buffers_.size() <= index) buffers_.resize(index + 1);
  if (!buffers_[index]) {
    buffers_[index] = uri(name->get_ref<const std::string&>());
    if (!buffers_[index])
      throw UsageError("its data '" + name->get_ref<const std::string&>() +
                       "' are not there: put that file beside the model");
  }
  return *buffers_[index];
}

Bytes GltfData::view(const Json& view) {
  const Bytes all = buffer(count_of(view.at("buffer")));
  const std::size_t offset = count_of(view, "byteOffset", 0), length = count_of(view.at("byteLength"));
  if (offset > all.size() || length > all.size() - offset)
    throw UsageError("a view of a buffer has bytes beyond its end: the file is cut off or damaged");
  return all.subspan(offset, length);
}

std::vector<double> GltfData::numbers(const Json& accessor, std::size_t parts, double missing) {
  const std::size_t count = count_of(accessor.at("count")), type = count_of(accessor.at("componentType"));
  const std::size_t stored = parts_of(accessor.at("type").get_ref<const std::string&>()), bytes = component_bytes(type);
  const auto flag = accessor.find("normalized");
  const bool normalised = flag != accessor.end() && flag->is_boolean() && flag->get<bool>() && type != gltf_float;
  const std::size_t most = 3 * static_cast<std::size_t>(files_.limits.triangles);
  if (count > most)
    throw UsageError("an accessor has " + std::to_string(count) + " items, at most " + std::to_string(most));
  std::vector<double> values;
  const auto take = [&](Bytes data, std::size_t at, double* to) {
    for (std::size_t p = 0; p < std::min(parts, stored); ++p)
      to[p] = component(data, at + p * bytes, type, normalised);
  };
  if (const Json* const stated = item_of(gltf_, "bufferViews", accessor, "bufferView")) {
    const Bytes data = view(*stated);
    const std::size_t offset = count_of(accessor, "byteOffset", 0);
    const std::size_t stride = count_of(*stated, "byteStride", stored * bytes);
    require_items(data, offset, count, stride, stored * bytes);
    values.assign(count * parts, missing);
    for (std::size_t i = 0; i < count; ++i)
      take(data, offset + i * stride, &values[i * parts]);
  } else {
    // Without a view all numbers are 0, of which a short text can state many.
    if (!accessor.contains("sparse")) throw UsageError("an accessor has no data");
    values.assign(count * parts, 0.0);
  }
  if (const auto sparse = accessor.find("sparse"); sparse != accessor.end()) {
    const std::size_t changed = count_of(sparse->at("count"));
    const Json &at = sparse->at("indices"), &to = sparse->at("values");
    const Bytes indices = view(item_at(gltf_, "bufferViews", count_of(at.at("bufferView"))));
    const Bytes data = view(item_at(gltf_, "bufferViews", count_of(to.at("bufferView"))));
    const std::size_t index_type = count_of(at.at("componentType")), index_bytes = component_bytes(index_type);
    const std::size_t index_at = count_of(at, "byteOffset", 0), data_at = count_of(to, "byteOffset", 0);
    require_items(indices, index_at, changed, index_bytes, index_bytes);
    require_items(data, data_at, changed, stored * bytes, stored * bytes);
    for (std::size_t i = 0; i < changed; ++i) {
      const std::uint64_t item = little_endian_at(indices, index_at + i * index_bytes, index_bytes);
      if (item >= count) throw UsageError("a sparse accessor changes an item that it has not");
      take(data, data_at + i * stored * bytes, &values[static_cast<std::size_t>(item) * parts]);
    }
  }
  return values;
}

/// The numbers of a list of this length; `missing` where there is no such list.
template <std::size_t n>
std::array<double, n> list_of(const Json& object, const char* key, std::array<double, n> missing) {
  const auto at = object.find(key);
  return at == object.end() ? missing : at->get<std::array<double, n>>();
}

Float3 colour_at(const Json& object, const char* key, const Point& missing) {
  const Point c = list_of<3>(object, key, missing);
  return {static_cast<float>(c[0]), static_cast<float>(c[1]), static_cast<float>(c[2])};
}

float factor_of(const Json& object, const char* key, float missing) {
  return static_cast<float>(object.value(key, static_cast<double>(missing)));
}

const Json& member(const Json& object, const char* key) {
  static const Json nothing = Json::object();
  const auto at = object.find(key);
  return at == object.end() ? nothing : *at;
}

Matrix matrix_of(const Json& node) {
  if (node.contains("matrix")) {
    const auto m = node["matrix"].get<std::array<double, 16>>();  // Column after column.
    return {m[0], m[4], m[8], m[12], m[1], m[5], m[9], m[13], m[2], m[6], m[10], m[14]};
  }
  const Point t = list_of<3>(node, "translation", {0, 0, 0}), s = list_of<3>(node, "scale", {1, 1, 1});
  const auto [x, y, z, w] = list_of<4>(node, "rotation", {0, 0, 0, 1});
  return {s[0] * (1 - 2 * (y * y + z * z)), s[1] * 2 * (x * y - z * w),       s[2] * 2 * (x * z + y * w),       t[0],
          s[0] * 2 * (x * y + z * w),       s[1] * (1 - 2 * (x * x + z * z)), s[2] * 2 * (y * z - x * w),       t[1],
          s[0] * 2 * (x * z - y * w),       s[1] * 2 * (y * z + x * w),       s[2] * (1 - 2 * (x * x + y * y)), t[2]};
}

class GltfReader {
 public:
  GltfReader(const Json& gltf, Bytes binary, const ModelFiles& files)
      : gltf_(gltf), data_(gltf, binary, files), files_(files) {}

  Model read() {
    if (const std::string version = member(gltf_, "asset").value("version", ""); !version.starts_with("2"))
      throw UsageError("its version of glTF is '" + readable_word(version) + "': 2.0 is read");
    for (const Json& name : member(gltf_, "extensionsRequired"))
      if (!is_read(name.get<std::string>()))
        throw UsageError("it requires the extension '" + name.get<std::string>() + "' of glTF, which is not read");
    for (const char* left_out : {"animations", "skins", "cameras"})
      if (gltf_.contains(left_out)) model_.note(std::string("its ") + left_out + " are left out");
    for (const Json& name : member(gltf_, "extensionsUsed"))
      if (!is_read(name.get<std::string>()))
        model_.note("its extension '" + readable_word(name.get<std::string>()) + "' of glTF is left out");
    place_nodes();
    std::uint64_t vertices = 0, triangles = 0;
    for (const auto& [mesh, place] : places_)
      count(*mesh, vertices, triangles);
    require_model_memory(vertices, triangles, files_.limits);
    for (const Json& material : member(gltf_, "materials"))
      add_material(material);
    no_material_ = static_cast<std::uint32_t>(model_.materials.size());
    ModelMaterial& plain = model_.materials.emplace_back();
    plain.values.diffuse = {1.0f, 1.0f, 1.0f};
    for (const auto& [mesh, place] : places_)
      add_mesh(*mesh, place);
    return std::move(model_);
  }

 private:
  struct Node {
    Matrix place;
    std::vector<std::size_t> children;
    const Json* mesh;
  };

  [[nodiscard]] std::vector<std::size_t> nodes_in(const Json& object, const char* key, std::size_t nodes) const {
    std::vector<std::size_t> list;
    for (const Json& node : member(object, key)) {
      list.push_back(count_of(node));
      if (list.back() >= nodes) throw UsageError("it has no node " + std::to_string(list.back()));
    }
    return list;
  }

  /// Collects the places of the meshes of the scene. It does not call itself, because nodes may be deep.
  void place_nodes() {
    struct Open {
      std::size_t node, depth;
      Matrix place;
    };
    std::vector<Node> nodes;
    const Json& stated = member(gltf_, "nodes");
    for (const Json& node : stated)
      nodes.push_back({.place = matrix_of(node),
                       .children = nodes_in(node, "children", stated.size()),
                       .mesh = item_of(gltf_, "meshes", node, "mesh")});
    std::vector<Open> open;
    std::vector<std::size_t> above;  // The nodes that the present one is in.
    std::vector<char> is_above(nodes.size(), 0);
    std::size_t count = 0;
    const auto add = [&](const std::vector<std::size_t>& list, std::size_t depth, const Matrix& place) {
      if (list.size() > most_nodes - count)
        throw UsageError("its scene has more than " + std::to_string(most_nodes) +
                         " nodes, counted at each place that they have");
      count += list.size();
      for (auto child = list.rbegin(); child != list.rend(); ++child)
        open.push_back({*child, depth, place});
    };
    add(nodes_in(item_at(gltf_, "scenes", count_of(gltf_, "scene", 0)), "nodes", nodes.size()), 0, identity);
    while (!open.empty()) {
      const Open at = open.back();
      open.pop_back();
      for (; above.size() > at.depth; above.pop_back())
        is_above[above.back()] = 0;
      if (std::exchange(is_above[at.node], 1) != 0)
        throw UsageError("its node " + std::to_string(at.node) + " contains itself");
      above.push_back(at.node);
      const Node& node = nodes[at.node];
      const Matrix place = product(at.place, node.place);
      if (node.mesh != nullptr) places_.emplace_back(node.mesh, place);
      add(node.children, at.depth + 1, place);
    }
  }

  static bool has_triangles(const Json& primitive) {
    return count_of(primitive, "mode", 4) >= 4 && primitive.contains("attributes") &&
           primitive["attributes"].contains("POSITION");
  }

  /// Adds what a mesh will add to the model.
  void count(const Json& mesh, std::uint64_t& vertices, std::uint64_t& triangles) {
    for (const Json& primitive : mesh.at("primitives")) {
      if (!has_triangles(primitive)) {
        model_.note("its points and lines are left out");
        continue;
      }
      const std::uint64_t corners =
          count_of(item_of(gltf_, "accessors", primitive["attributes"], "POSITION")->at("count"));
      const Json* const indices = item_of(gltf_, "accessors", primitive, "indices");
      const std::uint64_t uses = indices == nullptr ? corners : count_of(indices->at("count"));
      vertices = std::min(vertices + corners, files_.limits.vertices + 1);
      triangles += count_of(primitive, "mode", 4) == 4 ? uses / 3 : uses > 2 ? uses - 2 : 0;
      triangles = std::min(triangles, files_.limits.triangles + 1);
    }
  }

  void add_mesh(const Json& mesh, const Matrix& place) {
    if (files_.options.stop.stop_requested()) throw Cancelled();
    for (const Json& primitive : mesh.at("primitives"))
      if (has_triangles(primitive)) add_primitive(primitive, place);
  }

  void add_primitive(const Json& primitive, const Matrix& place) {
    const Json& attributes = primitive["attributes"];
    if (primitive.contains("targets")) model_.note("its morph targets are left out");
    const std::uint32_t material = material_of(primitive);
    const TextureUse use = material < uses_.size() ? uses_[material] : TextureUse{};
    const auto numbers = [&](const char* name, std::size_t parts, double missing = 0.0) {
      const Json* const accessor = item_of(gltf_, "accessors", attributes, name);
      return accessor == nullptr ? std::vector<double>{} : data_.numbers(*accessor, parts, missing);
    };
    const std::string set = "TEXCOORD_" + std::to_string(use.set);
    const std::vector<double> points = numbers("POSITION", 3), normals = numbers("NORMAL", 3);
    const std::vector<double> uv = numbers(set.c_str(), 2), colours = numbers("COLOR_0", 4, 1.0);
    const std::size_t count = points.size() / 3;
    const auto fits = [&](const std::vector<double>& values, std::size_t parts) {
      if (!values.empty() && values.size() != parts * count)
        throw UsageError("a mesh has " + std::to_string(count) + " positions, and " +
                         std::to_string(values.size() / parts) + " items of another attribute");
      return !values.empty();
    };
    const bool has_normals = fits(normals, 3), has_uv = fits(uv, 2), has_colours = fits(colours, 4);
    model_.has_texcoords |= has_uv;
    model_.has_colours |= has_colours;
    const Matrix for_normals = cofactors(place);
    const double determinant = place[0] * for_normals[0] + place[1] * for_normals[1] + place[2] * for_normals[2];
    const bool mirrored = determinant < 0.0;
    const auto first = static_cast<std::uint32_t>(model_.vertices.size());
    for (std::size_t v = 0; v < count; ++v) {
      ModelVertex vertex{.position = moved(place, {points[3 * v], points[3 * v + 1], points[3 * v + 2]})};
      if (has_normals) {
        const Point n = moved(for_normals, {normals[3 * v], normals[3 * v + 1], normals[3 * v + 2]});
        const double length = (mirrored ? -1.0 : 1.0) * std::hypot(n[0], n[1], n[2]);
        if (length != 0.0)
          vertex.normal = {static_cast<float>(n[0] / length), static_cast<float>(n[1] / length),
                           static_cast<float>(n[2] / length)};
      }
      if (has_uv) vertex.texcoord = use.at(uv[2 * v], uv[2 * v + 1]);
      if (has_colours)
        vertex.colour = colour_word(colours[4 * v], colours[4 * v + 1], colours[4 * v + 2], colours[4 * v + 3]);
      model_.vertices.push_back(vertex);
    }
    add_triangles(primitive, first, count, mirrored, material);
  }

  void add_triangles(const Json& primitive, std::uint32_t first, std::size_t count, bool mirrored,
                     std::uint32_t material) {
    std::vector<double> indices;
    if (const Json* const accessor = item_of(gltf_, "accessors", primitive, "indices"))
      indices = data_.numbers(*accessor, 1);
    else
      for (std::size_t i = 0; i < count; ++i)
        indices.push_back(static_cast<double>(i));
    for (const double index : indices)
      if (!(index >= 0.0 && index < static_cast<double>(count)))
        throw UsageError("a mesh of " + std::to_string(count) + " vertices has an index beyond them");
    const auto add = [&](std::size_t a, std::size_t b, std::size_t c) {
      if (mirrored) std::swap(b, c);
      const auto corner = [&](std::size_t i) { return first + static_cast<std::uint32_t>(indices[i]); };
      model_.triangles.push_back({.corner = {corner(a), corner(b), corner(c)}, .material = material});
    };
    const std::size_t mode = count_of(primitive, "mode", 4);
    if (mode > 6) throw UsageError("a mesh has mode " + std::to_string(mode) + ", which glTF has not");
    for (std::size_t i = 2; i < indices.size(); i += mode == 4 ? 3 : 1) {
      if (mode == 6)
        add(0, i - 1, i);
      else
        add(i - 2 + (mode == 5 ? i % 2 : 0), i - 1 - (mode == 5 ? i % 2 : 0), i);
    }
  }

  std::uint32_t material_of(const Json& primitive) const {
    return item_of(gltf_, "materials", primitive, "material") == nullptr
               ? no_material_
               : static_cast<std::uint32_t>(count_of(primitive["material"]));
  }

  void add_material(const Json& from) {
    ModelMaterial made;
    MeshMaterial& to = made.values;
    const Json& metal = member(from, "pbrMetallicRoughness");
    const Json& extensions = member(from, "extensions");
    const Json& gloss = member(extensions, "KHR_materials_pbrSpecularGlossiness");
    TextureUse use;
    std::array<double, 4> base{1, 1, 1, 1};
    if (gloss.empty()) {
      base = list_of<4>(metal, "baseColorFactor", base);
      to.colour_map = texture_of(metal, "baseColorTexture", &use);
    } else {
      base = list_of<4>(gloss, "diffuseFactor", base);
      to.colour_map = texture_of(gloss, "diffuseTexture", &use);
    }
    to.diffuse = {static_cast<float>(base[0]), static_cast<float>(base[1]), static_cast<float>(base[2])};
    if (gloss.empty()) {
      make_glossy(to, factor_of(metal, "roughnessFactor", 1.0f), factor_of(metal, "metallicFactor", 1.0f));
    } else {
      make_glossy(to, 1.0f - factor_of(gloss, "glossinessFactor", 1.0f), 0.0f);
      to.specular = colour_at(gloss, "specularFactor", {1, 1, 1});
    }
    to.emission = colour_at(from, "emissiveFactor", {0, 0, 0});
    const float strength = factor_of(member(extensions, "KHR_materials_emissive_strength"), "emissiveStrength", 1.0f);
    to.emission = {strength * to.emission.x, strength * to.emission.y, strength * to.emission.z};
    to.ambient = {0.25f * to.diffuse.x, 0.25f * to.diffuse.y, 0.25f * to.diffuse.z};
    to.normal_map = texture_of(from, "normalTexture", nullptr);
    if (from.value("alphaMode", "OPAQUE") != "OPAQUE") {
      to.opacity = static_cast<float>(base[3]);
      to.alpha_map = to.colour_map;
      made.alpha_is_channel = true;
    }
    uses_.push_back(use);
    model_.materials.push_back(made);
  }

  /// The map of the model that a texture of a material is; `use` becomes the way in which it is read.
  std::uint32_t texture_of(const Json& material, const char* key, TextureUse* use) {
    const auto info = material.find(key);
    if (info == material.end()) return no_map;
    const Json& moved = member(member(*info, "extensions"), "KHR_texture_transform");
    if (use != nullptr)
      *use = {.set = count_of(moved, "texCoord", count_of(*info, "texCoord", 0)),
              .offset = list_of<2>(moved, "offset", {0, 0}),
              .scale = list_of<2>(moved, "scale", {1, 1}),
              .rotation = moved.value("rotation", 0.0)};
    const Json& texture = item_at(gltf_, "textures", count_of(info->at("index")));
    const Json& webp = member(member(texture, "extensions"), "EXT_texture_webp");
    const Json& from = webp.contains("source") ? webp : texture;
    const Json* const image = item_of(gltf_, "images", from, "source");
    if (image == nullptr) {
      model_.note("a texture in a form that is not read is left out");
      return no_map;
    }
    const std::string name = "image " + std::to_string(count_of(from["source"]));
    const auto uri = image->find("uri");
    if (uri != image->end() && !uri->get_ref<const std::string&>().starts_with("data:"))
      return model_.texture_named(without_escapes(uri->get_ref<const std::string&>()));
    const std::uint32_t made = model_.texture_named(name);
    std::vector<std::byte>& data = model_.textures[made].data;
    if (!data.empty()) return made;
    if (uri != image->end()) {
      data = *data_.uri(uri->get_ref<const std::string&>());
    } else if (const Json* const view = item_of(gltf_, "bufferViews", *image, "bufferView")) {
      const Bytes bytes = data_.view(*view);
      data.assign(bytes.begin(), bytes.end());
    }
    return made;
  }

  const Json& gltf_;
  GltfData data_;
  const ModelFiles& files_;
  Model model_;
  std::vector<std::pair<const Json*, Matrix>> places_;  ///< The meshes where they are.
  std::vector<TextureUse> uses_;                        ///< One for each material.
  std::uint32_t no_material_ = 0;                       ///< The material of what states none.
};

}  // namespace

Model read_gltf(Bytes file, const ModelFiles& files) {
  std::string_view text(reinterpret_cast<const char*>(file.data()), file.size());
  Bytes binary;
  if (text.starts_with("glTF")) {
    constexpr std::size_t header = 12, chunk_header = 8, bin = 0x004E4942;
    if (const auto version = little_endian_at(file, 4, 4); version != 2)
      throw UsageError("its version of glTF is " + std::to_string(version) + ": 2.0 is read");
    const auto length = static_cast<std::size_t>(little_endian_at(file, header, 4));
    if (length > file.size() - header - chunk_header) throw UsageError("its text is cut off");
    text = text.substr(header + chunk_header, length);
    // The length counts the blanks that fill up the last four bytes, unless the writer has forgotten to write some.
    const std::size_t end = header + chunk_header + length;
    const bool filled =
        length % 4 == 0 || file.size() < end + chunk_header || little_endian_at(file, end + 4, 4) != bin;
    const std::size_t next = filled ? header + chunk_header + (length + 3) / 4 * 4 : end;
    if (next < file.size() && file.size() - next >= chunk_header) binary = file.subspan(next + chunk_header);
  }
  check_json_limits(text);
  try {
    const Json gltf = Json::parse(text);
    if (!gltf.is_object()) throw UsageError("it is no glTF: its text is no object of JSON");
    return GltfReader(gltf, binary, files).read();
  } catch (const Json::exception& error) {
    const std::string_view what = error.what();  // Begins with the number of the error in brackets.
    throw UsageError("it is no glTF 2.0, or damaged:" + std::string(what.substr(what.find(']') + 1)));
  }
}

}  // namespace threadscape::io

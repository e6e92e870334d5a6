#include "compute/io/meshes/gltf_outline.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "compute/core/errors.h"
#include "compute/io/bytes.h"
#include "compute/io/file_extension.h"
#include "compute/io/input_file.h"

namespace threadscape::io {

namespace {

using Json = nlohmann::json;

constexpr std::uint64_t most_nodes = 1'000'000;

/// Collects what the check needs while a text is parsed: such a text may hold hundreds of megabytes of numbers.
class Outline final : public nlohmann::json_sax<Json> {
 public:
  std::vector<std::vector<std::size_t>> children;  ///< The children of each node.
  std::vector<std::vector<std::size_t>> roots;     ///< What each scene begins with.
  std::vector<std::string> required;

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(number_integer_t) override { return value(); }
  bool number_unsigned(number_unsigned_t number) override {
    if (std::vector<std::size_t>* const list = list_here()) list->push_back(static_cast<std::size_t>(number));
    return value();
  }
  bool number_float(number_float_t, const string_t&) override { return value(); }
  bool string(string_t& text) override {
    if (path_.size() == 2 && path_[0].key == "extensionsRequired") required.push_back(text);
    return value();
  }
  bool binary(binary_t&) override { return value(); }
  bool start_object(std::size_t) override { return begin(); }
  bool key(string_t& text) override {
    path_.back().key = text;
    return true;
  }
  bool end_object() override { return end(); }
  bool start_array(std::size_t) override { return begin(); }
  bool end_array() override { return end(); }
  bool parse_error(std::size_t, const std::string&, const Json::exception&) override { return false; }

 private:
  /// An object or array that is open: the key or the index of the value that is read in it.
  struct Place {
    std::string key;
    std::size_t index = 0;
  };

  bool begin() {
    path_.emplace_back();
    return true;
  }
  bool end() {
    path_.pop_back();
    return value();
  }
  bool value() {
    if (!path_.empty()) ++path_.back().index;
    return true;
  }
  /// The list that a number at this place belongs to: nodes[i].children or scenes[i].nodes.
  std::vector<std::size_t>* list_here() {
    if (path_.size() != 4) return nullptr;
    const std::string &top = path_[0].key, &member = path_[2].key;
    auto* const lists = top == "nodes" && member == "children" ? &children
                        : top == "scenes" && member == "nodes" ? &roots
                                                               : nullptr;
    if (lists == nullptr) return nullptr;
    if (lists->size() <= path_[1].index) lists->resize(path_[1].index + 1);
    return &(*lists)[path_[1].index];
  }

  std::vector<Place> path_;
};

/// The numbers of nodes below each node, itself among them, up to `most_nodes` + 1. Nodes that are named but not there
/// count as one. Throws UsageError if a node contains itself. It does not call itself, because nodes may be deep.
class NodeCounts {
 public:
  explicit NodeCounts(const std::vector<std::vector<std::size_t>>& children)
      : children_(children), counts_(children.size(), 0) {}

  [[nodiscard]] std::uint64_t of(std::size_t node) {
    if (node >= children_.size()) return 1;
    std::vector<std::size_t> open{node};
    while (!open.empty()) {
      const std::size_t at = open.back();
      if (counts_[at] == 0) {
        counts_[at] = being_counted;
        for (const std::size_t child : children_[at]) {
          if (child >= children_.size() || is_counted(child)) continue;
          if (counts_[child] == being_counted)
            throw UsageError("its node " + std::to_string(child) + " contains itself");
          open.push_back(child);
        }
        continue;
      }
      open.pop_back();
      if (is_counted(at)) continue;  // It was waiting twice.
      std::uint64_t count = 1;
      for (const std::size_t child : children_[at])
        count = std::min(most_nodes + 1, count + (child < children_.size() ? counts_[child] : 1));
      counts_[at] = count;
    }
    return counts_[node];
  }

 private:
  static constexpr std::uint64_t being_counted = ~std::uint64_t{0};
  [[nodiscard]] bool is_counted(std::size_t node) const { return counts_[node] != 0 && counts_[node] != being_counted; }

  const std::vector<std::vector<std::size_t>>& children_;
  std::vector<std::uint64_t> counts_;
};

bool is_read(std::string_view extension) {
  constexpr std::array<std::string_view, 2> others{"KHR_lights_punctual", "KHR_texture_transform"};
  return extension.starts_with("KHR_materials_") || std::ranges::count(others, extension) > 0;
}

/// The text of a binary file is its first chunk, behind 20 bytes of header.
std::string_view text_of(Bytes file) {
  const std::string_view all(reinterpret_cast<const char*>(file.data()), file.size());
  if (!all.starts_with("glTF")) return all;
  constexpr std::size_t length_at = 12, text_at = 20;
  if (file.size() < text_at) return {};
  return all.substr(text_at, static_cast<std::size_t>(little_endian_at(file, length_at, 4)));
}

}  // namespace

void check_gltf(const std::filesystem::path& path, const std::stop_token& stop) {
  const std::string extension = extension_of(path);
  if (extension != ".gltf" && extension != ".glb") return;
  const std::vector<std::byte> file = load_bytes(path, Limit::file_bytes, stop);
  Outline outline;
  if (!Json::sax_parse(text_of(file), &outline)) return;
  for (const std::string& name : outline.required)
    if (!is_read(name)) throw UsageError("it requires the extension '" + name + "' of glTF, which is not read");
  NodeCounts counts(outline.children);
  for (const std::vector<std::size_t>& scene : outline.roots) {
    std::uint64_t nodes = 0;
    for (const std::size_t root : scene)
      nodes = std::min(most_nodes + 1, nodes + counts.of(root));
    if (nodes > most_nodes)
      throw UsageError("its scene has more than " + std::to_string(most_nodes) +
                       " nodes, counted at each place that they have");
  }
}

}  // namespace threadscape::io

// PLY (G. Turk, "The PLY Polygon File Format", 1994): vertices, faces and strips of triangles, as text or in binary.

#include <algorithm>
#include <array>
#include <bit>
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "compute/io/meshes/model.h"
#include "compute/io/words.h"

namespace threadscape::io {

namespace {

constexpr std::size_t longest_header = 64 * 1024;

enum class Type : std::uint8_t { i8, u8, i16, u16, i32, u32, f32, f64 };

Type type_of(std::string_view word) {
  constexpr std::array<std::array<std::string_view, 2>, 8> names{{{"char", "int8"},
                                                                  {"uchar", "uint8"},
                                                                  {"short", "int16"},
                                                                  {"ushort", "uint16"},
                                                                  {"int", "int32"},
                                                                  {"uint", "uint32"},
                                                                  {"float", "float32"},
                                                                  {"double", "float64"}}};
  for (std::size_t i = 0; i < names.size(); ++i)
    if (std::ranges::count(names[i], word) > 0) return static_cast<Type>(i);
  throw UsageError("its header has the type '" + readable_word(word) + "', which is unknown");
}

std::size_t bytes_of(Type type) {
  constexpr std::array<std::size_t, 8> bytes{1, 1, 2, 2, 4, 4, 4, 8};
  return bytes[static_cast<std::size_t>(type)];
}

struct Property {
  std::string name;
  Type type = Type::f32;
  std::optional<Type> count;  ///< The type of the length, for lists.
};

struct Element {
  std::string name;
  std::uint64_t count = 0;
  std::vector<Property> properties;

  [[nodiscard]] std::size_t find(std::initializer_list<std::string_view> names) const {
    const auto at = std::ranges::find_if(
        properties, [&](const Property& property) { return std::ranges::count(names, property.name) > 0; });
    return static_cast<std::size_t>(at - properties.begin());
  }
};

enum class Form : std::uint8_t { text, little, big };

struct Header {
  Form form = Form::text;
  std::vector<Element> elements;
  std::string texture;  ///< The file that the comment "TextureFile" of MeshLab names.
  std::size_t bytes = 0;
};

std::uint64_t elements_in(std::string_view digits, const std::string& element, std::uint64_t bytes) {
  std::uint64_t count = 0;
  const auto parsed = std::from_chars(digits.data(), digits.data() + digits.size(), count);
  if (parsed.ec == std::errc::invalid_argument)
    throw UsageError("its header counts '" + readable_word(digits) + "' elements '" + readable_word(element) + "'");
  // An element takes a byte at least, and a count that 64 bits do not hold is more than any file has.
  if (parsed.ec != std::errc{} || count > bytes)
    throw UsageError("its header counts " + readable_word(digits) + " elements '" + readable_word(element) +
                     "', it has " + std::to_string(bytes) + " bytes");
  return count;
}

Header read_header(std::string_view file) {
  std::string_view text = file.substr(0, longest_header);
  Header header;
  std::uint64_t elements = 0;
  if (const std::string_view magic = trimmed(take_line(text)); magic != "ply" && magic != "PLY")
    throw UsageError("it is no PLY: its first line is not \"ply\"");
  // Only the ends of lines that the header has belong to it: data may begin with the byte of a line feed.
  const bool by_return = file.substr(0, file.size() - text.size()).ends_with('\r');
  while (!text.empty()) {
    const std::size_t before = text.size();
    std::string_view line = take_line(text);
    std::size_t taken = before - text.size();
    const std::string_view keyword = take_word(line);
    if (keyword == "end_header") {
      if (by_return && taken > keyword.size() + 1 && text.data()[-2] == '\r') --taken;
      header.bytes = static_cast<std::size_t>(text.data() - file.data()) - (before - text.size() - taken);
      return header;
    }
    if (keyword == "format") {
      const std::string_view form = take_word(line);
      if (form != "ascii" && form != "binary_little_endian" && form != "binary_big_endian")
        throw UsageError("its format '" + readable_word(form) + "' is unknown");
      header.form = form == "ascii" ? Form::text : form == "binary_big_endian" ? Form::big : Form::little;
    } else if (keyword == "comment" && take_word(line) == "TextureFile") {
      header.texture = line;
    } else if (keyword == "element") {
      const std::string name(take_word(line));
      if (line.empty()) continue;
      header.elements.push_back({name, elements_in(take_word(line), name, file.size() - elements), {}});
      elements += header.elements.back().count;
    } else if (keyword == "property") {
      if (header.elements.empty()) throw UsageError("its header has a property before the first element");
      Property property;
      std::string_view word = take_word(line);
      if (word == "list") {
        property.count = type_of(take_word(line));
        word = take_word(line);
      }
      property.type = type_of(word);
      property.name = take_word(line);
      header.elements.back().properties.push_back(property);
    }
  }
  throw UsageError("its header does not end with end_header within " + std::to_string(longest_header) +
                   " bytes: the file is cut off or damaged");
}

/// Takes numbers from the data behind the header.
class Numbers {
 public:
  Numbers(std::string_view data, const Header& header) : rest_(data), form_(header.form) {
    if (form_ != Form::text) return;
    std::uint64_t elements = 0, lines = 0;
    for (const Element& element : header.elements)
      if (!element.properties.empty()) elements += element.count;
    while (!data.empty())
      if (!trimmed(take_line(data)).empty()) ++lines;
    by_line_ = lines == elements;
  }

  /// Ends an element. Where a text has a line for each of them, it leaves out what its line has more than the header
  /// says, as some versions of VCGLIB write it.
  void end_element() {
    if (!by_line_ || line_.empty()) return;
    line_ = {};
    ++longer_lines_;
  }
  [[nodiscard]] std::uint64_t longer_lines() const { return longer_lines_; }

  double next(Type type) {
    if (form_ == Form::text) {
      while (line_.empty() && !rest_.empty())
        line_ = trimmed(take_line(rest_));
      if (line_.empty()) cut_off();
      return number_of(take_word(line_));
    }
    const std::size_t bytes = bytes_of(type);
    if (rest_.size() < bytes) cut_off();
    std::uint64_t bits = 0;
    for (std::size_t i = 0; i < bytes; ++i)
      bits = bits << 8 | static_cast<unsigned char>(rest_[form_ == Form::big ? i : bytes - 1 - i]);
    rest_.remove_prefix(bytes);
    switch (type) {
      case Type::i8:
        return static_cast<std::int8_t>(bits);
      case Type::i16:
        return static_cast<std::int16_t>(bits);
      case Type::i32:
        return static_cast<std::int32_t>(bits);
      case Type::f32:
        return std::bit_cast<float>(static_cast<std::uint32_t>(bits));
      case Type::f64:
        return std::bit_cast<double>(bits);
      default:
        return static_cast<double>(bits);
    }
  }

  /// The value of a property: one number, or those of a list.
  void next(const Property& property, std::vector<double>& values) {
    values.clear();
    if (!property.count) {
      values.push_back(next(property.type));
      return;
    }
    const double count = next(*property.count);
    if (!(count >= 0.0 && count <= static_cast<double>(rest_.size() + line_.size())))
      throw UsageError("a list '" + readable_word(property.name) + "' counts " +
                       std::to_string(static_cast<std::int64_t>(std::clamp(count, -1e18, 1e18))) +
                       " numbers: the file is damaged");
    for (auto left = static_cast<std::uint64_t>(count); left > 0; --left)
      values.push_back(next(property.type));
  }

 private:
  [[noreturn]] static void cut_off() {
    throw UsageError("it ends before the elements that its header counts: the file is cut off");
  }

  std::string_view rest_, line_;
  Form form_;
  bool by_line_ = false;
  std::uint64_t longer_lines_ = 0;
};

/// What 1 is in numbers of a type that state colours.
double full_scale(Type type) {
  return type == Type::f32 || type == Type::f64 ? 1.0 : std::exp2(8.0 * static_cast<double>(bytes_of(type))) - 1.0;
}

class PlyReader {
 public:
  PlyReader(std::string_view file, const ModelFiles& files)
      : files_(files),
        header_(read_header(file)),
        numbers_(file.substr(header_.bytes), header_),
        cutter_(files.options.stop) {}

  Model read() {
    for (const Element& element : header_.elements) {
      if (element.name == "vertex")
        read_vertices(element);
      else if (element.name == "face" || element.name == "tristrips")
        read_lists(element);
      else
        skip(element);
    }
    if (const std::uint64_t lines = numbers_.longer_lines(); lines > 0)
      model_.note(std::to_string(lines) + " lines have more numbers than its header says, which are left out");
    // Lists may stand before the vertices whose indices they contain.
    for (const List& list : lists_)
      add(list);
    if (model_.has_texcoords && !header_.texture.empty())
      model_.materials.push_back(
          {.values = {.diffuse = {1.0f, 1.0f, 1.0f}, .colour_map = model_.texture_named(header_.texture)}});
    return std::move(model_);
  }

 private:
  struct List {
    bool is_strip;
    std::size_t first, count;  ///< Its part of corners_.
    std::size_t texcoords;     ///< Where its texture coordinates begin in texcoords_, two for each corner, or none.
  };
  static constexpr std::size_t none = ~std::size_t{0};

  void stop_if_asked() const {
    if (files_.options.stop.stop_requested()) throw Cancelled();
  }

  void skip(const Element& element) {
    for (std::uint64_t i = 0; i < element.count && !element.properties.empty(); ++i) {
      for (const Property& property : element.properties)
        numbers_.next(property, values_);
      numbers_.end_element();
    }
    if (element.count > 0) model_.note("its elements '" + readable_word(element.name) + "' are left out");
  }

  /// Notes the properties of an element that nothing uses.
  void note_unused(const Element& element, std::initializer_list<std::string_view> used) {
    std::string names;
    for (const Property& property : element.properties)
      if (std::ranges::count(used, property.name) == 0)
        names += (names.empty() ? "'" : ", '") + readable_word(property.name) + "'";
    if (!names.empty() && element.count > 0)
      model_.note("of its elements '" + readable_word(element.name) + "' " + names + " are left out");
  }

  void read_vertices(const Element& element) {
    note_unused(element, {"x",
                          "y",
                          "z",
                          "nx",
                          "ny",
                          "nz",
                          "s",
                          "u",
                          "texture_u",
                          "t",
                          "v",
                          "texture_v",
                          "red",
                          "diffuse_red",
                          "r",
                          "green",
                          "diffuse_green",
                          "g",
                          "blue",
                          "diffuse_blue",
                          "b",
                          "alpha",
                          "diffuse_alpha",
                          "a"});
    const std::array at{element.find({"x"}), element.find({"y"}), element.find({"z"})};
    const std::array normal{element.find({"nx"}), element.find({"ny"}), element.find({"nz"})};
    const std::array uv{element.find({"s", "u", "texture_u"}), element.find({"t", "v", "texture_v"})};
    const std::array colour{element.find({"red", "diffuse_red", "r"}), element.find({"green", "diffuse_green", "g"}),
                            element.find({"blue", "diffuse_blue", "b"}), element.find({"alpha", "diffuse_alpha", "a"})};
    const std::size_t count = element.properties.size();
    if (std::ranges::count(at, count) > 0) throw UsageError("its vertices lack one of x, y and z");
    model_.has_texcoords = std::ranges::count(uv, count) == 0;
    model_.has_colours = std::ranges::count(std::span(colour).first(3), count) == 0;
    std::vector<double> row(count + 1, 0.0);  // The last one is that of properties which are not there.
    for (std::uint64_t i = 0; i < element.count; ++i) {
      if (i % 65536 == 0) stop_if_asked();
      for (std::size_t p = 0; p < count; ++p) {
        numbers_.next(element.properties[p], values_);
        row[p] = values_.empty() ? 0.0 : values_.front();
      }
      numbers_.end_element();
      const auto number = [&](std::size_t p) { return static_cast<float>(row[p]); };
      ModelVertex vertex{.position = {row[at[0]], row[at[1]], row[at[2]]},
                         .normal = {number(normal[0]), number(normal[1]), number(normal[2])}};
      if (model_.has_texcoords) vertex.texcoord = {number(uv[0]), number(uv[1])};
      const auto part = [&](std::size_t p) {
        return p == count ? 1.0 : row[p] / full_scale(element.properties[p].type);
      };
      if (model_.has_colours)
        vertex.colour = colour_word(part(colour[0]), part(colour[1]), part(colour[2]), part(colour[3]));
      model_.vertices.push_back(vertex);
    }
  }

  void read_lists(const Element& element) {
    const std::size_t indices = element.find({"vertex_indices", "vertex_index"}), uv = element.find({"texcoord"});
    if (indices == element.properties.size())
      throw UsageError("its elements '" + element.name + "' lack the list vertex_indices");
    note_unused(element, {"vertex_indices", "vertex_index", "texcoord"});
    for (std::uint64_t i = 0; i < element.count; ++i) {
      if (i % 65536 == 0) stop_if_asked();
      List list{.is_strip = element.name == "tristrips", .first = corners_.size(), .count = 0, .texcoords = none};
      for (std::size_t p = 0; p < element.properties.size(); ++p) {
        numbers_.next(element.properties[p], values_);
        if (p == indices) corners_.insert(corners_.end(), values_.begin(), values_.end());
        if (p == uv && !values_.empty()) {
          list.texcoords = texcoords_.size();
          texcoords_.insert(texcoords_.end(), values_.begin(), values_.end());
        }
      }
      numbers_.end_element();
      list.count = corners_.size() - list.first;
      if (list.texcoords != none && texcoords_.size() - list.texcoords != 2 * list.count) list.texcoords = none;
      lists_.push_back(list);
    }
  }

  /// The index of a vertex, which stands for corner `at` of a list.
  std::uint32_t vertex_of(std::size_t at) const {
    const double index = corners_[at];
    if (!(index >= 0.0) || index >= static_cast<double>(model_.vertices.size()))
      throw UsageError("a face has vertex " +
                       std::to_string(static_cast<std::int64_t>(std::clamp(index, -1e18, 1e18))) + ", but there are " +
                       std::to_string(model_.vertices.size()) + " vertices");
    return static_cast<std::uint32_t>(index);
  }

  void add(const List& list) {
    stop_if_asked();
    if (list.is_strip) {
      std::size_t start = list.first;  // Indices below 0 end a strip, whose triangles turn in turns.
      for (std::size_t i = list.first; i < list.first + list.count; ++i) {
        if (corners_[i] < 0.0) start = i + 1;
        if (i < start + 2 || start > i) continue;
        const std::size_t odd = (i - start) % 2;
        const std::array corner{vertex_of(i - 2 + odd), vertex_of(i - 1 - odd), vertex_of(i)};
        if (corner[0] != corner[1] && corner[1] != corner[2] && corner[2] != corner[0])
          model_.triangles.push_back({.corner = corner});
      }
      return;
    }
    std::vector<std::uint32_t> vertices;
    std::vector<Point> points;
    for (std::size_t i = 0; i < list.count; ++i) {
      std::uint32_t v = vertex_of(list.first + i);
      points.push_back(model_.vertices[v].position);
      if (list.texcoords != none) {
        ModelVertex vertex = model_.vertices[v];
        vertex.texcoord = {static_cast<float>(texcoords_[list.texcoords + 2 * i]),
                           static_cast<float>(texcoords_[list.texcoords + 2 * i + 1])};
        v = static_cast<std::uint32_t>(model_.vertices.size());
        model_.vertices.push_back(vertex);
        model_.has_texcoords = true;
      }
      vertices.push_back(v);
    }
    triangles_.clear();
    cutter_.cut(points, triangles_);
    for (const auto& t : triangles_)
      model_.triangles.push_back({.corner = {vertices[t[0]], vertices[t[1]], vertices[t[2]]}});
  }

  const ModelFiles& files_;
  Header header_;
  Numbers numbers_;
  PolygonCutter cutter_;
  Model model_;
  std::vector<double> values_, corners_, texcoords_;
  std::vector<List> lists_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
};

}  // namespace

Model read_ply(Bytes file, const ModelFiles& files) {
  return PlyReader({reinterpret_cast<const char*>(file.data()), file.size()}, files).read();
}

}  // namespace threadscape::io

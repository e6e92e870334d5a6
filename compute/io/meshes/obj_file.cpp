// OBJ (Wavefront, "Object Files", appendix B1 of the Advanced Visualizer's manual): the polygons of a model.

#include <algorithm>
#include <array>
#include <charconv>
#include <map>
#include <string>
#include <unordered_map>
#include <utility>

#include "compute/io/meshes/model.h"
#include "compute/io/words.h"

namespace threadscape::io {

namespace {

/// Statements that change nothing of what is drawn here, or belong to those that a note names.
constexpr std::array<std::string_view, 19> without_effect{
    "o",        "g",        "s",    "mg",   "lod",  "shadow_obj", "trace_obj", "bevel",  "usemap", "maplib",
    "c_interp", "d_interp", "parm", "trim", "hole", "end",        "deg",       "cstype", "vp"};

/// The indices of a corner, counted from 0; `none` for a texture coordinate or a normal that is not stated.
struct Corner {
  std::int64_t position = 0, texcoord = -1, normal = -1;
  friend bool operator==(const Corner&, const Corner&) = default;
};

struct CornerHash {
  std::size_t operator()(const Corner& corner) const {
    std::uint64_t hash = 0;
    for (const std::int64_t index : {corner.position, corner.texcoord, corner.normal})
      hash = (hash ^ static_cast<std::uint64_t>(index)) * 0x9e3779b97f4a7c15u ^ hash >> 31;
    return static_cast<std::size_t>(hash);
  }
};

class ObjReader {
 public:
  ObjReader(std::string_view text, const ModelFiles& files)
      : text_(without_mark(text)), files_(files), cutter_(files.options.stop) {}

  Model read() {
    while (!text_.empty()) {
      if (++line_number_ % 65536 == 0 && files_.options.stop.stop_requested()) throw Cancelled();
      std::string_view line = take_line(text_);
      // A backslash at its end continues a line.
      while (line.ends_with('\\') && !text_.empty()) {
        joined_.assign(line.data() == joined_.data() ? joined_ : std::string(line)).back() = ' ';
        joined_ += take_line(text_);
        line = joined_;
        ++line_number_;
      }
      try {
        statement(line.substr(0, line.find('#')));
      } catch (const UsageError& error) {
        throw UsageError("line " + std::to_string(line_number_) + ": " + error.what());
      }
    }
    if (positions_.empty() && unknown_ > 0) throw UsageError("it is no OBJ: it has other words, and no vertices");
    // Faces may stand before the vertices whose indices they contain.
    for (const Face& face : faces_)
      add(face);
    return std::move(model_);
  }

 private:
  static constexpr std::uint32_t no_material = 0xffffffffu;

  struct Position {
    Point at;
    std::uint32_t colour;
  };
  struct Face {
    std::size_t first, count;  ///< Its part of corners_.
    std::uint32_t material;
    std::size_t line;
  };

  void statement(std::string_view line) {
    const std::string_view keyword = take_word(line);
    if (keyword.empty() || std::ranges::count(without_effect, keyword) > 0) return;
    if (keyword == "v")
      vertex(line);
    else if (keyword == "vt")
      texcoords_.push_back({static_cast<float>(next(line)), line.empty() ? 0.0f : static_cast<float>(next(line))});
    else if (keyword == "vn")
      normals_.push_back(vector(line));
    else if (keyword == "f" || keyword == "fo")
      face(line);
    else if (keyword == "usemtl")
      material_ = material_named(std::string(line));
    else if (keyword == "mtllib")
      library(std::string(line));
    else if (keyword == "p" || keyword == "l")
      model_.note("its points and lines are left out");
    else if (keyword == "curv" || keyword == "curv2" || keyword == "surf")
      model_.note("its curves and curved surfaces are left out");
    else
      unknown(keyword);
  }

  /// Counts what is no statement, because a file of other words alone is no OBJ.
  void unknown(std::string_view keyword) {
    if (unknown_++ == 0) model_.note("its statements '" + readable_word(keyword) + "' are left out");
  }

  static double next(std::string_view& line) {
    if (line.empty()) throw UsageError("it has too few numbers");
    return number_of(take_word(line));
  }
  static Float3 vector(std::string_view& line) {
    Float3 v;
    for (float* const part : {&v.x, &v.y, &v.z})
      *part = static_cast<float>(next(line));
    return v;
  }

  /// Three coordinates, or these and w, which has no meaning for polygons, or these and a colour with or without alpha.
  void vertex(std::string_view line) {
    std::array<double, 8> n{};
    std::size_t count = 0;
    while (!line.empty() && count < n.size())
      n[count++] = next(line);
    if (count < 3) throw UsageError("it has too few numbers");
    std::uint32_t colour = 0xffffffffu;
    if (count >= 6) {
      const std::size_t first = count == 8 ? 4 : 3;
      colour = colour_word(n[first], n[first + 1], n[first + 2], count >= 7 ? n[first + 3] : 1.0);
      model_.has_colours = true;
    }
    positions_.push_back({.at = {n[0], n[1], n[2]}, .colour = colour});
  }

  /// The index, counted from 0, that a part of a corner states among `count` items; negative parts count from the end.
  static std::int64_t index(std::string_view part, std::size_t count) {
    std::int64_t value = 0;
    const auto [end, error] = std::from_chars(part.data(), part.data() + part.size(), value);
    if (error != std::errc{} || end != part.data() + part.size() || value == 0)
      throw UsageError("'" + readable_word(part) + "' is no index of a vertex");
    return value > 0 ? value - 1 : static_cast<std::int64_t>(count) + value;
  }

  void face(std::string_view line) {
    if (material_ == no_material) material_ = material_named("");
    Face made{.first = corners_.size(), .count = 0, .material = material_, .line = line_number_};
    while (!line.empty()) {
      const std::string_view word = take_word(line);
      std::array<std::string_view, 3> parts{};
      std::size_t part = 0, start = 0;
      for (std::size_t i = 0; i <= word.size(); ++i) {
        if (i < word.size() && word[i] != '/') continue;
        if (part == parts.size()) throw UsageError("'" + readable_word(word) + "' is no corner of a face");
        parts[part++] = word.substr(start, i - start);
        start = i + 1;
      }
      Corner corner{.position = index(parts[0], positions_.size())};
      if (!parts[1].empty()) corner.texcoord = index(parts[1], texcoords_.size());
      if (!parts[2].empty()) corner.normal = index(parts[2], normals_.size());
      corners_.push_back(corner);
    }
    made.count = corners_.size() - made.first;
    if (made.count < 3)
      model_.note("its faces with fewer than three corners are left out");
    else
      faces_.push_back(made);
  }

  std::uint32_t material_named(const std::string& name) {
    const auto [known, is_new] = names_.try_emplace(name, static_cast<std::uint32_t>(model_.materials.size()));
    if (is_new) {
      model_.materials.emplace_back();
      if (!name.empty()) model_.note("its material '" + name + "' is stated nowhere");
    }
    return known->second;
  }

  /// The names of one or more files; a name may contain blanks.
  void library(const std::string& stated) {
    if (stated.empty()) return;
    auto whole = files_.load(stated);
    std::string_view rest = stated;
    while (!rest.empty()) {
      const std::string name(whole ? std::exchange(rest, {}) : take_word(rest));
      if (!whole) whole = files_.load(name);
      if (whole) {
        try {
          read_mtl({reinterpret_cast<const char*>(whole->data()), whole->size()}, model_, names_);
        } catch (const UsageError& error) {
          throw UsageError("'" + name + "', " + error.what());
        }
      } else {
        model_.note("its materials '" + name + "' are not there: put that file beside the model");
      }
      whole.reset();
    }
  }

  template <class T>
  static bool has(const std::vector<T>& items, std::int64_t at) {
    return at >= 0 && at < static_cast<std::int64_t>(items.size());
  }

  std::uint32_t vertex_of(const Corner& corner, const Face& face) {
    if (!has(positions_, corner.position))
      throw UsageError("line " + std::to_string(face.line) + ": the face has vertex " +
                       std::to_string(corner.position + 1) + ", but there are " + std::to_string(positions_.size()));
    const auto [known, is_new] = indices_.try_emplace(corner, static_cast<std::uint32_t>(model_.vertices.size()));
    if (!is_new) return known->second;
    const Position& position = positions_[static_cast<std::size_t>(corner.position)];
    ModelVertex vertex{.position = position.at, .colour = position.colour};
    if (has(texcoords_, corner.texcoord)) {
      vertex.texcoord = texcoords_[static_cast<std::size_t>(corner.texcoord)];
      model_.has_texcoords = true;
    } else if (corner.texcoord != -1) {
      model_.note("texture coordinates that its faces name are not there");
    }
    if (has(normals_, corner.normal))
      vertex.normal = normals_[static_cast<std::size_t>(corner.normal)];
    else if (corner.normal != -1)
      model_.note("normals that its faces name are not there, and are computed");
    model_.vertices.push_back(vertex);
    return known->second;
  }

  void add(const Face& face) {
    vertices_.clear();
    points_.clear();
    for (std::size_t i = face.first; i < face.first + face.count; ++i) {
      vertices_.push_back(vertex_of(corners_[i], face));
      points_.push_back(model_.vertices[vertices_.back()].position);
    }
    triangles_.clear();
    cutter_.cut(points_, triangles_);
    for (const auto& t : triangles_)
      model_.triangles.push_back(
          {.corner = {vertices_[t[0]], vertices_[t[1]], vertices_[t[2]]}, .material = face.material});
  }

  std::string_view text_;
  const ModelFiles& files_;
  PolygonCutter cutter_;
  std::string joined_;
  std::size_t line_number_ = 0, unknown_ = 0;
  Model model_;
  std::map<std::string, std::uint32_t> names_;  ///< The materials by their names.
  std::uint32_t material_ = no_material;
  std::vector<Position> positions_;
  std::vector<Float2> texcoords_;
  std::vector<Float3> normals_;
  std::vector<Corner> corners_;
  std::vector<Face> faces_;
  std::unordered_map<Corner, std::uint32_t, CornerHash> indices_;  ///< The vertices of the model for corners.
  std::vector<std::uint32_t> vertices_;                            ///< Those of the present face.
  std::vector<Point> points_;
  std::vector<std::array<std::uint32_t, 3>> triangles_;
};

}  // namespace

Model read_obj(std::string_view text, const ModelFiles& files) {
  return ObjReader(text, files).read();
}

}  // namespace threadscape::io

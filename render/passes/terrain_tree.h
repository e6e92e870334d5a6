#pragma once
// Which parts of a terrain are drawn how finely. A quadtree of square patches, each drawn with the same grid of
// TerrainLayout::side x side cells: patches of level 0 show every point of the heightmap, those of level l every
// 2^l-th. Between two levels there is half a one: of each 2 x 2 cells only the corners and the middle are drawn, so
// that the number of triangles goes up in steps of two and not of four (the 4-8 mesh of Velho and Gomes 2000).
//
// A patch is refined while its error, in pixels, is larger than asked for. Where patches of different levels meet, the
// vertices of the finer one on that edge move onto vertices of the coarser one: both then have the very same edge, so
// there are no cracks at any distance, and nothing has to be morphed or hidden behind skirts.

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "render/passes/terrain_camera.h"

namespace threadscape::render {

/// Where the nodes of a heightmap's quadtree lie in memory: level by level, rows first.
class TerrainLayout {
 public:
  static constexpr int side = 16;  ///< cells of a patch
  static constexpr int full_triangles = 2 * side * side, half_triangles = side * side;

  TerrainLayout() = default;
  /// `size`: points of the heightmap.
  explicit TerrainLayout(glm::ivec2 size);

  [[nodiscard]] glm::ivec2 size() const { return size_; }
  [[nodiscard]] int levels() const { return static_cast<int>(first_.size()); }
  /// Nodes of a level along each axis; the highest level has one.
  [[nodiscard]] glm::ivec2 nodes(int level) const;
  [[nodiscard]] std::size_t first(int level) const { return first_[static_cast<std::size_t>(level)]; }
  [[nodiscard]] std::size_t index(int x, int y, int level) const;
  /// Of all levels.
  [[nodiscard]] std::size_t count() const { return count_; }
  friend bool operator==(const TerrainLayout& a, const TerrainLayout& b) { return a.size_ == b.size_; }

 private:
  glm::ivec2 size_{0, 0};
  std::vector<std::size_t> first_;
  std::size_t count_ = 0;
};

/// What is known of a node, as terrain_bounds.comp writes it; in heights as shaders read them.
struct TerrainBounds {
  float low = 0.0f, high = 0.0f;
  /// At most so far is the patch from the full surface, vertically; and when half of its points are left out.
  float error = 0.0f, half_error = 0.0f;
};

/// A patch to draw, as terrain.vert reads it: node coordinates, level, and by how many levels its edges are coarser
/// than that: 4 bits each for west, east, north, south; bit 20 says that it is drawn by half. For walls bits 16 and 17
/// say which of these sides is meant.
using TerrainPatch = glm::ivec4;

struct TerrainSelection {
  std::vector<TerrainPatch> full, half;  ///< in sight, the nearest more or less first
  std::vector<TerrainPatch> rim;         ///< those of them at the terrain's rim, once for each of its sides
  float pixel_error = 0.0f;              ///< what it was refined to
};

struct TerrainQuery {
  float pixel_error = 1.0f;               ///< 0: every patch at level 0
  std::int64_t most_triangles = 2000000;  ///< in sight; the error grows until they are no more
  float relief = base_relief;             ///< of the range of heights, in sides
  float water = -1.0f;                    ///< height of a sea that hides what is deep below it; none below 0
  bool walls = true;                      ///< through the sea's sides one sees the ground at the rim
  bool cull = true;                       ///< leave out what is out of sight; what is drawn stays as fine as it was
};

class TerrainTree {
 public:
  TerrainTree() = default;
  TerrainTree(const TerrainLayout& layout, std::vector<TerrainBounds> bounds);

  [[nodiscard]] bool empty() const { return bounds_.empty(); }
  [[nodiscard]] const TerrainLayout& layout() const { return layout_; }
  [[nodiscard]] const TerrainBounds& bounds(int x, int y, int level) const {
    return bounds_[layout_.index(x, y, level)];
  }
  [[nodiscard]] float low() const { return bounds_.back().low; }
  [[nodiscard]] float high() const { return bounds_.back().high; }
  /// World coordinates of all that is drawn at this relief.
  [[nodiscard]] glm::vec3 low_corner(float relief) const;
  [[nodiscard]] glm::vec3 high_corner(float relief) const;

  [[nodiscard]] TerrainSelection select(const TerrainCamera& camera, const TerrainQuery& query);

 private:
  struct Node {
    int x, y, level;
    bool half;
  };
  struct Box {
    glm::vec3 low, high;
  };
  [[nodiscard]] const TerrainBounds& bounds(const Node& node) const { return bounds(node.x, node.y, node.level); }
  [[nodiscard]] Box box(const Node& node, float relief) const;
  [[nodiscard]] bool at_rim(const Node& node) const;
  /// Chooses the patches. False when they have more triangles than asked for.
  bool refine(const TerrainCamera& camera, const TerrainQuery& query, float pixel_error);
  /// With the error that is asked for or, if that takes too many triangles, the smallest that does not, to 6 %.
  float refine_within_budget(const TerrainCamera& camera, const TerrainQuery& query);
  /// Splits patches that are too much coarser than a neighbour.
  void balance();
  void paint(const Node& node);
  [[nodiscard]] int painted(int x, int y) const;
  [[nodiscard]] int finest_beside(const Node& node) const;
  [[nodiscard]] TerrainPatch stitched(const Node& node) const;

  TerrainLayout layout_;
  std::vector<TerrainBounds> bounds_;
  std::vector<Node> chosen_;
  float last_error_ = 0.0f;  ///< that the last choice was refined to
  /// Of the chosen patch over each node of level 0: twice its level, and one more when it is drawn by half.
  std::vector<std::uint8_t> painted_;
};

}  // namespace threadscape::render

#pragma once
// Level of detail of a terrain: a quadtree of square patches, each drawn with the same grid of TerrainLayout::side x
// side cells. Patches of level 0 show every point of the heightmap, patches of level l every 2^l-th point. Between two
// levels there is a half level, which draws only the corners and the centre of each 2 x 2 cells, so that the number of
// triangles grows by factors of two and not of four (the 4-8 mesh of Velho and Gomes 2000).
//
//   full: 8 triangles        half: 4 triangles      of each 2 x 2 cells; diagonals meet at the centre
//
//   +---+---+                +-------+
//   | \ | / |                | \   / |
//   +---+---+                |   +   |
//   | / | \ |                | /   \ |
//   +---+---+                +-------+
//
// A patch is refined while its error in pixels is larger than asked for. Where patches of different levels meet, the
// vertices of the finer patch on the common edge move onto vertices of the coarser one: both patches then have the same
// edge, so there are no cracks at any distance, and neither morphing nor skirts are needed.

#include <cstddef>
#include <cstdint>
#include <glm/vec2.hpp>
#include <glm/vec4.hpp>
#include <vector>

#include "render/passes/terrain_camera.h"

namespace threadscape::render {

/// The order in memory of the nodes of a heightmap's quadtree: level by level, from 0, and row by row.
class TerrainLayout {
 public:
  static constexpr int side = 16;  ///< Cells along a side of a patch.
  static constexpr int full_triangles = 2 * side * side, half_triangles = side * side;

  TerrainLayout() = default;
  /// `size` is the number of points of the heightmap along each axis.
  explicit TerrainLayout(glm::ivec2 size);

  [[nodiscard]] glm::ivec2 size() const { return size_; }
  [[nodiscard]] int levels() const { return static_cast<int>(first_.size()); }
  /// Number of nodes of a level along each axis; the highest level has one node.
  [[nodiscard]] glm::ivec2 nodes(int level) const;
  [[nodiscard]] std::size_t first(int level) const { return first_[static_cast<std::size_t>(level)]; }
  [[nodiscard]] std::size_t index(int x, int y, int level) const;
  /// Number of nodes of all levels.
  [[nodiscard]] std::size_t count() const { return count_; }
  friend bool operator==(const TerrainLayout& a, const TerrainLayout& b) { return a.size_ == b.size_; }

 private:
  glm::ivec2 size_{0, 0};
  std::vector<std::size_t> first_;
  std::size_t count_ = 0;
};

/// The bounds of a node in the layout that terrain_bounds.comp writes, in heights as shaders read them.
struct TerrainBounds {
  float low = 0.0f, high = 0.0f;  ///< Minimum and maximum height.
  float error = 0.0f;             ///< Maximum vertical distance of the patch from the full surface.
  float half_error = 0.0f;        ///< Maximum vertical distance if half of the points are left out.
};

/// A patch to draw in the layout that terrain.vert reads: x and y of the node, its level, and flags. The flags are the
/// number of levels by which each edge is coarser than the patch, 4 bits each for west, east, north and south; bits 16
/// and 17, which of these sides a wall is for; and bit 20, whether half of the points are left out.
using TerrainPatch = glm::ivec4;

/// The patches of a picture.
struct TerrainSelection {
  std::vector<TerrainPatch> full, half;  ///< Patches in view, at full or half levels, roughly front to back.
  std::vector<TerrainPatch> rim;         ///< Patches in view at the rim of the terrain, once for each side at the rim.
  float pixel_error = 0.0f;              ///< The error in pixels to which the patches are refined.
};

/// What patches are selected for.
struct TerrainQuery {
  float pixel_error = 1.0f;              ///< Maximum error in pixels; 0 selects level 0 everywhere.
  std::int64_t max_triangles = 2000000;  ///< Maximum number of triangles in view; the error grows until they fit.
  float relief = base_relief;            ///< Height of the range of heights, in sides of the terrain.
  float water = -1.0f;  ///< Height of the sea, which hides the ground below it; negative if there is none.
  bool walls = true;    ///< If true, there are walls; the ground at the rim is seen through sides of the sea.
  bool cull = true;     ///< If true, patches out of view are left out. It does not change the other patches.
};

/// The quadtree of a heightmap, and the selection of patches from it.
class TerrainTree {
 public:
  TerrainTree() = default;
  TerrainTree(const TerrainLayout& layout, std::vector<TerrainBounds> bounds);

  [[nodiscard]] bool empty() const { return bounds_.empty(); }
  [[nodiscard]] const TerrainLayout& layout() const { return layout_; }
  [[nodiscard]] const TerrainBounds& bounds(int x, int y, int level) const {
    return bounds_[layout_.index(x, y, level)];
  }
  /// Number of levels of detail.
  [[nodiscard]] int levels() const { return layout_.levels(); }
  [[nodiscard]] float low() const { return bounds_.back().low; }
  [[nodiscard]] float high() const { return bounds_.back().high; }
  /// World coordinates of the corners of the box of everything that is drawn at this relief.
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
  /// Selects patches for an error. Returns false if they have more triangles than the query allows.
  bool refine(const TerrainCamera& camera, const TerrainQuery& query, float pixel_error);
  /// Selects patches for the error of the query or, if that takes too many triangles, for the minimum error that does
  /// not, within 6 %. Returns the error.
  float refine_within_budget(const TerrainCamera& camera, const TerrainQuery& query);
  /// Splits patches that are more than max_coarser_levels coarser than a neighbour.
  void balance();
  void paint(const Node& node);
  [[nodiscard]] int painted(int x, int y) const;
  [[nodiscard]] int finest_beside(const Node& node) const;
  [[nodiscard]] TerrainPatch stitched(const Node& node) const;

  TerrainLayout layout_;
  std::vector<TerrainBounds> bounds_;
  std::vector<Node> chosen_;
  float last_error_ = 0.0f;  ///< Error of the last selection.
  /// For each node of level 0, twice the level of the selected patch over it, plus one if the patch is at a half level.
  std::vector<std::uint8_t> painted_;
};

}  // namespace threadscape::render

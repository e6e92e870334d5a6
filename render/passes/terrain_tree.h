#pragma once
// Which parts of a terrain are drawn how finely. A quadtree of square patches, each drawn with the same grid of
// TerrainLayout::side x side cells: patches of level 0 show every point of the heightmap, those of level l every
// 2^l-th.
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
  static constexpr int side = 32;  ///< cells of a patch

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
  float error = 0.0f;  ///< at most so far is the patch from the full surface, vertically
  float unused = 0.0f;
};

/// A patch to draw, as terrain.vert reads it: node coordinates, level, and how many levels coarser each neighbour is: 4
/// bits each for west, east, north, south; bits 16 to 19 say on which of these sides the terrain ends.
using TerrainPatch = glm::ivec4;

struct TerrainSelection {
  std::vector<TerrainPatch> patches;  ///< in sight, the nearest first
  std::vector<TerrainPatch> rim;      ///< those of them at the terrain's rim
  float pixel_error = 0.0f;           ///< what it was refined to
};

struct TerrainQuery {
  float pixel_error = 1.0f;         ///< 0: every patch at level 0
  std::size_t most_patches = 1000;  ///< in sight; the error grows until they are no more
  float relief = base_relief;       ///< of the range of heights, in sides
  bool cull = true;                 ///< leave out what is out of sight; what is drawn stays as fine as it was
};

class TerrainTree {
 public:
  TerrainTree() = default;
  TerrainTree(const TerrainLayout& layout, std::vector<TerrainBounds> bounds);

  [[nodiscard]] bool empty() const { return bounds_.empty(); }
  [[nodiscard]] const TerrainLayout& layout() const { return layout_; }
  [[nodiscard]] float low() const { return bounds_.back().low; }
  [[nodiscard]] float high() const { return bounds_.back().high; }
  /// World coordinates of all that is drawn at this relief.
  [[nodiscard]] glm::vec3 low_corner(float relief) const;
  [[nodiscard]] glm::vec3 high_corner(float relief) const;

  [[nodiscard]] TerrainSelection select(const TerrainCamera& camera, const TerrainQuery& query);

 private:
  struct Node {
    int x, y, level;
  };
  struct Box {
    glm::vec3 low, high;
  };
  [[nodiscard]] Box box(const Node& node, float relief) const;
  /// False when more patches are in sight than asked for.
  bool refine(const TerrainCamera& camera, const TerrainQuery& query, float pixel_error);
  /// Splits patches that are too much coarser than a neighbour.
  void balance();
  void paint(const Node& node);
  [[nodiscard]] int level_at(int x, int y) const;
  [[nodiscard]] int finest_beside(const Node& node) const;
  [[nodiscard]] TerrainPatch stitched(const Node& node) const;

  TerrainLayout layout_;
  std::vector<TerrainBounds> bounds_;
  std::vector<Node> chosen_;
  std::vector<std::uint8_t> level_of_leaf_;  ///< level of the chosen patch over each node of level 0
};

}  // namespace threadscape::render

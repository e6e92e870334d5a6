#pragma once
// Triangles that are drawn in parts: each is divided into four, level by level, along the middles of its edges. Parts
// have numbers as if they were triangles of the mesh: 4^levels numbers for each triangle, one behind the other. Corners
// of parts are computed in clip space, and on an edge from its two ends alone, so that neighbours have no gaps.

#include "compute/algorithms/graphics/rasterize/rasterize_math.h"

namespace threadscape::rasterize {

inline constexpr int most_divisions = 4;

/// A mesh whose triangles have the numbers of parts.
struct DrawnMesh : MeshView {
  std::uint32_t shift = 0;  ///< Two for each level of division.

  DrawnMesh() = default;
  // NOLINTNEXTLINE(google-explicit-constructor): undivided meshes are meshes.
  TS_HD DrawnMesh(const MeshView& mesh) : MeshView(mesh) {}
  TS_HD DrawnMesh(const MeshView& mesh, const Plan& plan)
      : MeshView(mesh), shift(2 * static_cast<std::uint32_t>(plan.division)) {}

  /// The vertex at a corner of the triangle that a part belongs to.
  [[nodiscard]] TS_HD std::uint32_t corner(std::uint32_t part, int i) const {
    return MeshView::corner(part >> shift, i);
  }
  [[nodiscard]] TS_HD std::uint32_t material_index(std::uint32_t part) const {
    return MeshView::material_index(part >> shift);
  }
};

/// The weights of the corners 0, 1 and 2 of a triangle at the corners of a part.
struct PartCorners {
  float weight[3][3];
};

/// Row r of a triangle that is divided into n rows consists of 2 r + 1 parts, of which every second one is upside down.
[[nodiscard]] TS_HD inline PartCorners part_corners(int levels, std::uint32_t part) {
  const int place = static_cast<int>(part & ((1u << (2 * levels)) - 1u));
  const int row = static_cast<int>(sqrtf(static_cast<float>(place))), column = place - row * row;
  const int left = column / 2;
  const bool upside_down = column % 2 != 0;
  const int rows[3] = {row, row + 1, upside_down ? row : row + 1};
  const int columns[3] = {left, upside_down ? left + 1 : left, left + 1};
  const float step = 1.0f / static_cast<float>(1 << levels);
  PartCorners corners{};
  for (int i = 0; i < 3; ++i) {
    corners.weight[i][0] = static_cast<float>((1 << levels) - rows[i]) * step;
    corners.weight[i][1] = static_cast<float>(rows[i] - columns[i]) * step;
    corners.weight[i][2] = static_cast<float>(columns[i]) * step;
  }
  return corners;
}

/// Replaces the corners of a triangle by those of a part.
TS_HD inline void divide(int levels, std::uint32_t part, ClipVertex* corner) {
  const PartCorners corners = part_corners(levels, part);
  const ClipVertex a = corner[0], b = corner[1], c = corner[2];
  for (int i = 0; i < 3; ++i) {
    const float* const w = corners.weight[i];
    corner[i] = {(a.x * w[0] + b.x * w[1]) + c.x * w[2], (a.y * w[0] + b.y * w[1]) + c.y * w[2],
                 (a.z * w[0] + b.z * w[1]) + c.z * w[2], (a.w * w[0] + b.w * w[1]) + c.w * w[2]};
  }
}

/// Numbers that stand in the same order for the corners of an edge in both triangles that share it: those of the
/// vertices, or for parts the order of their places.
TS_HD inline void edge_order(const Plan& plan, const DrawnMesh& mesh, std::uint32_t triangle, const ClipVertex* corner,
                             std::uint32_t* order) {
  const auto before = [](const ClipVertex& a, const ClipVertex& b) {
    if (a.x != b.x) return a.x < b.x;
    if (a.y != b.y) return a.y < b.y;
    return a.z < b.z;
  };
  for (int i = 0; i < 3; ++i) {
    order[i] = plan.division == 0 ? mesh.corner(triangle, i) : 0;
    for (int j = 0; j < 3 && plan.division != 0; ++j)
      order[i] += before(corner[j], corner[i]) ? 1 : 0;
  }
}

}  // namespace threadscape::rasterize

#include "render/passes/terrain_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_access.hpp>

namespace threadscape::render {

namespace {

/// Levels between neighbours. An edge of 2^5 cells could meet one five levels coarser; four leave a margin and cost
/// nothing in practice.
constexpr int most_coarser = 4;

int divided_up(int value, int unit) {
  return (value + unit - 1) / unit;
}

class Frustum {
 public:
  explicit Frustum(const glm::mat4& clip) {
    const glm::vec4 w = glm::row(clip, 3);
    for (int axis = 0; axis < 3; ++axis) {
      planes_[static_cast<std::size_t>(2 * axis)] = w + glm::row(clip, axis);
      planes_[static_cast<std::size_t>(2 * axis + 1)] = w - glm::row(clip, axis);
    }
  }
  /// False only when the box is wholly outside of one plane.
  [[nodiscard]] bool may_see(glm::vec3 low, glm::vec3 high) const {
    return std::ranges::all_of(planes_, [&](const glm::vec4& plane) {
      const glm::vec3 normal(plane);
      const glm::vec3 inmost = glm::mix(low, high, glm::vec3(glm::greaterThan(normal, glm::vec3(0.0f))));
      return glm::dot(normal, inmost) + plane.w >= 0.0f;
    });
  }

 private:
  std::array<glm::vec4, 6> planes_;
};

}  // namespace

TerrainLayout::TerrainLayout(glm::ivec2 size) : size_(size) {
  for (int level = 0;; ++level) {
    first_.push_back(count_);
    const glm::ivec2 here = nodes(level);
    count_ += static_cast<std::size_t>(here.x) * static_cast<std::size_t>(here.y);
    if (here == glm::ivec2(1, 1)) return;
  }
}

glm::ivec2 TerrainLayout::nodes(int level) const {
  const int cells = side << level;
  return {std::max(divided_up(size_.x - 1, cells), 1), std::max(divided_up(size_.y - 1, cells), 1)};
}

std::size_t TerrainLayout::index(int x, int y, int level) const {
  return first(level) + static_cast<std::size_t>(y) * static_cast<std::size_t>(nodes(level).x) +
         static_cast<std::size_t>(x);
}

TerrainTree::TerrainTree(const TerrainLayout& layout, std::vector<TerrainBounds> bounds)
    : layout_(layout), bounds_(std::move(bounds)) {
  const glm::ivec2 leaves = layout_.nodes(0);
  level_of_leaf_.resize(static_cast<std::size_t>(leaves.x) * static_cast<std::size_t>(leaves.y));
}

glm::vec3 TerrainTree::low_corner(float relief) const {
  return box({0, 0, layout_.levels() - 1}, relief).low - glm::vec3(0.0f, wall_depth, 0.0f);
}

glm::vec3 TerrainTree::high_corner(float relief) const {
  return box({0, 0, layout_.levels() - 1}, relief).high;
}

TerrainTree::Box TerrainTree::box(const Node& node, float relief) const {
  const TerrainBounds& bounds = bounds_[layout_.index(node.x, node.y, node.level)];
  const glm::vec2 last = glm::vec2(layout_.size() - 1);
  const float cell = 1.0f / std::max({last.x, last.y, 1.0f});
  const auto extent = static_cast<float>(TerrainLayout::side << node.level);
  const glm::vec2 from = glm::vec2(node.x, node.y) * extent;
  const glm::vec2 low = (from - last * 0.5f) * cell;
  const glm::vec2 high = (glm::min(from + extent, last) - last * 0.5f) * cell;
  const float range = this->high() - this->low();
  const float scale = range > 0.0f ? relief / range : 0.0f;
  return {{low.x, (bounds.low - this->low()) * scale, low.y}, {high.x, (bounds.high - this->low()) * scale, high.y}};
}

void TerrainTree::paint(const Node& node) {
  const glm::ivec2 leaves = layout_.nodes(0);
  const int right = std::min((node.x + 1) << node.level, leaves.x);
  const int bottom = std::min((node.y + 1) << node.level, leaves.y);
  for (int y = node.y << node.level; y < bottom; ++y)
    for (int x = node.x << node.level; x < right; ++x)
      level_of_leaf_[static_cast<std::size_t>(y * leaves.x + x)] = static_cast<std::uint8_t>(node.level);
}

/// Level of the chosen patch over a node of level 0; 0 outside of the terrain.
int TerrainTree::level_at(int x, int y) const {
  const glm::ivec2 leaves = layout_.nodes(0);
  if (x < 0 || y < 0 || x >= leaves.x || y >= leaves.y) return -1;
  return level_of_leaf_[static_cast<std::size_t>(y * leaves.x + x)];
}

bool TerrainTree::refine(const TerrainCamera& camera, const TerrainQuery& query, float pixel_error) {
  const float range = high() - low();
  const float scale = (range > 0.0f ? query.relief / range : 0.0f) * camera.pixels;
  const Frustum frustum(camera.clip());
  std::size_t in_sight = 0;
  chosen_.clear();
  std::vector<Node> open{{0, 0, layout_.levels() - 1}};
  while (!open.empty()) {
    const Node node = open.back();
    open.pop_back();
    const Box bounds = box(node, query.relief);
    const float away =
        camera.orthographic ? 1.0f : glm::distance(camera.eye, glm::clamp(camera.eye, bounds.low, bounds.high));
    const float error = bounds_[layout_.index(node.x, node.y, node.level)].error * scale;
    if (node.level > 0 && (pixel_error <= 0.0f || error > pixel_error * away)) {
      const glm::ivec2 below = layout_.nodes(node.level - 1);
      for (int child = 0; child < 4; ++child) {
        const Node next{2 * node.x + (child & 1), 2 * node.y + (child >> 1), node.level - 1};
        if (next.x < below.x && next.y < below.y) open.push_back(next);
      }
      continue;
    }
    chosen_.push_back(node);
    if (frustum.may_see(bounds.low, bounds.high) && ++in_sight > query.most_patches) return false;
  }
  return true;
}

int TerrainTree::finest_beside(const Node& node) const {
  const int left = node.x << node.level, top = node.y << node.level;
  const int extent = 1 << node.level;
  int finest = node.level;
  const auto look = [&](int x, int y) {
    if (const int level = level_at(x, y); level >= 0) finest = std::min(finest, level);
  };
  for (int i = 0; i < extent; ++i) {
    look(left - 1, top + i);
    look(left + extent, top + i);
    look(left + i, top - 1);
    look(left + i, top + extent);
  }
  return finest;
}

void TerrainTree::balance() {
  for (const Node& node : chosen_)
    paint(node);
  // Children go to the end and are looked at in their turn; splitting may make a coarse neighbour too coarse, so the
  // whole is repeated until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const Node node = chosen_[i];
      if (node.level <= most_coarser || node.level - finest_beside(node) <= most_coarser) continue;
      changed = true;
      const glm::ivec2 below = layout_.nodes(node.level - 1);
      bool first = true;
      for (int child = 0; child < 4; ++child) {
        const Node next{2 * node.x + (child & 1), 2 * node.y + (child >> 1), node.level - 1};
        if (next.x >= below.x || next.y >= below.y) continue;
        paint(next);
        if (first)
          chosen_[i] = next;
        else
          chosen_.push_back(next);
        first = false;
      }
    }
  }
}

TerrainPatch TerrainTree::stitched(const Node& node) const {
  const int left = node.x << node.level, top = node.y << node.level;
  const int extent = 1 << node.level;
  const std::array<int, 4> beside{level_at(left - 1, top), level_at(left + extent, top), level_at(left, top - 1),
                                  level_at(left, top + extent)};
  int bits = 0;
  for (int i = 0; i < 4; ++i) {
    const int level = beside[static_cast<std::size_t>(i)];
    bits |= std::max(level - node.level, 0) << (4 * i);
    if (level < 0) bits |= 1 << (16 + i);
  }
  return {node.x, node.y, node.level, bits};
}

TerrainSelection TerrainTree::select(const TerrainCamera& camera, const TerrainQuery& query) {
  TerrainSelection selection;
  if (empty()) return selection;
  constexpr float step = 1.2f, least = 0.25f;
  float error = query.pixel_error;
  while (!refine(camera, query, error))
    error = std::max(error, least) * step;
  selection.pixel_error = error;
  balance();

  const Frustum frustum(camera.clip());
  std::vector<std::pair<float, Node>> seen;
  for (const Node& node : chosen_) {
    const Box bounds = box(node, query.relief);
    if (query.cull && !frustum.may_see(bounds.low - glm::vec3(0.0f, wall_depth, 0.0f), bounds.high)) continue;
    seen.emplace_back(glm::dot((bounds.low + bounds.high) * 0.5f - camera.eye, camera.forward), node);
  }
  std::ranges::stable_sort(seen, {}, &std::pair<float, Node>::first);
  for (const auto& [depth, node] : seen) {
    selection.patches.push_back(stitched(node));
    if ((selection.patches.back().w >> 16) != 0) selection.rim.push_back(selection.patches.back());
  }
  return selection;
}

}  // namespace threadscape::render

#include "render/passes/terrain_tree.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <glm/common.hpp>
#include <glm/geometric.hpp>
#include <glm/gtc/matrix_access.hpp>

namespace threadscape::render {

namespace {

/// Maximum number of levels between neighbouring patches: at 4 an edge of 2^4 cells is one cell of the coarser patch.
constexpr int max_coarser_levels = 4;
static_assert(1 << max_coarser_levels == TerrainLayout::side);

/// How fast water hides the ground with depth, as in terrain_water.frag, and the minimum weight of the ground's error.
constexpr float water_opacity = 75.0f;
constexpr float min_visibility = 1.0f / 32.0f;

int divided_up(int value, int unit) {
  return (value + unit - 1) / unit;
}

enum class Sight { none, some, all };

class Frustum {
 public:
  explicit Frustum(const glm::mat4& clip) {
    const glm::vec4 w = glm::row(clip, 3);
    for (int axis = 0; axis < 3; ++axis) {
      planes_[static_cast<std::size_t>(2 * axis)] = w + glm::row(clip, axis);
      planes_[static_cast<std::size_t>(2 * axis + 1)] = w - glm::row(clip, axis);
    }
  }
  /// Returns whether a box is in view: `none` if it is entirely outside of one plane, `all` if it is inside of all
  /// planes.
  [[nodiscard]] Sight sight(glm::vec3 low, glm::vec3 high) const {
    const glm::vec3 middle = (low + high) * 0.5f, half = (high - low) * 0.5f;
    Sight sight = Sight::all;
    for (const glm::vec4& plane : planes_) {
      const glm::vec3 normal(plane);
      const float away = glm::dot(normal, middle) + plane.w, reach = glm::dot(glm::abs(normal), half);
      if (away < -reach) return Sight::none;
      if (away < reach) sight = Sight::some;
    }
    return sight;
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
  painted_.resize(static_cast<std::size_t>(leaves.x) * static_cast<std::size_t>(leaves.y));
}

glm::vec3 TerrainTree::low_corner(float relief) const {
  return box({0, 0, layout_.levels() - 1, false}, relief).low - glm::vec3(0.0f, wall_depth, 0.0f);
}

glm::vec3 TerrainTree::high_corner(float relief) const {
  return box({0, 0, layout_.levels() - 1, false}, relief).high;
}

TerrainTree::Box TerrainTree::box(const Node& node, float relief) const {
  const TerrainBounds& heights = bounds(node);
  const glm::vec2 last = glm::vec2(layout_.size() - 1);
  const float cell = 1.0f / std::max({last.x, last.y, 1.0f});
  const auto extent = static_cast<float>(TerrainLayout::side << node.level);
  const glm::vec2 from = glm::vec2(node.x, node.y) * extent;
  const glm::vec2 low = (from - last * 0.5f) * cell;
  const glm::vec2 high = (glm::min(from + extent, last) - last * 0.5f) * cell;
  const float range = this->high() - this->low();
  const float scale = range > 0.0f ? relief / range : 0.0f;
  return {{low.x, (heights.low - this->low()) * scale, low.y}, {high.x, (heights.high - this->low()) * scale, high.y}};
}

bool TerrainTree::at_rim(const Node& node) const {
  const glm::ivec2 last = layout_.nodes(node.level) - 1;
  return node.x == 0 || node.y == 0 || node.x == last.x || node.y == last.y;
}

void TerrainTree::paint(const Node& node) {
  const glm::ivec2 leaves = layout_.nodes(0);
  const int left = node.x << node.level, right = std::min((node.x + 1) << node.level, leaves.x);
  const int bottom = std::min((node.y + 1) << node.level, leaves.y);
  for (int y = node.y << node.level; y < bottom; ++y)
    std::fill_n(painted_.begin() + static_cast<std::ptrdiff_t>(y) * leaves.x + left, right - left,
                static_cast<std::uint8_t>(2 * node.level + (node.half ? 1 : 0)));
}

/// The painted value of a node of level 0 (see painted_); negative outside of the terrain.
int TerrainTree::painted(int x, int y) const {
  const glm::ivec2 leaves = layout_.nodes(0);
  if (x < 0 || y < 0 || x >= leaves.x || y >= leaves.y) return -1;
  return painted_[static_cast<std::size_t>(y) * static_cast<std::size_t>(leaves.x) + static_cast<std::size_t>(x)];
}

bool TerrainTree::refine(const TerrainCamera& camera, const TerrainQuery& query, float pixel_error) {
  struct Open {
    Node node;
    bool inside;  ///< If true, the node, and thus all nodes below it, is inside of all planes of the view.
  };
  const float range = high() - low();
  const float scale = range > 0.0f ? query.relief / range : 0.0f;
  const Frustum frustum(camera.clip());
  const bool above_water =
      query.water >= 0.0f && (camera.orthographic ? camera.forward.y < 0.0f : camera.eye.y > query.water);
  std::int64_t triangles = 0;
  chosen_.clear();
  std::vector<Open> open{{{0, 0, layout_.levels() - 1, false}, false}};
  while (!open.empty()) {
    auto [node, inside] = open.back();
    open.pop_back();
    const Box at = box(node, query.relief);
    if (!inside) {
      const Sight sight = frustum.sight(at.low - glm::vec3(0.0f, wall_depth, 0.0f), at.high);
      if (sight == Sight::none) {
        // A patch out of view may be as coarse as its neighbours allow.
        chosen_.push_back(node);
        continue;
      }
      inside = sight == Sight::all;
    }
    float pixels = camera.upright_pixels(at.low, at.high) * scale;
    if (above_water && at.high.y < query.water && !(query.walls && at_rim(node)))
      pixels *= std::max(std::exp(water_opacity * (at.high.y - query.water)), min_visibility);
    if (node.level > 0 && (pixel_error <= 0.0f || bounds(node).error * pixels > pixel_error)) {
      // The nearest child is visited first, so that patches are roughly in front-to-back order.
      const glm::ivec2 below = layout_.nodes(node.level - 1);
      const glm::vec3 towards = camera.orthographic ? -camera.forward : camera.eye - (at.low + at.high) * 0.5f;
      const int nearest = (towards.x > 0.0f ? 1 : 0) | (towards.z > 0.0f ? 2 : 0);
      for (const int away : {3, 2, 1, 0}) {
        const int child = nearest ^ away;
        const Node next{2 * node.x + (child & 1), 2 * node.y + (child >> 1), node.level - 1, false};
        if (next.x < below.x && next.y < below.y) open.push_back({next, inside});
      }
      continue;
    }
    node.half = pixel_error > 0.0f && bounds(node).half_error * pixels <= pixel_error;
    triangles += node.half ? TerrainLayout::half_triangles : TerrainLayout::full_triangles;
    if (triangles > query.max_triangles) return false;
    chosen_.push_back(node);
  }
  return true;
}

float TerrainTree::refine_within_budget(const TerrainCamera& camera, const TerrainQuery& query) {
  constexpr float close = 1.06f, step = 1.3f, min_error = 0.2f;
  // Little changes between frames: usually the last error still fits the budget, and a slightly smaller one does not.
  const float start = std::max(last_error_, query.pixel_error);
  float enough = start, too_fine = start;
  std::vector<Node> best;
  if (refine(camera, query, start)) {
    best.swap(chosen_);
    for (float next = start / close; enough > query.pixel_error; next = enough / step) {
      // Steps by factors never reach an error of 0.
      next = next < min_error ? query.pixel_error : std::max(next, query.pixel_error);
      if (!refine(camera, query, next)) {
        too_fine = next;
        break;
      }
      best.swap(chosen_);
      enough = too_fine = next;
    }
  } else {
    too_fine = std::max(start, min_error);
    enough = too_fine * close;
    for (; !refine(camera, query, enough); enough *= step)
      too_fine = enough;
    best.swap(chosen_);
  }
  while (enough > std::max(too_fine * close * 1.001f, min_error)) {
    const float between = (too_fine + enough) * 0.5f;
    if (refine(camera, query, between)) {
      enough = between;
      best.swap(chosen_);
    } else {
      too_fine = between;
    }
  }
  chosen_.swap(best);
  return last_error_ = enough;
}

int TerrainTree::finest_beside(const Node& node) const {
  const int left = node.x << node.level, top = node.y << node.level;
  const int extent = 1 << node.level;
  int finest = node.level;
  const auto look = [&](int x, int y) {
    if (const int paint = painted(x, y); paint >= 0) finest = std::min(finest, paint >> 1);
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
  // Children are appended and visited in turn. Splitting may make a coarse neighbour too coarse, so the loop is
  // repeated until nothing changes.
  for (bool changed = true; changed;) {
    changed = false;
    for (std::size_t i = 0; i < chosen_.size(); ++i) {
      const Node node = chosen_[i];
      if (node.level < max_coarser_levels ||
          node.level + (node.half ? 1 : 0) - finest_beside(node) <= max_coarser_levels)
        continue;
      changed = true;
      if (node.half) {
        chosen_[i].half = false;
        paint(chosen_[i]);
        continue;
      }
      const glm::ivec2 below = layout_.nodes(node.level - 1);
      bool first = true;
      for (int child = 0; child < 4; ++child) {
        const Node next{2 * node.x + (child & 1), 2 * node.y + (child >> 1), node.level - 1, false};
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
  const std::array<int, 4> beside{painted(left - 1, top), painted(left + extent, top), painted(left, top - 1),
                                  painted(left, top + extent)};
  const int own = node.half ? 1 : 0;
  int bits = own << 20;
  for (int i = 0; i < 4; ++i) {
    const int paint = beside[static_cast<std::size_t>(i)];
    const int edge = paint < 0 ? 0 : (paint >> 1) + (paint & 1) - node.level;
    bits |= std::max(edge, own) << (4 * i);
  }
  return {node.x, node.y, node.level, bits};
}

TerrainSelection TerrainTree::select(const TerrainCamera& camera, const TerrainQuery& query) {
  TerrainSelection selection;
  if (empty()) return selection;
  selection.pixel_error = refine_within_budget(camera, query);
  balance();
  const Frustum frustum(camera.clip());
  for (const Node& node : chosen_) {
    const Box at = box(node, query.relief);
    if (query.cull && frustum.sight(at.low - glm::vec3(0.0f, wall_depth, 0.0f), at.high) == Sight::none) continue;
    const TerrainPatch patch = stitched(node);
    (node.half ? selection.half : selection.full).push_back(patch);
    const glm::ivec2 last = layout_.nodes(node.level) - 1;
    const std::array<bool, 4> ends{node.x == 0, node.x == last.x, node.y == 0, node.y == last.y};
    for (int i = 0; i < 4; ++i)
      if (ends[static_cast<std::size_t>(i)]) selection.rim.push_back(patch | glm::ivec4(0, 0, 0, i << 16));
  }
  return selection;
}

}  // namespace threadscape::render

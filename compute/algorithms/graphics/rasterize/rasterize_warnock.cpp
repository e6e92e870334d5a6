// Visibility by dividing the picture (Warnock, A hidden surface algorithm for computer generated halftone pictures,
// University of Utah, 1969): a window with no triangle, with one, or with one that covers all of it in front of all
// others is drawn at once; every other window is divided into four.

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"
#include "compute/algorithms/graphics/rasterize/rasterize_regions.h"

namespace threadscape::rasterize {

namespace {

/// The pixels x0 <= x < x1, y0 <= y < y1.
struct Window {
  int x0, y0, x1, y1;
};

/// What a triangle is to a window.
struct Relation {
  bool inside = false;                                ///< Some piece may cover a pixel of the window.
  bool surrounds = false;                             ///< One piece covers every pixel of the window.
  std::uint32_t nearest = 0xffffffffu, farthest = 0;  ///< The range of its keys of depth in the window.
};

/// The depth of a piece is computed by operations that are monotonic in x and in y, even after rounding, so its
/// extremes in a window are at the corners of the window.
void relate(const Plan& plan, const ScreenTriangle& t, const Window& window, Relation& relation) {
  const int x0 = std::max(window.x0, t.x0), x1 = std::min(window.x1 - 1, t.x1);
  const int y0 = std::max(window.y0, t.y0), y1 = std::min(window.y1 - 1, t.y1);
  if (x1 < x0 || y1 < y0) return;
  bool all = x0 == window.x0 && y0 == window.y0 && x1 == window.x1 - 1 && y1 == window.y1 - 1;
  for (int i = 0; i < 3; ++i) {
    const auto edge = [&](int x, int y) {
      return static_cast<std::int64_t>(t.a[i]) * x + static_cast<std::int64_t>(t.b[i]) * y + t.c[i];
    };
    const std::int64_t highest = edge(t.a[i] > 0 ? x1 : x0, t.b[i] > 0 ? y1 : y0);
    const std::int64_t lowest = edge(t.a[i] > 0 ? x0 : x1, t.b[i] > 0 ? y0 : y1);
    if (highest < 0) return;
    all = all && lowest >= 0;
  }
  relation.inside = true;
  relation.surrounds = relation.surrounds || all;
  for (const int x : {x0, x1})
    for (const int y : {y0, y1}) {
      const std::uint32_t key = depth_key(depth_at(t, x, y), plan.depth_bits);
      relation.nearest = std::min(relation.nearest, key);
      relation.farthest = std::max(relation.farthest, key);
    }
}

class Warnock {
 public:
  /// Adds the regions that are not divided to `regions` unless it is null.
  Warnock(const HostFrame& frame, std::span<std::uint64_t> list, std::vector<Region>* regions = nullptr)
      : frame_(frame), list_(list), regions_(regions) {}

  /// Draws a window in which only the first `count` triangles of the list can be visible. Their order may change.
  void draw(const Window& window, std::size_t count) {
    if (frame_.stop.stop_requested()) return;
    const Plan& plan = *frame_.plan;
    std::size_t inside = 0;
    std::uint32_t front = 0, second = 0xffffffffu;  // The nearest depth of the others is `second`.
    std::uint32_t limit = 0xffffffffu;
    bool surrounded = false;
    for (std::size_t i = 0; i < count; ++i) {
      const auto triangle = static_cast<std::uint32_t>(list_[i]);
      Relation relation;
      for_each_piece(frame_, triangle,
                     [&](const Piece& piece, const Polygon&, bool) { relate(plan, piece.screen, window, relation); });
      if (!relation.inside) continue;
      std::swap(list_[i], list_[inside++]);
      if (relation.surrounds && relation.farthest < limit) {
        // The surrounder before this one is now one of the others.
        if (surrounded) second = std::min(second, front_nearest_);
        surrounded = true;
        front = triangle;
        limit = relation.farthest;
        front_nearest_ = relation.nearest;
      } else {
        second = std::min(second, relation.nearest);
      }
    }
    const auto end_with = [&](RegionCase why) {
      if (regions_ != nullptr)
        regions_->push_back({window.x0, window.y0, window.x1, window.y1, static_cast<std::uint32_t>(inside), why});
    };
    if (inside == 0) return end_with(RegionCase::empty);
    const bool one_pixel = window.x1 - window.x0 <= 1 && window.y1 - window.y0 <= 1;
    if (inside == 1 || one_pixel) {
      for (std::size_t i = 0; i < inside; ++i)
        fill(static_cast<std::uint32_t>(list_[i]), window);
      end_with(inside == 1 ? RegionCase::one : RegionCase::pixel);
    } else if (surrounded && limit < second) {
      fill(front, window);
      end_with(RegionCase::surrounded);
    } else {
      const int x = (window.x0 + window.x1 + 1) / 2, y = (window.y0 + window.y1 + 1) / 2;
      for (const Window& quarter : {Window{window.x0, window.y0, x, y}, Window{x, window.y0, window.x1, y},
                                    Window{window.x0, y, x, window.y1}, Window{x, y, window.x1, window.y1}})
        if (quarter.x0 < quarter.x1 && quarter.y0 < quarter.y1) draw(quarter, inside);
    }
  }

 private:
  /// Draws the part of a triangle inside of the window.
  void fill(std::uint32_t triangle, const Window& window) const {
    for_each_piece(frame_, triangle, [&](const Piece& piece, const Polygon&, bool) {
      ScreenTriangle t = piece.screen;
      t.x1 = std::min(t.x1, window.x1 - 1);
      for (int y = std::max(t.y0, window.y0); y <= std::min(t.y1, window.y1 - 1); ++y)
        for (int x = std::max(t.x0, window.x0); x <= t.x1; ++x)
          if (covers(t, x, y))
            frame_.at(x, y) =
                std::min(frame_.at(x, y), visible(depth_key(depth_at(t, x, y), frame_.plan->depth_bits), triangle));
    });
  }

  const HostFrame& frame_;
  std::span<std::uint64_t> list_;
  std::vector<Region>* regions_;
  std::uint32_t front_nearest_ = 0;
};

/// Puts the opaque triangles into a list. Returns their number.
std::size_t list_opaque(const HostFrame& frame, std::span<std::uint64_t> list) {
  std::size_t count = 0;
  for (std::uint32_t triangle = 0; triangle < frame.plan->triangles; ++triangle)
    if (drawn_opaque(*frame.plan, frame.mesh, triangle)) list[count++] = triangle;
  return count;
}

}  // namespace

void draw_rows_warnock(const HostFrame& frame, const Rows& rows) {
  const Plan& plan = *frame.plan;
  const auto list = frame.lists.subspan(static_cast<std::size_t>(rows.slot) * plan.triangles, plan.triangles);
  const std::size_t count = list_opaque(frame, list);
  Warnock(frame, list).draw({0, rows.y0, plan.width, rows.y1}, count);
}

std::vector<Region> warnock_regions(const Plan& plan, const MeshView& mesh) {
  std::vector<ClipVertex> clip(plan.vertices);
  std::vector<Visible> visible(static_cast<std::size_t>(plan.width) * static_cast<std::size_t>(plan.height),
                               nothing_visible(plan.depth_bits));
  std::vector<std::uint64_t> list(plan.triangles);
  HostFrame frame;
  frame.plan = &plan;
  frame.mesh = mesh;
  frame.clip = clip;
  frame.visible = visible;
  transform_vertices(frame, 0, plan.vertices);
  std::vector<Region> regions;
  Warnock(frame, list, &regions).draw({0, 0, plan.width, plan.height}, list_opaque(frame, list));
  return regions;
}

}  // namespace threadscape::rasterize

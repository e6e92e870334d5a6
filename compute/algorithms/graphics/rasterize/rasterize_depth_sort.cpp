// Visibility by painting in the right order (Newell, Newell, Sancha, A solution to the hidden surface problem, ACM
// annual conference, 1972). Triangles are sorted by their farthest points. Before one is painted, tests of increasing
// cost show that it hides none of those behind it in the list: extents in depth, bounding boxes, planes, pixels. If it
// does hide one, both are exchanged; where triangles overlap cyclically or cut each other, one is split by the plane of
// another.
//
// The last test compares depths at the pixels that both cover, as the depth buffer does. A part of a split triangle is
// the triangle with conditions on its pixels, so that parts leave no pixel out and share none.

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"

namespace threadscape::rasterize {

namespace {

using Node = PaintNode;

class DepthSort {
 public:
  DepthSort(const HostFrame& frame, const Rows& rows) : frame_(frame), plan_(*frame.plan), rows_(rows) {}

  DepthSortCounts run() {
    if (collect()) {
      sort();
      while (first_ < frame_.paint_order.size() && !counts_.gave_up && !frame_.stop.stop_requested())
        place_first();
    } else {
      counts_.gave_up = true;
    }
    return counts_;
  }

 private:
  [[nodiscard]] Node& node(std::size_t place) const { return frame_.paint_nodes[frame_.paint_order[place]]; }

  /// Fills the nodes with all pieces of opaque triangles. Returns false if they are too many.
  bool collect() {
    for (std::uint32_t triangle = 0; triangle < plan_.triangles && !frame_.stop.stop_requested(); ++triangle) {
      if (!drawn_opaque(plan_, frame_.mesh, triangle)) continue;
      bool fits = true;
      for_each_piece(frame_, triangle, [&](const Piece& piece, const Polygon&, bool) {
        fits = node_count_ < frame_.paint_nodes.size();
        if (!fits) return;
        Node& n = frame_.paint_nodes[node_count_++];
        n = {};
        n.screen = piece.screen;
        n.screen.y0 = std::max(n.screen.y0, rows_.y0);
        n.screen.y1 = std::min(n.screen.y1, rows_.y1 - 1);
        // Depths are counted from the first row of the whole triangle.
        n.z_row = piece.screen.y0;
        for (int i = 0; i < 3; ++i)
          n.corner[i] = piece.corner[i];
        n.triangle = triangle;
        n.nearest = depth_key(piece.screen.z_low, plan_.depth_bits);
        n.farthest = depth_key(piece.screen.z_high, plan_.depth_bits);
      });
      if (!fits) return false;
    }
    return true;
  }

  void sort() {
    const auto order = frame_.paint_order;
    first_ = order.size() - node_count_;
    for (std::uint32_t i = 0; i < node_count_; ++i)
      order[first_ + i] = i;
    std::sort(order.begin() + static_cast<std::ptrdiff_t>(first_), order.end(), [&](std::uint32_t a, std::uint32_t b) {
      const Node &p = frame_.paint_nodes[a], &q = frame_.paint_nodes[b];
      return p.farthest != q.farthest ? p.farthest > q.farthest : a > b;
    });
    // At equal depth the triangle that is first in the mesh is visible, and so painted last. The bound is for meshes on
    // which exchanges and splits would not come to an end.
    steps_left_ = 256 * (std::uint64_t{node_count_} + 256);
  }

  /// Paints the first node of the list, or exchanges it with another one, or splits it.
  void place_first() {
    const Node& p = node(first_);
    for (std::size_t at = first_ + 1;
         at < frame_.paint_order.size() && (node(at).moved || node(at).farthest >= p.nearest); ++at) {
      const Node& q = node(at);
      if (!hides(p, q)) continue;
      counts_.gave_up = steps_left_-- == 0;
      if (counts_.gave_up) return;
      const bool cyclic = q.moved || hides(q, p);
      const std::uint32_t whole = frame_.paint_order[first_];
      if (cyclic && split_first(frame_.paint_order[at])) return;
      // All of the first one is in front of the other one, which can still be split.
      move_to_front(at);
      if (cyclic) (void)split_first(whole);
      return;
    }
    for_each_pixel(p, [&](int x, int y) {
      if (here(p, x, y) < nothing_visible(plan_.depth_bits)) frame_.at(x, y) = here(p, x, y);
    });
    ++first_;
  }

  void move_to_front(std::size_t at) {
    ++counts_.exchanges;
    node(at).moved = true;
    const auto begin = frame_.paint_order.begin() + static_cast<std::ptrdiff_t>(first_);
    const auto q = frame_.paint_order.begin() + static_cast<std::ptrdiff_t>(at);
    std::rotate(begin, q, q + 1);
  }

  // ---- Pixels

  /// The plane of a node at a pixel, within a range of depths. As depth_at(), whose rows count from the whole triangle.
  [[nodiscard]] Visible plane_at(const Node& n, int x, int y, float low, float high) const {
    const float row = n.screen.z + static_cast<float>(y - n.z_row) * n.screen.z_dy;
    const float z = clamp_of(row + static_cast<float>(x - n.screen.x0) * n.screen.z_dx, low, high);
    return visible(depth_key(z, plan_.depth_bits), n.triangle);
  }
  [[nodiscard]] Visible here(const Node& n, int x, int y) const {
    return plane_at(n, x, y, n.screen.z_low, n.screen.z_high);
  }
  /// Returns true if the node is in front of the plane of another one, which is continued beyond that triangle.
  [[nodiscard]] bool in_front(const Node& n, const Node& plane, int x, int y) const {
    return here(n, x, y) < (covers(plane.screen, x, y) ? here(plane, x, y) : plane_at(plane, x, y, 0.0f, 1.0f));
  }
  /// Returns true if the pixel of a node is on the side of a cut that `cut` names.
  [[nodiscard]] bool on_side(const Node& n, const Node& cutter, PaintCut cut, int x, int y) const {
    const bool front = in_front(n, cutter, x, y);
    switch (cut) {
      case PaintCut::front:
        return front;
      case PaintCut::back:
        return !front;
      case PaintCut::inside:
        return covers(cutter.screen, x, y);
      case PaintCut::outside:
        return !covers(cutter.screen, x, y);
      case PaintCut::none:
        break;
    }
    return true;
  }
  [[nodiscard]] bool has_pixel(const Node& n, int x, int y) const {
    if (!covers(n.screen, x, y)) return false;
    for (const Node* part = &n; part->cut != PaintCut::none; part = &frame_.paint_nodes[part->parent])
      if (!on_side(n, frame_.paint_nodes[part->cutter], part->cut, x, y)) return false;
    return true;
  }
  template <class Use>
  void for_each_pixel(const Node& n, const Use& use) const {
    for (int y = n.screen.y0; y <= n.screen.y1; ++y) {
      const Span span = row_span(n.screen, y);
      for (int x = span.first; x <= span.last; ++x)
        if (n.cut == PaintCut::none || has_pixel(n, x, y)) use(x, y);
    }
  }

  // ---- Tests

  /// Returns true if all corners of `n` are behind the plane of `plane`, or all in front of it, by more than what
  /// rounding of the depths can change.
  [[nodiscard]] bool beyond_plane(const Node& n, const Node& plane, bool behind) const {
    const ScreenTriangle& t = plane.screen;
    const double step =
        plan_.depth_bits == DepthBits::float32 ? 0.0 : 1.0 / static_cast<double>(depth_scale(plan_.depth_bits));
    for (const ScreenVertex& v : n.corner) {
      const double x = static_cast<double>(v.x) / subpixel - t.x0,
                   y = static_cast<double>(v.y) / subpixel - plane.z_row;
      const double along_x = x * static_cast<double>(t.z_dx), along_y = y * static_cast<double>(t.z_dy);
      const double distance = static_cast<double>(v.z) - (static_cast<double>(t.z) + along_x + along_y);
      const double size =
          1.0 + std::fabs(along_x) + std::fabs(along_y) +
          (std::fabs(static_cast<double>(n.screen.z_dx)) + std::fabs(static_cast<double>(n.screen.z_dy))) *
              std::max(plan_.width, plan_.height);
      constexpr double rounding = 1e-6;
      if ((behind ? distance : -distance) <= step + rounding * size) return false;
    }
    return true;
  }

  /// Returns true if `p`, painted first, would wrongly be hidden by `q`: at a pixel of both it is in front.
  [[nodiscard]] bool hides(const Node& p, const Node& q) {
    ++counts_.tests;
    if (p.nearest > q.farthest) return false;
    const ScreenTriangle &a = p.screen, &b = q.screen;
    const int x0 = std::max(a.x0, b.x0), x1 = std::min(a.x1, b.x1);
    const int y0 = std::max(a.y0, b.y0), y1 = std::min(a.y1, b.y1);
    if (x1 < x0 || y1 < y0) return false;
    if (beyond_plane(p, q, true) || beyond_plane(q, p, false)) return false;
    for (int y = y0; y <= y1; ++y) {
      const Span s = row_span(a, y), t = row_span(b, y);
      for (int x = std::max(s.first, t.first); x <= std::min(s.last, t.last); ++x)
        if (has_pixel(p, x, y) && has_pixel(q, x, y) && here(p, x, y) < here(q, x, y)) return true;
    }
    return false;
  }

  // ---- Splitting

  /// Sets the box and the range of depths of a part to those of its pixels. Returns false if it has none.
  bool measure(Node& part) const {
    int x1 = -1, y0 = plan_.height, y1 = -1;
    std::uint32_t nearest = 0xffffffffu, farthest = 0;
    for_each_pixel(part, [&](int x, int y) {
      const auto key = static_cast<std::uint32_t>(here(part, x, y) >> 32);
      nearest = std::min(nearest, key);
      farthest = std::max(farthest, key);
      x1 = std::max(x1, x);
      y0 = std::min(y0, y);
      y1 = std::max(y1, y);
    });
    if (x1 < 0) return false;
    part.nearest = nearest;
    part.farthest = farthest;
    part.screen.x1 = x1;
    part.screen.y0 = y0;
    part.screen.y1 = y1;
    return true;
  }

  /// Splits the first node of the list by the plane of another one. If all of it is on one side of that plane, it is
  /// split by the outline of the other one. Returns false if all of it is inside of that, too.
  bool split_first(std::uint32_t cutter) {
    const std::uint32_t whole = frame_.paint_order[first_];
    const auto part_of = [&](PaintCut cut) {
      Node part = frame_.paint_nodes[whole];
      part.cut = cut;
      part.cutter = cutter;
      part.parent = whole;
      part.moved = false;
      return part;
    };
    for (const auto& [one, other] :
         {std::pair{PaintCut::front, PaintCut::back}, {PaintCut::inside, PaintCut::outside}}) {
      Node parts[2] = {part_of(one), part_of(other)};
      if (!measure(parts[0]) || !measure(parts[1])) continue;
      counts_.gave_up = node_count_ + 2 > frame_.paint_nodes.size() || first_ == 0;
      if (counts_.gave_up) return true;
      ++counts_.splits;
      ++first_;
      for (const Node& part : parts) {
        frame_.paint_nodes[node_count_] = part;
        insert(static_cast<std::uint32_t>(node_count_++));
      }
      return true;
    }
    return false;
  }

  /// Puts a node into the list, at its place by its farthest point. Nodes that were moved are at the start, in no
  /// order.
  void insert(std::uint32_t index) {
    --first_;
    std::size_t at = first_;
    const std::uint32_t farthest = frame_.paint_nodes[index].farthest;
    for (; at + 1 < frame_.paint_order.size() && (node(at + 1).moved || node(at + 1).farthest > farthest); ++at)
      frame_.paint_order[at] = frame_.paint_order[at + 1];
    frame_.paint_order[at] = index;
  }

  const HostFrame& frame_;
  const Plan& plan_;
  Rows rows_;
  std::size_t node_count_ = 0;
  std::size_t first_ = 0;  ///< The list is the part of the order from here.
  std::uint64_t steps_left_ = 0;
  DepthSortCounts counts_;
};

}  // namespace

DepthSortCounts draw_rows_depth_sort(const HostFrame& frame, const Rows& rows) {
  const DepthSortCounts counts = DepthSort(frame, rows).run();
  if (!counts.gave_up) return counts;
  // The memory for parts was not enough. What has been painted is in the depth buffer, which takes what is in front.
  for (std::uint32_t triangle = 0; triangle < frame.plan->triangles && !frame.stop.stop_requested(); ++triangle) {
    if (!drawn_opaque(*frame.plan, frame.mesh, triangle)) continue;
    for_each_piece(frame, triangle, [&](const Piece& piece, const Polygon&, bool) {
      for_each_covered(piece, Method::scanline, rows.y0, rows.y1, [&](int x, int y) {
        const Visible here = visible(depth_key(depth_at(piece.screen, x, y), frame.plan->depth_bits), triangle);
        frame.at(x, y) = std::min(frame.at(x, y), here);
      });
    });
  }
  return counts;
}

}  // namespace threadscape::rasterize

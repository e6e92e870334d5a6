#pragma once
// The stages on the CPU, for the serial and the OpenMP backend. Each function works on a range of vertices or rows, so
// threads share a picture by rows and write to no common memory.

#include <algorithm>
#include <array>
#include <span>
#include <stop_token>

#include "compute/algorithms/graphics/rasterize/rasterize.h"
#include "compute/algorithms/graphics/rasterize/rasterize_clock.h"
#include "compute/algorithms/graphics/rasterize/rasterize_objects.h"
#include "compute/algorithms/graphics/rasterize/rasterize_shade.h"
#include "compute/algorithms/graphics/rasterize/rasterize_spans.h"

namespace threadscape::rasterize {

/// How the pixels of a triangle are found.
enum class Method { barycentric, scanline, halves };

/// Which pixels of a node are a part of it: those in front of the plane of another triangle, or all others; or those
/// inside of the outline of that triangle, or all others.
enum class PaintCut : std::uint8_t { none, front, back, inside, outside };

/// A piece of a triangle in the list of depth_sort, or a part of one.
struct PaintNode {
  ScreenTriangle screen;  ///< Its box is that of the part; x0 stays, because depths are counted from there.
  ScreenVertex corner[3];
  int z_row = 0;  ///< The row that depths are counted from.
  std::uint32_t triangle = 0;
  std::uint32_t nearest = 0, farthest = 0;  ///< The range of its keys of depth.
  std::uint32_t parent = 0, cutter = 0;     ///< The nodes that it is a part of, and whose plane has cut it.
  PaintCut cut = PaintCut::none;
  bool moved = false;  ///< It was exchanged with one that is farther.
};

/// What depth_sort has done.
struct DepthSortCounts {
  std::uint64_t tests = 0, exchanges = 0, splits = 0;
  bool gave_up = false;  ///< There was no room for more parts, so that the depth buffer decided.
};

/// The memory of a run on the CPU.
struct HostFrame {
  const Plan* plan = nullptr;
  DrawnMesh mesh;
  std::span<ClipVertex> clip;            ///< All vertices in clip space.
  std::span<Light> lights;               ///< The light at all vertices; empty if it is not computed once.
  std::span<Visible> visible;            ///< All pixels, row by row; numbers of fragments with Output::overdraw.
  std::span<std::uint64_t> lists;        ///< A list of triangles for each slot; empty where no method needs it.
  std::span<std::int32_t> counters;      ///< Two rows of counters for each slot; empty where no method needs them.
  std::span<std::uint64_t> peel;         ///< Two keys per pixel of blend_rows_at_once rows for each slot.
  std::span<Layers> layers;              ///< One per pixel of these rows, with Order::front_to_back.
  std::span<PaintNode> paint_nodes;      ///< With depth_sort: all pieces and parts of triangles.
  std::span<std::uint32_t> paint_order;  ///< As many: the end of it lists what is still to be painted, in order.
  /// A row_entry() for each transparent triangle that touches a row, in the order of the mesh. Before
  /// keep_transparent() it has an entry for each triangle; it is empty if nothing is blended.
  std::span<std::uint64_t> transparent;
  const ObjectList* objects = nullptr;  ///< Null if the plan does not test them.
  std::span<ObjectBounds> bounds;       ///< One for each object, in their order.
  std::span<std::uint32_t> blocks;      ///< The farthest key of each block, for the rows of each slot; or empty.
  HostOut out;
  StageClock* clock = nullptr;  ///< Gets the times of the stages; null if nobody asks.
  std::stop_token stop;  ///< The run's token. Once a stop is requested, all stages return early and leave out the rest.

  [[nodiscard]] Visible& at(int x, int y) const {
    return visible[static_cast<std::size_t>(y) * static_cast<std::size_t>(plan->width) + static_cast<std::size_t>(x)];
  }
  [[nodiscard]] const Light* light_table() const { return lights.empty() ? nullptr : lights.data(); }
  /// The corners of a triangle, or of a part of one.
  [[nodiscard]] std::array<ClipVertex, 3> corners(std::uint32_t triangle) const {
    std::array<ClipVertex, 3> corner{clip[mesh.corner(triangle, 0)], clip[mesh.corner(triangle, 1)],
                                     clip[mesh.corner(triangle, 2)]};
    if (plan->division != 0) divide(plan->division, triangle, corner.data());
    return corner;
  }
};

/// Takes the memory of a run from its scratch memory.
[[nodiscard]] HostFrame make_frame(const HostRun& run, const Plan& plan);

/// The rows y0 .. y1 - 1, which a thread draws with the lists of a slot, 0 .. host_slots - 1.
struct Rows {
  int y0, y1, slot;
};

/// An entry of a list of triangles: the first and the last row that a triangle touches, and its number. Entries are
/// ordered by their first rows. A picture has at most 2^14 rows.
[[nodiscard]] constexpr std::uint64_t row_entry(int first, int last, std::uint32_t triangle) {
  return static_cast<std::uint64_t>(first) << 48 | static_cast<std::uint64_t>(last) << 32 | triangle;
}
[[nodiscard]] constexpr int first_row(std::uint64_t entry) {
  return static_cast<int>(entry >> 48);
}
[[nodiscard]] constexpr int last_row(std::uint64_t entry) {
  return static_cast<int>(entry >> 32 & 0xffff);
}

/// Vertex stage for the vertices first .. end - 1.
void transform_vertices(const HostFrame& frame, std::uint32_t first, std::uint32_t end);
/// Finds the bounds of the object with this index, of which all vertices have been transformed.
void bound_object(const HostFrame& frame, int object);
/// Draws all opaque triangles into these rows of the visibility buffer, by the plan's method of visibility.
void draw_rows(const HostFrame& frame, Method method, const Rows& rows);
/// The scan-line method after Watkins 1970. Where a counter says that only one triangle covers a pixel, no depths are
/// compared.
void draw_rows_scan_line(const HostFrame& frame, const Rows& rows);
/// Painting in an order that was tested, after Newell, Newell and Sancha 1972. One thread has to draw all rows.
DepthSortCounts draw_rows_depth_sort(const HostFrame& frame, const Rows& rows);
/// Returns true if the plan is drawn so.
[[nodiscard]] inline bool sorts_by_depth(const Plan& plan) {
  return plan.visibility == Visibility::depth_sort && !plan.wireframe && plan.output != Output::overdraw;
}
/// The method of Warnock 1969: windows are divided into four until it is clear what is visible in them.
void draw_rows_warnock(const HostFrame& frame, const Rows& rows);
/// The depth that is shown for a pixel of the visibility buffer. With painter, the buffer holds the depth of the
/// triangle's farthest corner instead.
[[nodiscard]] float shown_depth(const HostFrame& frame, Visible pixel, int x, int y);
/// Writes these rows of the output from the visibility buffer.
void resolve_rows(const HostFrame& frame, const Rows& rows);
/// Returns true if transparent triangles are blended into the picture.
[[nodiscard]] inline bool blends(const Plan& plan) {
  return plan.transparent && plan.output == Output::picture && !plan.wireframe;
}
/// Fills in the entries of the triangles first .. end - 1 in `frame.transparent`. The entry of a triangle that is
/// opaque or touches no row ends before its first row, as do all entries once a stop is requested.
void find_transparent(const HostFrame& frame, std::uint32_t first, std::uint32_t end);
/// Removes the entries without rows. Must follow find_transparent() for all triangles, and precede all blending.
void keep_transparent(HostFrame& frame);
/// Blends the transparent triangles into these rows of the picture.
void blend_all_rows(const HostFrame& frame, Method method, const Rows& rows);
/// Does the same for at most blend_rows_at_once rows.
void blend_rows(const HostFrame& frame, Method method, const Rows& rows);
/// Draws, resolves and blends these rows.
void finish_rows(const HostFrame& frame, Method method, const Rows& rows);

/// Returns true if the triangle is drawn with the opaque ones, and not left out as too transparent. Edges and counts of
/// fragments have no transparency.
[[nodiscard]] inline bool drawn_opaque(const Plan& plan, const DrawnMesh& mesh, std::uint32_t triangle) {
  if (!plan.transparent) return true;
  const MeshMaterial& material = mesh.material(mesh.material_index(triangle));
  if (is_too_transparent(plan, material)) return false;
  return plan.wireframe || plan.output == Output::overdraw || !is_transparent(material);
}

/// Calls use(piece, polygon, clipped) for the pieces of a triangle.
template <class Use>
Fate for_each_piece(const HostFrame& frame, std::uint32_t triangle, const Use& use) {
  const std::array<ClipVertex, 3> corner = frame.corners(triangle);
  return for_each_piece(corner[0], corner[1], corner[2], *frame.plan, use);
}

/// Calls row(y) for rows y0 .. y1 - 1 that the triangle may cover a pixel of, and the function that it returns with the
/// x of each covered pixel.
template <class Row>
void for_each_covered_row(const Piece& piece, Method method, int y0, int y1, const Row& row) {
  const ScreenTriangle& t = piece.screen;
  const auto use_span = [&](int y, const Span& span) {
    const auto use = row(y);
    for (int x = span.first; x <= span.last; ++x)
      use(x);
  };
  if (method == Method::halves) {
    for_each_span_of_halves(piece, y0, y1, use_span);
    return;
  }
  for (int y = std::max(y0, t.y0); y <= std::min(y1 - 1, t.y1); ++y) {
    if (method == Method::scanline) {
      use_span(y, row_span(t, y));
      continue;
    }
    const auto use = row(y);
    std::int64_t edge[3];  // The edge functions of covers(), which grow by a from pixel to pixel.
    for (int i = 0; i < 3; ++i)
      edge[i] = static_cast<std::int64_t>(t.a[i]) * t.x0 + static_cast<std::int64_t>(t.b[i]) * y + t.c[i];
    for (int x = t.x0; x <= t.x1; ++x) {
      if ((edge[0] | edge[1] | edge[2]) >= 0) use(x);
      for (int i = 0; i < 3; ++i)
        edge[i] += t.a[i];
    }
  }
}
/// Calls use(x, y) for the covered pixels in the rows y0 .. y1 - 1.
template <class Use>
void for_each_covered(const Piece& piece, Method method, int y0, int y1, const Use& use) {
  for_each_covered_row(piece, method, y0, y1, [&](int y) { return [&use, y](int x) { use(x, y); }; });
}

}  // namespace threadscape::rasterize

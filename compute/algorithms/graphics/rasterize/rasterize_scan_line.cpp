// Visibility row by row (Watkins, A real time visible surface algorithm, University of Utah, 1970), with counters as
// the table of intersections: the rows of a triangle are known before, a list holds the triangles of the present row,
// and a row of counters says how many of them cover each pixel. Depths are compared only where it is more than one.

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"

namespace threadscape::rasterize {

namespace {

/// The triangles that have a row of this part of the picture, by their first row. Uses the start of `list`.
std::span<std::uint64_t> triangles_of_rows(const HostFrame& frame, const Rows& rows, std::span<std::uint64_t> list) {
  std::size_t count = 0;
  for (std::uint32_t triangle = 0; triangle < frame.plan->triangles && !frame.stop.stop_requested(); ++triangle) {
    if (!drawn_opaque(*frame.plan, frame.mesh, triangle)) continue;
    int first = rows.y1, last = rows.y0 - 1;
    for_each_piece(frame, triangle, [&](const Piece& piece, const Polygon&, bool) {
      first = std::min(first, std::max(piece.screen.y0, rows.y0));
      last = std::max(last, std::min(piece.screen.y1, rows.y1 - 1));
    });
    if (first <= last) list[count++] = row_entry(first, last, triangle);
  }
  std::sort(list.begin(), list.begin() + static_cast<std::ptrdiff_t>(count));
  return list.first(count);
}

}  // namespace

void draw_rows_scan_line(const HostFrame& frame, const Rows& rows) {
  const Plan& plan = *frame.plan;
  const auto slot = static_cast<std::size_t>(rows.slot), width = static_cast<std::size_t>(plan.width) + 1;
  const auto counters = frame.counters.subspan(slot * width, width);
  const auto list = triangles_of_rows(frame, rows, frame.lists.subspan(slot * plan.triangles, plan.triangles));
  const auto for_each_span = [&](std::uint64_t entry, int y, const auto& use) {
    for_each_piece(frame, static_cast<std::uint32_t>(entry), [&](const Piece& piece, const Polygon&, bool) {
      if (y < piece.screen.y0 || y > piece.screen.y1) return;
      const Span span = row_span(piece.screen, y);
      if (span.first <= span.last) use(piece.screen, span);
    });
  };

  // The active triangles are moved to the start of the list, over those that are done.
  std::size_t active = 0, next = 0;
  for (int y = rows.y0; y < rows.y1 && !frame.stop.stop_requested(); ++y) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < active; ++i)
      if (last_row(list[i]) >= y) list[kept++] = list[i];
    while (next < list.size() && first_row(list[next]) <= y)
      list[kept++] = list[next++];
    active = kept;

    std::fill(counters.begin(), counters.end(), 0);
    for (std::size_t i = 0; i < active; ++i)
      for_each_span(list[i], y, [&](const ScreenTriangle&, const Span& span) {
        ++counters[static_cast<std::size_t>(span.first)];
        --counters[static_cast<std::size_t>(span.last) + 1];
      });
    for (std::size_t x = 1; x < counters.size(); ++x)
      counters[x] += counters[x - 1];

    const Visible empty = nothing_visible(plan.depth_bits);
    for (std::size_t i = 0; i < active; ++i)
      for_each_span(list[i], y, [&](const ScreenTriangle& t, const Span& span) {
        for (int x = span.first; x <= span.last; ++x) {
          Visible& pixel = frame.at(x, y);
          const Visible here =
              visible(depth_key(depth_at(t, x, y), plan.depth_bits), static_cast<std::uint32_t>(list[i]));
          const bool alone = counters[static_cast<std::size_t>(x)] == 1;
          if (here < (alone ? empty : pixel)) pixel = here;
        }
      });
  }
}

}  // namespace threadscape::rasterize

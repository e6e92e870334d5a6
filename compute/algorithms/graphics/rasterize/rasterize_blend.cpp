// Transparent triangles, blended after the opaque ones. Their order is found by depth peeling (Everitt, Interactive
// order-independent transparency, 2001): each pass over the triangles finds the next fragment of every pixel, so
// no fragments have to be sorted and no list of them can overflow. A list of the rows of the transparent triangles is
// made once, so that a pass over some rows clips and sets up only the triangles that touch them.

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"

namespace threadscape::rasterize {

namespace {

/// Calls use(triangle, piece, polygon, x, y, z) for the transparent fragments in front of all opaque surfaces.
template <class Use>
void for_each_fragment(const HostFrame& frame, Method method, const Rows& rows, const Use& use) {
  const Plan& plan = *frame.plan;
  for (const std::uint64_t entry : frame.transparent) {
    if (last_row(entry) < rows.y0 || first_row(entry) >= rows.y1) continue;
    if (frame.stop.stop_requested()) return;
    const auto triangle = static_cast<std::uint32_t>(entry);
    for_each_piece(frame, triangle, [&](const Piece& piece, const Polygon& polygon, bool) {
      for_each_covered(piece, method, rows.y0, rows.y1, [&](int x, int y) {
        const std::uint32_t key = depth_key(deciding_depth(piece.screen, x, y, plan.visibility), plan.depth_bits);
        if (key < static_cast<std::uint32_t>(frame.at(x, y) >> 32)) use(triangle, piece, polygon, x, y);
      });
    });
  }
}

Layers layers_of(const HostFrame& frame, int x, int y) {
  return no_layers(__builtin_bit_cast(std::uint32_t, frame.out.image<Rgba8>()(x, y)));
}
void store(const HostFrame& frame, const Layers& layers, int x, int y) {
  frame.out.image<Rgba8>()(x, y) = __builtin_bit_cast(Rgba8, pixel_of(*frame.plan, layers));
}

/// `layers` are those of the pixel so far, or null if the pixel itself holds them.
void blend_pixel(const HostFrame& frame, std::uint32_t triangle, const Piece& piece, const Polygon& polygon, int x,
                 int y, Layers* layers) {
  const Plan& plan = *frame.plan;
  const Colour colour = fragment_colour(plan, frame.mesh, triangle, piece, polygon, x, y, frame.light_table());
  if (layers) {
    add_layer(plan, *layers, colour);
    return;
  }
  Layers here = layers_of(frame, x, y);
  add_layer(plan, here, colour);
  store(frame, here, x, y);
}

}  // namespace

void find_transparent(const HostFrame& frame, std::uint32_t first, std::uint32_t end) {
  const Plan& plan = *frame.plan;
  for (std::uint32_t triangle = first; triangle < end; ++triangle) {
    int top = 1, bottom = 0;
    if (!frame.stop.stop_requested() && !drawn_opaque(plan, frame.mesh, triangle) &&
        !is_too_transparent(plan, frame.mesh.material(frame.mesh.material_index(triangle))))
      for_each_piece(frame, triangle, [&](const Piece& piece, const Polygon&, bool) {
        top = top > bottom ? piece.screen.y0 : std::min(top, piece.screen.y0);
        bottom = std::max(bottom, piece.screen.y1);
      });
    frame.transparent[triangle] = row_entry(top, bottom, triangle);
  }
}

void keep_transparent(HostFrame& frame) {
  const auto begin = frame.transparent.begin();
  const auto end = std::remove_if(begin, frame.transparent.end(),
                                  [](std::uint64_t entry) { return first_row(entry) > last_row(entry); });
  frame.transparent = frame.transparent.first(static_cast<std::size_t>(end - begin));
}

void blend_rows(const HostFrame& frame, Method method, const Rows& rows) {
  const Plan& plan = *frame.plan;
  const std::size_t count = static_cast<std::size_t>(plan.width) * blend_rows_at_once;
  const auto last = frame.peel.subspan(static_cast<std::size_t>(rows.slot) * 2 * count, count);
  const auto next = frame.peel.subspan(static_cast<std::size_t>(rows.slot) * 2 * count + count, count);
  const auto index = [&](int x, int y) {
    return static_cast<std::size_t>(y - rows.y0) * static_cast<std::size_t>(plan.width) + static_cast<std::size_t>(x);
  };
  const bool keeps_layers = plan.order == Order::front_to_back;
  const auto layers =
      frame.layers.subspan(keeps_layers ? static_cast<std::size_t>(rows.slot) * count : 0, keeps_layers ? count : 0);
  const auto for_each_pixel = [&](const auto& use) {
    for (int y = rows.y0; y < rows.y1; ++y)
      for (int x = 0; x < plan.width; ++x)
        use(x, y, index(x, y));
  };
  if (keeps_layers) for_each_pixel([&](int x, int y, std::size_t i) { layers[i] = layers_of(frame, x, y); });
  std::fill(last.begin(), last.end(), 0);
  // A pass that is stopped may find nothing, or not blend what it has found; the pass after it then finds nothing.
  for (bool found = true; found;) {
    found = false;
    std::fill(next.begin(), next.end(), no_layer);
    for_each_fragment(frame, method, rows,
                      [&](std::uint32_t triangle, const Piece& piece, const Polygon&, int x, int y) {
                        const std::size_t i = index(x, y);
                        const std::uint64_t key = layer_key(plan, piece.screen, triangle, x, y);
                        if (key <= last[i] || key >= next[i]) return;
                        next[i] = key;
                        found = true;
                      });
    if (!found) break;
    for_each_fragment(frame, method, rows,
                      [&](std::uint32_t triangle, const Piece& piece, const Polygon& polygon, int x, int y) {
                        const std::size_t i = index(x, y);
                        if (layer_key(plan, piece.screen, triangle, x, y) != next[i] || last[i] == next[i]) return;
                        last[i] = next[i];
                        blend_pixel(frame, triangle, piece, polygon, x, y, keeps_layers ? &layers[i] : nullptr);
                      });
  }
  if (!keeps_layers || frame.stop.stop_requested()) return;
  for_each_pixel([&](int x, int y, std::size_t i) {
    if (last[i] != 0) store(frame, layers[i], x, y);
  });
}

}  // namespace threadscape::rasterize

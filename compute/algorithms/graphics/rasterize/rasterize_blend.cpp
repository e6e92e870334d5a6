// Transparent triangles, blended after the opaque ones. Their order is found by depth peeling (Everitt, Interactive
// order-independent transparency, 2001), several layers at a time: each pass over the triangles finds the next
// fragments of every pixel, so nothing has to be sorted and no list can overflow.

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"

namespace threadscape::rasterize {

namespace {

/// Returns true if the piece is in front of the opaque surface at a pixel that it covers.
bool in_front(const HostFrame& frame, const ScreenTriangle& t, int x, int y) {
  const Plan& plan = *frame.plan;
  return depth_key(deciding_depth(t, x, y, plan.visibility), plan.depth_bits) <
         static_cast<std::uint32_t>(frame.at(x, y) >> 32);
}

/// The layers of a pixel: the key of the last one that was blended, and those of the next ones in their order, up to
/// the first no_layer.
struct PixelLayers {
  std::uint64_t last, next[peeled_at_once];

  /// Keeps the key if it is one of the next ones. Pieces of one triangle can have the same key, which counts once.
  void insert(std::uint64_t key) {
    if (key <= last || key >= next[peeled_at_once - 1]) return;
    int i = 0;
    while (next[i] < key)
      ++i;
    if (next[i] == key) return;
    std::copy_backward(next + i, next + peeled_at_once - 1, next + peeled_at_once);
    next[i] = key;
  }
};
static_assert(sizeof(PixelLayers) == sizeof(std::uint64_t) * (1 + peeled_at_once));

/// Blends the fragment with this key, of the first piece of its triangle that has it.
void blend_layer(const HostFrame& frame, std::uint64_t key, int x, int y) {
  const Plan& plan = *frame.plan;
  const std::uint32_t triangle = layer_triangle(plan, key);
  Rgba8& pixel = frame.out.image<Rgba8>()(x, y);
  bool done = false;
  for_each_piece(frame, triangle, [&](const Piece& piece, const Polygon& polygon, bool) {
    const ScreenTriangle& t = piece.screen;
    if (done || !covers(t, x, y) || !in_front(frame, t, x, y) || layer_key(plan, t, triangle, x, y) != key) return;
    done = true;
    const Colour colour = fragment_colour(plan, frame.mesh, triangle, piece, polygon, x, y, frame.light_table());
    pixel = __builtin_bit_cast(Rgba8, blended(__builtin_bit_cast(std::uint32_t, pixel), colour, plan.blend));
  });
}

}  // namespace

void blend_rows(const HostFrame& frame, Method method, const Rows& rows) {
  const Plan& plan = *frame.plan;
  const auto width = static_cast<std::size_t>(plan.width), count = width * blend_rows_at_once;
  auto* const layers = reinterpret_cast<PixelLayers*>(frame.peel.data()) + static_cast<std::size_t>(rows.slot) * count;
  const auto at = [&](int x, int y) -> PixelLayers& {
    return layers[static_cast<std::size_t>(y - rows.y0) * width + static_cast<std::size_t>(x)];
  };
  for (std::size_t i = 0; i < count; ++i)
    layers[i].last = 0;
  for (bool more = true; more;) {
    more = false;
    for (std::size_t i = 0; i < count; ++i)
      std::fill_n(layers[i].next, peeled_at_once, no_layer);
    for (std::uint32_t triangle = 0; triangle < plan.triangles; ++triangle) {
      if (drawn_opaque(plan, frame.mesh, triangle)) continue;
      for_each_piece(frame, triangle, [&](const Piece& piece, const Polygon&, bool) {
        for_each_covered(piece.screen, method, rows.y0, rows.y1, [&](int x, int y) {
          if (in_front(frame, piece.screen, x, y)) at(x, y).insert(layer_key(plan, piece.screen, triangle, x, y));
        });
      });
    }
    for (int y = rows.y0; y < rows.y1; ++y)
      for (int x = 0; x < plan.width; ++x) {
        PixelLayers& pixel = at(x, y);
        for (int i = 0; i < peeled_at_once && pixel.next[i] != no_layer; ++i) {
          blend_layer(frame, pixel.next[i], x, y);
          pixel.last = pixel.next[i];
        }
        more = more || pixel.next[peeled_at_once - 1] != no_layer;
      }
  }
}

}  // namespace threadscape::rasterize

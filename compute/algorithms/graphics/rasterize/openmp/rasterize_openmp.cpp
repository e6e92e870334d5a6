// Rasterize with threads: in tiles, or with threads that share the rows of the picture.

#include "compute/algorithms/graphics/rasterize/openmp/rasterize_tiles.h"
#include "compute/algorithms/graphics/rasterize/rasterize_host.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"
#include "compute/engines/planes/bands.h"

namespace threadscape {

namespace rasterize {
namespace {

/// Calls f(rows) for parts of the picture, of which each has the lists of its own slot.
template <class F>
void for_each_slot(const HostRun& run, const Plan& plan, const F& f) {
  const int slots = std::clamp(plan.height, 1, host_slots);
  for_each_part(run, slots, [&](int slot) {
    const int y0 = plan.height * slot / slots, y1 = plan.height * (slot + 1) / slots;
    if (y1 > y0) f(Rows{y0, y1, slot});
  });
}

void draw_in_rows(const HostRun& run, const Plan& plan, Method method) {
  const HostFrame frame = make_frame(run, plan);
  constexpr std::uint32_t chunk = 4096;
  for_each_part(run, static_cast<int>((plan.vertices + chunk - 1) / chunk), [&](int part) {
    const std::uint32_t first = static_cast<std::uint32_t>(part) * chunk;
    transform_vertices(frame, first, std::min(first + chunk, plan.vertices));
  });
  for_each_slot(run, plan, [&](const Rows& rows) { finish_rows(frame, method, rows); });
}

}  // namespace
}  // namespace rasterize

void Rasterize::openmp(const Params&, const HostRun& run) {
  using namespace rasterize;
  const Plan& plan = static_cast<const Prepared*>(run.preparation)->plan;
  if (run.variant != 0 || !drawn_in_tiles(plan)) {
    draw_in_rows(run, plan, run.variant == 2 ? Method::scanline : Method::barycentric);
    return;
  }
  const TileFrame frame = make_tile_frame(run, plan);
  draw_in_tiles(run, frame);
  if (blends(plan))
    for_each_slot(run, plan, [&](const Rows& rows) { blend_all_rows(frame.host, Method::scanline, rows); });
}

}  // namespace threadscape

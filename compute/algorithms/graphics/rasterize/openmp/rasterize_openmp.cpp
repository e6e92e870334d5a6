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

/// Calls f(first, end) for chunks of the numbers 0 .. count - 1.
template <class F>
void for_each_chunk(const HostRun& run, std::uint32_t count, const F& f) {
  constexpr std::uint32_t chunk = 4096;
  for_each_part(run, static_cast<int>((count + chunk - 1) / chunk), [&](int part) {
    const std::uint32_t first = static_cast<std::uint32_t>(part) * chunk;
    f(first, std::min(first + chunk, count));
  });
}

/// Lists the transparent triangles for blending, unless the run is asked to stop.
void list_transparent(const HostRun& run, const Plan& plan, HostFrame& frame) {
  if (!blends(plan)) return;
  for_each_chunk(run, plan.triangles, [&](std::uint32_t first, std::uint32_t end) {
    StageLaps laps(frame.clock);
    find_transparent(frame, first, end);
    laps.end(TimedStage::blending);
  });
  if (!run.stop.stop_requested()) keep_transparent(frame);
}

void draw_in_rows(const HostRun& run, const Plan& plan, Method method) {
  HostFrame frame = make_frame(run, plan);
  for_each_chunk(run, plan.vertices, [&](std::uint32_t first, std::uint32_t end) {
    StageLaps laps(frame.clock);
    transform_vertices(frame, first, end);
    laps.end(TimedStage::vertices);
  });
  if (frame.objects != nullptr) for_each_part(run, frame.objects->count, [&](int i) { bound_object(frame, i); });
  list_transparent(run, plan, frame);
  if (!sorts_by_depth(plan)) {
    for_each_slot(run, plan, [&](const Rows& rows) { finish_rows(frame, method, rows); });
    return;
  }
  draw_rows(frame, method, {0, plan.height, 0});  // There is one list.
  for_each_slot(run, plan, [&](const Rows& rows) {
    resolve_rows(frame, rows);
    if (blends(plan)) blend_all_rows(frame, method, rows);
  });
}

}  // namespace
}  // namespace rasterize

void Rasterize::openmp(const Params&, const HostRun& run) {
  using namespace rasterize;
  const Plan& plan = static_cast<const Prepared*>(run.preparation)->plan;
  if (run.variant != 0 || !drawn_in_tiles(plan)) {
    // The methods follow `tiles` in the list of variants, in their own order.
    draw_in_rows(run, plan, run.variant == 0 ? Method::barycentric : static_cast<Method>(run.variant - 1));
    return;
  }
  TileFrame frame = make_tile_frame(run, plan);
  draw_in_tiles(run, frame);
  list_transparent(run, plan, frame.host);
  if (blends(plan))
    for_each_slot(run, plan, [&](const Rows& rows) {
      StageLaps laps(frame.host.clock);
      blend_all_rows(frame.host, Method::scanline, rows);
      laps.end(TimedStage::blending);
    });
}

}  // namespace threadscape

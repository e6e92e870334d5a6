// Rasterize, the readable reference: all vertices, then triangle by triangle, then pixel by pixel. With threads, which
// is the OpenMP variant `loops`, each has as many vertices and as many rows.

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"
#include "compute/core/rows.h"

namespace threadscape {

void Rasterize::serial(const Params&, const HostRun& run) {
  const rasterize::Plan& plan = static_cast<const rasterize::Prepared*>(run.preparation)->plan;
  const auto method = static_cast<rasterize::Method>(run.variant);  // In the order of Rasterize::serial_variants.
  rasterize::HostFrame frame = rasterize::make_frame(run, plan);
  const int parts = std::clamp(std::min(run.threads, plan.height), 1, rasterize::host_slots);
  const auto vertex_of = [&](int part) {
    return static_cast<std::uint32_t>(std::uint64_t{plan.vertices} * static_cast<std::uint64_t>(part) /
                                      static_cast<std::uint64_t>(parts));
  };
  HostRun silent = run;
  silent.progress = nullptr;
  for_rows(silent, parts, [&](int part) {
    rasterize::StageLaps laps(frame.clock);
    rasterize::transform_vertices(frame, vertex_of(part), vertex_of(part + 1));
    laps.end(rasterize::TimedStage::vertices);
  });
  if (run.stop.stop_requested()) return;
  if (frame.objects != nullptr)
    for (int i = 0; i < frame.objects->count; ++i)
      rasterize::bound_object(frame, i);
  if (rasterize::blends(plan)) {
    rasterize::StageLaps laps(frame.clock);
    rasterize::find_transparent(frame, 0, plan.triangles);
    rasterize::keep_transparent(frame);
    laps.end(rasterize::TimedStage::blending);
  }
  if (rasterize::sorts_by_depth(plan)) {  // There is one list, which one thread paints.
    rasterize::finish_rows(frame, method, {0, plan.height, 0});
    return;
  }
  for_rows(silent, parts, [&](int part) {
    const int y0 = plan.height * part / parts, y1 = plan.height * (part + 1) / parts;
    rasterize::finish_rows(frame, method, {y0, y1, part});
  });
}

}  // namespace threadscape

// Rasterize, the readable reference: all vertices, then triangle by triangle, then pixel by pixel. One thread.

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"

namespace threadscape {

void Rasterize::serial(const Params&, const HostRun& run) {
  const rasterize::Plan& plan = static_cast<const rasterize::Prepared*>(run.preparation)->plan;
  const auto method = static_cast<rasterize::Method>(run.variant);  // In the order of Rasterize::serial_variants.
  rasterize::HostFrame frame = rasterize::make_frame(run, plan);
  rasterize::StageLaps laps(frame.clock);
  rasterize::transform_vertices(frame, 0, plan.vertices);
  laps.end(rasterize::TimedStage::vertices);
  if (run.stop.stop_requested()) return;
  if (rasterize::blends(plan)) {
    rasterize::find_transparent(frame, 0, plan.triangles);
    rasterize::keep_transparent(frame);
    laps.end(rasterize::TimedStage::blending);
  }
  rasterize::finish_rows(frame, method, {0, plan.height, 0});
}

}  // namespace threadscape

// Rasterize, the readable reference: all vertices, then triangle by triangle, then pixel by pixel. One thread.

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"

namespace threadscape {

void Rasterize::serial(const Params&, const HostRun& run) {
  const rasterize::Plan& plan = static_cast<const rasterize::Prepared*>(run.preparation)->plan;
  const auto method = run.variant == 1 ? rasterize::Method::scanline : rasterize::Method::barycentric;
  const rasterize::HostFrame frame = rasterize::make_frame(run, plan);
  rasterize::transform_vertices(frame, 0, plan.vertices);
  if (run.stop.stop_requested()) return;
  rasterize::finish_rows(frame, method, {0, plan.height, 0});
}

}  // namespace threadscape

// Rasterize with threads that share the rows of the picture.

#include "compute/algorithms/graphics/rasterize/rasterize_host.h"
#include "compute/algorithms/graphics/rasterize/rasterize_memory.h"
#include "compute/engines/planes/bands.h"

namespace threadscape {

void Rasterize::openmp(const Params&, const HostRun& run) {
  using namespace rasterize;
  const Plan& plan = static_cast<const Prepared*>(run.preparation)->plan;
  const HostFrame frame = make_frame(run, plan);
  constexpr std::uint32_t chunk = 4096;
  for_each_part(run, static_cast<int>((plan.vertices + chunk - 1) / chunk), [&](int part) {
    const std::uint32_t first = static_cast<std::uint32_t>(part) * chunk;
    transform_vertices(frame, first, std::min(first + chunk, plan.vertices));
  });
  const auto method = run.variant == 2 ? Method::scanline : Method::barycentric;
  const int slots = std::clamp(plan.height, 1, host_slots);
  for_each_part(run, slots, [&](int slot) {
    const int y0 = plan.height * slot / slots, y1 = plan.height * (slot + 1) / slots;
    if (y1 > y0) finish_rows(frame, method, {y0, y1, slot});
  });
}

}  // namespace threadscape

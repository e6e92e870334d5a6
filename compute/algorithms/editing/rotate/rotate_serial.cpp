// Rotate, the readable reference: the pixels of the result one by one.

#include "compute/algorithms/editing/rotate/rotate.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {

void Rotate::serial(const Params& params, const HostRun& run) {
  const rotate::Plan plan = Rotate::plan(params, run.in.shape);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using Pixel = typename decltype(planes)::Pixel;
    const auto in = run.in.image<Pixel>();
    const auto out = run.out.image<Pixel>();
    for_rows(run, out.height, [&](int y) {
      for (int x = 0; x < out.width; ++x)
        out(x, y) = in(plan.column(x, y), plan.row(x, y));
    });
  });
}

}  // namespace threadscape

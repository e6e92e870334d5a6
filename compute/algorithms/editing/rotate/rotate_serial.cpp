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
    const std::ptrdiff_t step = plan.column_x + plan.row_x * in.pitch;  // From a pixel of the input to the next one.
    for_rows(run, out.height, [&, step, width = out.width](int y) {
      const Pixel* const from = &in(plan.column(0, y), plan.row(0, y));
      Pixel* const to = out.row(y);
      for (int x = 0; x < width; ++x)
        to[x] = from[x * step];
    });
  });
}

}  // namespace threadscape

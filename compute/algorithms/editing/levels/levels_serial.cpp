// Levels, the readable reference: pixel by pixel.

#include "compute/algorithms/editing/levels/levels.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {

void Levels::serial(const Params& params, const HostRun& run) {
  const levels::Plan plan = Levels::plan(params);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using P = decltype(planes);
    const auto in = run.in.image<typename P::Pixel>();
    const auto out = run.out.image<typename P::Pixel>();
    for_rows(run, in.height, [&](int y) {
      for (int x = 0; x < in.width; ++x)
        out(x, y) = levels::adjust_pixel<P>(plan, in(x, y));
    });
  });
}

}  // namespace threadscape

// Rotate with all cores: bands of rows, in squares, so that the columns that a quarter turn reads stay in the cache.

#include <algorithm>

#include "compute/algorithms/editing/rotate/rotate.h"
#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {

void Rotate::openmp(const Params& params, const HostRun& run) {
  const rotate::Plan plan = Rotate::plan(params, run.in.shape);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using Pixel = typename decltype(planes)::Pixel;
    const auto in = run.in.image<Pixel>();
    const auto out = run.out.image<Pixel>();
    for_each_band(run, out.height, [&](int y0, int y1) {
      for (int x0 = 0; x0 < out.width; x0 += band_height) {
        const int x1 = std::min(x0 + band_height, out.width);
        for (int y = y0; y < y1; ++y)
          for (int x = x0; x < x1; ++x)
            out(x, y) = in(plan.column(x, y), plan.row(x, y));
      }
    });
  });
}

}  // namespace threadscape

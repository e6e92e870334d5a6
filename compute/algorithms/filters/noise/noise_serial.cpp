// Noise, the readable reference: pixel by pixel. One thread, no tricks.

#include "compute/algorithms/filters/noise/noise.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {

void Noise::serial(const Params& params, const HostRun& run) {
  const noise::Plan plan = Noise::plan(params, run.in.shape, run.seed, run.frame);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto in = run.in.image<Pixel>();
    const auto out = run.out.image<Pixel>();
    for_rows(run, in.height, [&](int y) {
      for (int x = 0; x < in.width; ++x) {
        Pixel pixel = in(x, y);  // The copy keeps alpha.
        noise::disturb_pixel<P>(plan, pixel, x, y);
        out(x, y) = pixel;
      }
    });
  });
}

}  // namespace threadscape

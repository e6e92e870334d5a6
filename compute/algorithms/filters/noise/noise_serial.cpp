// Noise, the readable reference: pixel by pixel. One thread, no tricks.

#include "compute/algorithms/filters/noise/noise.h"
#include "compute/core/rows.h"
#include "compute/engines/planes/planes.h"

namespace threadscape {
namespace {

/// Adds noise of one kind to a row. The kind is a constant and the plan a copy, so that the loop decides and loads
/// nothing again for a pixel.
template <class P, noise::Kind kind>
void disturb_row(noise::Plan plan, const typename P::Pixel* from, typename P::Pixel* to, int width, int y) {
  plan.kind = kind;
  for (int x = 0; x < width; ++x) {
    auto pixel = from[x];  // The copy keeps alpha.
    noise::disturb_pixel<P>(plan, pixel, x, y);
    to[x] = pixel;
  }
}

}  // namespace

void Noise::serial(const Params& params, const HostRun& run) {
  const noise::Plan plan = Noise::plan(params, run.in.shape, run.seed, run.frame);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using P = decltype(planes);
    const auto in = run.in.image<typename P::Pixel>();
    const auto out = run.out.image<typename P::Pixel>();
    const auto disturb_rows = [&](const auto& disturb_row) {
      for_rows(run, in.height, [&](int y) { disturb_row(plan, in.row(y), out.row(y), in.width, y); });
    };
    switch (plan.kind) {
      case noise::Kind::salt_pepper:
        return disturb_rows(disturb_row<P, noise::Kind::salt_pepper>);
      case noise::Kind::gaussian:
        return disturb_rows(disturb_row<P, noise::Kind::gaussian>);
      case noise::Kind::uniform:
        return disturb_rows(disturb_row<P, noise::Kind::uniform>);
    }
  });
}

}  // namespace threadscape

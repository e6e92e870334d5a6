// Noise on the CPU: every pixel by itself. OpenMP shares bands of rows among the threads.

#include "compute/neighbourhood/bands.h"
#include "compute/neighbourhood/planes.h"
#include "compute/noise/noise.h"

namespace threadscape {

void noise::disturb_rows(const Plan& plan, const HostRun& run, int y0, int y1) {
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, Channels::each, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto in = run.in.image<Pixel>();
    const auto out = run.out.image<Pixel>();
    for (int y = y0; y < y1; ++y) {
      for (int x = 0; x < in.width; ++x) {
        Pixel pixel = in(x, y);  // keeps alpha
        disturb_pixel<P>(plan, pixel, x, y);
        out(x, y) = pixel;
      }
    }
  });
}

void Noise::serial(const Params& params, const HostRun& run) {
  const noise::Plan plan = Noise::plan(params, run.in.shape, run.seed);
  const int height = static_cast<int>(run.in.shape.height);
  for (int y = 0; y < height && !run.stop.stop_requested(); ++y) {
    noise::disturb_rows(plan, run, y, y + 1);
    if (run.progress) run.progress->report(static_cast<double>(y + 1) / height);
  }
}

void Noise::openmp(const Params& params, const HostRun& run) {
  const noise::Plan plan = Noise::plan(params, run.in.shape, run.seed);
  for_each_band(run, static_cast<int>(run.in.shape.height),
                [&](int y0, int y1) { noise::disturb_rows(plan, run, y0, y1); });
}

}  // namespace threadscape

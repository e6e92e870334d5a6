#include "compute/algorithms/filters/convolution/convolution_alpha.h"

#include "compute/engines/planes/planes.h"

namespace threadscape::convolution {

void mix(const Plan& plan, const HostIn& colours, const HostIn& weights, const HostRun& run) {
  const MixPlan mixing = mix_plan(plan);
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    if constexpr (std::is_class_v<typename P::Pixel>) {
      const auto in = run.in.image<typename P::Pixel>();
      const auto out = run.out.image<typename P::Pixel>();
      const auto sums = colours.image<Rgba32f>();
      const auto lacks = weights.image<float>();
#pragma omp parallel for schedule(static) num_threads(run.threads)
      for (int y = 0; y < out.height; ++y)
        for (int x = 0; x < out.width; ++x)
          out(x, y) = mixed<P>(mixing, in, sums(x, y), lacks(x, y), x, y);
    }
  });
}

}  // namespace threadscape::convolution

// The law of Lambert and Beer, the readable reference: value by value. One thread, no tricks.

#include <cmath>
#include <limits>

#include "compute/algorithms/tomography/beer_lambert/beer_lambert.h"
#include "compute/core/rows.h"

namespace threadscape {
namespace beer_lambert {
namespace {

/// The intensities of a row for photons of one energy that are not counted: what converted() computes for them, without
/// the questions that it asks for each value.
void attenuate_row(const Plan& plan, const float* integral, float* intensity, std::int64_t width) {
  constexpr double largest = std::numeric_limits<float>::max();
  const double initial = plan.initial, attenuation = plan.attenuation, factor = plan.spectrum.factor[0];
  for (std::int64_t x = 0; x < width; ++x) {
    const double left = initial * std::exp(-factor * (attenuation * static_cast<double>(integral[x])));
    intensity[x] = static_cast<float>(left < largest ? left : largest);
  }
}

}  // namespace
}  // namespace beer_lambert

void BeerLambert::serial(const Params& params, const HostRun& run) {
  const beer_lambert::Plan plan = params.plan(run.seed);
  const auto in = run.in.volume<float>();
  const auto out = run.out.volume<float>();
  const bool one_energy =
      plan.output == beer_lambert::Output::intensity && plan.photons == 0.0 && plan.spectrum.count == 1;
  for_rows(run, run.in.shape.depth, [&](int z) {
    for (int y = 0; y < run.in.shape.height; ++y) {
      if (one_energy) {
        beer_lambert::attenuate_row(plan, &in(0, y, z), &out(0, y, z), run.in.shape.width);
        continue;
      }
      for (int x = 0; x < run.in.shape.width; ++x)
        out(x, y, z) = beer_lambert::converted(plan, in(x, y, z), x, y, z);
    }
  });
}

}  // namespace threadscape

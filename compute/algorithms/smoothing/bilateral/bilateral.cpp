#include "compute/algorithms/smoothing/bilateral/bilateral.h"

#include <algorithm>

#include "compute/engines/planes/require_planes.h"
#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

bilateral::Plan Bilateral::plan(const Params& params) {
  const int radius = static_cast<int>(std::ceil(2.0f * params.sigma_space));
  const double sigma = static_cast<double>(params.sigma_range) / 255.0;
  return {std::clamp(radius, 1, bilateral::max_radius), static_cast<float>(-0.5 / (sigma * sigma) / std::log(2.0)),
          params.border, params.channels, params.alpha == Alpha::weighted};
}

bilateral::Weights Bilateral::weights(const Params& params) {
  const auto gauss = [](double squared_distance, double sigma) {
    return static_cast<float>(std::exp(-0.5 * squared_distance / (sigma * sigma)));
  };
  bilateral::Weights weights{};
  const int radius = plan(params).radius;
  std::size_t i = 0;
  for (int dy = -radius; dy <= radius; ++dy)
    for (int dx = -radius; dx <= radius; ++dx)
      weights.space[i++] = params.window == bilateral::Window::circle && dx * dx + dy * dy > radius * radius
                               ? 0.0f
                               : gauss(dx * dx + dy * dy, params.sigma_space);
  for (int difference = 0; difference < 256; ++difference)
    weights.range[difference] = gauss(difference * difference, params.sigma_range);
  return weights;
}

Shape Bilateral::output_shape(const Params&, const Shape& input) {
  require_planes_of<std::uint8_t, float>("bilateral", "8-bit, 16-bit or float grey or RGBA images", input);
  return input;
}

std::size_t Bilateral::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_bilateral() {
  return describe<SixteenBit<Bilateral>>("bilateral");
}

}  // namespace threadscape

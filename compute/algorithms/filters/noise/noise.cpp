#include "compute/algorithms/filters/noise/noise.h"

#include "compute/engines/planes/require_planes.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

noise::Plan Noise::plan(const Params& params, const Shape& input, std::uint64_t seed, std::uint64_t frame) {
  // The odd number nearest to 2^64 divided by the golden ratio leads from frame to frame, as in SplitMix64: frames of
  // one seed, and those of neighbouring seeds, have keys that are far apart.
  constexpr std::uint64_t stride = 0x9e3779b97f4a7c15;
  const double levels = input.element == Element::u8 ? 1.0 : input.element == Element::u16 ? 257.0 : 1.0 / 255.0;
  const double words = static_cast<double>(params.amount) * 4294967296.0;
  return {.kind = params.kind,
          .threshold = words < 4294967295.0 ? static_cast<std::uint32_t>(words) : 4294967295u,
          .scale = static_cast<float>(static_cast<double>(params.sigma) * levels),
          .channels = params.channels,
          .seed = params.frozen ? seed : seed + frame * stride};
}

Shape Noise::output_shape(const Params&, const Shape& input) {
  require_planes_of<std::uint8_t, std::uint16_t, float>("noise", "8-bit, 16-bit or float images", input);
  return input;
}

std::size_t Noise::scratch_bytes(const Params&, const Shape&, Backend, int) {
  return 0;
}

AlgorithmInfo describe_noise() {
  return describe<Noise>("noise");
}

}  // namespace threadscape

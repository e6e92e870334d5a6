#include "compute/algorithms/smoothing/median/median.h"

#include "compute/engines/planes/require_planes.h"
#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/registry/algorithm_info.h"

namespace threadscape {

Shape Median::output_shape(const Params&, const Shape& input) {
  require_planes_of<std::uint8_t, float>("median", "8-bit, 16-bit or float grey or RGBA images", input);
  return input;
}

std::size_t median::kept_results(const Plan& plan, const Shape& input) {
  const bool planes = holds<Rgba8>(input) && plan.channels == Channels::each;
  return planes ? static_cast<std::size_t>(2 * input.items()) : 0;
}

std::size_t Median::scratch_bytes(const Params& params, const Shape& input, Backend backend, int variant) {
  if (backend == Backend::cuda) {
    const std::string_view name = cuda_variants[static_cast<std::size_t>(variant)].name;
    const median::Plan wanted = plan(params);
    const bool by_histograms = name == "histogram" || (name == "networks" && !wanted.has_network());
    return by_histograms ? DeviceScratch::padded(median::kept_results(wanted, input)) : 0;
  }
  if (backend != Backend::serial || input.element != Element::f32) return 0;
  // The sorted keys of a plane, the position of each pixel's key among them, and how often the window contains each.
  const auto pixels = static_cast<std::size_t>(input.items());
  return HostScratch::padded((pixels + 1) * sizeof(std::int32_t)) + HostScratch::padded(pixels * sizeof(std::int32_t)) +
         HostScratch::padded((pixels + 1) * sizeof(std::uint16_t));
}

AlgorithmInfo describe_median() {
  return describe<SixteenBit<Median>>("median");
}

}  // namespace threadscape

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/filters/convolution/convolution_math.h"
#include "compute/engines/planes/ladder_block.h"
#include "compute/registry/diagram.h"

namespace threadscape {

namespace {

/// The tile of the variant `shared` (convolution_ladder.cu). Pixels that count by their alpha have other kernels.
std::optional<TileDiagram> convolution_tile(const Convolution::Params& params, const Shape& input, int variant) {
  const Variant& kernel = Convolution::cuda_variants[static_cast<std::size_t>(variant)];
  if (kernel.name != "shared" || (params.alpha == Alpha::weighted && input.channels == 4)) return {};
  const int radius = params.size / 2;
  return TileDiagram{.title = std::string(kernel.name) + "   " + std::string(kernel.help),
                     .block_width = ladder::block_width,
                     .block_height = ladder::block_height,
                     .left = radius,
                     .right = radius,
                     .above = radius,
                     .below = radius,
                     .value_bytes = input.element == Element::u8 ? 1 : 4,
                     .window_values = params.size * params.size,
                     .copied = "once for each channel"};
}

}  // namespace

DiagramInfo describe_convolution_diagram() {
  DiagramInfo info;
  info.tile = [](const ParamBox& p, const Shape& input, int variant) {
    return convolution_tile(p.as<Convolution::Params>(), input, variant);
  };
  return info;
}

}  // namespace threadscape

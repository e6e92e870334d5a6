#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/filters/convolution/convolution_math.h"
#include "compute/engines/planes/ladder_block.h"
#include "compute/registry/square_tile.h"

namespace threadscape {

namespace {

/// The tile of the variant `shared` (convolution_ladder.cu). Pixels that count by their alpha have other kernels.
std::optional<TileDiagram> convolution_tile(const Convolution::Params& params, const Shape& input, int variant) {
  const Variant& kernel = Convolution::cuda_variants[static_cast<std::size_t>(variant)];
  if (kernel.name != "shared" || (params.alpha == Alpha::weighted && input.channels == 4)) return {};
  return square_tile(kernel, ladder::block_width, ladder::block_height, params.size / 2, input.element);
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

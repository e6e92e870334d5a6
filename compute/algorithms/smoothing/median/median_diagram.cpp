#include "compute/algorithms/smoothing/median/median.h"
#include "compute/engines/planes/ladder_block.h"
#include "compute/registry/diagram.h"

namespace threadscape {

namespace {

/// The tile of the variant `shared` (median_ladder.cu), which holds keys of the size of a value.
std::optional<TileDiagram> median_tile(const Median::Params& params, const Shape& input, int variant) {
  const Variant& kernel = Median::cuda_variants[static_cast<std::size_t>(variant)];
  if (kernel.name != "shared") return {};
  const int radius = Median::plan(params).radius();
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

DiagramInfo describe_median_diagram() {
  DiagramInfo info;
  info.tile = [](const ParamBox& p, const Shape& input, int variant) {
    return median_tile(p.as<Median::Params>(), input, variant);
  };
  return info;
}

}  // namespace threadscape

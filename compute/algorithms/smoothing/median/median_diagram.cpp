#include "compute/algorithms/smoothing/median/median.h"
#include "compute/engines/planes/ladder_block.h"
#include "compute/registry/square_tile.h"

namespace threadscape {

namespace {

/// The tile of the variant `shared` (median_ladder.cu), which holds keys of the size of a value.
std::optional<TileDiagram> median_tile(const Median::Params& params, const Shape& input, int variant) {
  const Variant& kernel = Median::cuda_variants[static_cast<std::size_t>(variant)];
  if (kernel.name != "shared") return {};
  return square_tile(kernel, ladder::block_width, ladder::block_height, Median::plan(params).radius(), input.element);
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

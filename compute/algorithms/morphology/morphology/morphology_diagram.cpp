#include <set>

#include "compute/algorithms/morphology/morphology/morphology.h"
#include "compute/engines/planes/ladder_block.h"
#include "compute/registry/diagram.h"

namespace threadscape {

namespace {

/// The tile of the variant `shared` (morphology_terms.cu): whole pixels of the rows that the block needs for one row of
/// the element, for the first step of the operation.
std::optional<TileDiagram> morphology_tile(const Morphology::Params& params, const Shape& input, int variant) {
  const Variant& kernel = Morphology::cuda_variants[static_cast<std::size_t>(variant)];
  if (kernel.name != "shared") return {};
  try {
    const morphology::Plan plan = Morphology::plan(params, input.element);
    const auto& steps = plan.side.empty() ? plan.steps : plan.side;
    if (steps.empty()) return {};
    const morphology::Window& window = *steps.front().window;
    std::set<int> rows;
    const std::vector<morphology::Term> terms = morphology::all_terms(window);
    for (const morphology::Term& term : terms)
      rows.insert(term.dy);
    return TileDiagram{.title = std::string(kernel.name) + "   " + std::string(kernel.help),
                       .block_width = ladder::block_width,
                       .block_height = ladder::block_height,
                       .left = -window.left,
                       .right = window.right(),
                       .value_bytes = static_cast<int>(input.pixel_bytes()),
                       .window_values = static_cast<int>(terms.size()),
                       .copied = "once for each of " + std::to_string(rows.size()) + " rows of the element"};
  } catch (const Error&) {  // The element has no pixel, or its picture cannot be read.
    return {};
  }
}

}  // namespace

DiagramInfo describe_morphology_diagram() {
  DiagramInfo info;
  info.tile = [](const ParamBox& p, const Shape& input, int variant) {
    return morphology_tile(p.as<Morphology::Params>(), input, variant);
  };
  return info;
}

}  // namespace threadscape

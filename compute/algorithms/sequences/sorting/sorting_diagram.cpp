#include "compute/algorithms/sequences/sorting/bitonic_network.h"
#include "compute/algorithms/sequences/sorting/sorting.h"
#include "compute/registry/diagram.h"

namespace threadscape {

namespace {

/// The bitonic network, for sequences of at most 64 keys, which a screen can show.
std::optional<NetworkDiagram> network(const Sorting::Params& params, const Shape& input) {
  constexpr std::int64_t max_keys = 64;
  if (input.width < 2 || input.width > max_keys) return {};
  NetworkDiagram diagram;
  diagram.title = params.network == sorting::Network::mirrored ? "mirrored bitonic network" : "bitonic network";
  diagram.variants = {"bitonic", "bitonic_shared", "bitonic_global", "bitonic_elements"};
  diagram.places = static_cast<int>(input.width);
  for (int number = 0; number < sorting::stages_for(input.width); ++number) {
    const sorting::Stage of_network = sorting::stage_at(params.network, input.width, number);
    NetworkDiagram::Stage stage{sorting::title_of(of_network), {}};
    for (const auto& [lower, upper, descending] : sorting::comparisons(input.width, of_network))
      stage.exchanges.push_back(
          {static_cast<int>(descending ? upper : lower), static_cast<int>(descending ? lower : upper)});
    diagram.stages.push_back(std::move(stage));
  }
  const auto all = static_cast<int>(diagram.stages.size());
  diagram.done = params.stages == 0 ? all : std::min(params.stages, all);
  return diagram;
}

}  // namespace

DiagramInfo describe_sorting_diagram() {
  DiagramInfo info;
  info.network = [](const ParamBox& p, const Shape& in) { return network(p.as<Sorting::Params>(), in); };
  return info;
}

}  // namespace threadscape

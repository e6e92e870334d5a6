#pragma once
// A run on a volume that need not fit into memory (compute/core/layers.h). An algorithm with this facet declares
//
//   static void run_layers(const Params&, const LayerRun&);

#include <optional>

#include "compute/core/layers.h"
#include "compute/core/params.h"

namespace threadscape {

struct LayersFacet {
  /// Computes the result that a run on the whole volume would compute. Throws UsageError, EnvironmentError and
  /// Cancelled.
  void (*run)(const ParamBox&, const LayerRun&);
};

template <class A>
std::optional<LayersFacet> layers_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::run_layers; })
    return LayersFacet{.run = [](const ParamBox& p, const LayerRun& run) { A::run_layers(p.as<P>(), run); }};
  else
    return std::nullopt;
}

}  // namespace threadscape

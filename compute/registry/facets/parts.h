#pragma once
// A CUDA run that consists of parts, so that a long one can be watched and the device be shared with drawing. An
// algorithm with this facet declares
//
//   static int parts(const Params&, const Shape& input);

#include <optional>

#include "compute/core/params.h"
#include "compute/core/shape.h"

namespace threadscape {

struct PartsFacet {
  /// The number of parts, at least 1. Calls of cuda() with consecutive ranges (DeviceRun::parts), the same input, sink
  /// and scratch memory equal one call; after each of them the output holds what was found so far.
  int (*count)(const ParamBox&, const Shape& input);
};

template <class A>
std::optional<PartsFacet> parts_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::parts; })
    return PartsFacet{.count = [](const ParamBox& p, const Shape& input) { return A::parts(p.as<P>(), input); }};
  else
    return std::nullopt;
}

}  // namespace threadscape

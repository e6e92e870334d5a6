#pragma once
// The intermediate results of a computation, which a user can go through one by one. An algorithm with this facet
// declares
//
//   static std::vector<std::pair<std::string, Params>> intermediates(const Params&);

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/params.h"

namespace threadscape {

/// An intermediate result. It is what the algorithm computes with other parameters, so every backend and every route
/// can show it.
struct Intermediate {
  std::string title;
  ParamBox params;
};

struct IntermediatesFacet {
  /// The intermediate results in order; the last one is the result itself. With fewer than two elements there are none.
  std::vector<Intermediate> (*list)(const ParamBox&);
};

template <class A>
std::optional<IntermediatesFacet> intermediates_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::intermediates; })
    return IntermediatesFacet{.list = [](const ParamBox& p) {
      std::vector<Intermediate> all;
      for (auto& [title, params] : A::intermediates(p.as<P>()))
        all.push_back({std::move(title), ParamBox::of(std::move(params))});
      return all;
    }};
  else
    return std::nullopt;
}

}  // namespace threadscape

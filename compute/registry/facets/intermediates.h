#pragma once
// The intermediate pictures of a computation, which a user can step through. An algorithm with this facet declares
//
//   static std::vector<std::pair<std::string, Params>> view_steps(const Params&);

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/params.h"

namespace threadscape {

/// An intermediate picture. It is what the algorithm computes with other parameters, so every backend and every route
/// can show it.
struct ViewStep {
  std::string title;
  ParamBox params;
};

struct ViewsFacet {
  /// The intermediate pictures in order; the last one is the result itself. With fewer than two elements there are no
  /// intermediate pictures.
  std::vector<ViewStep> (*steps)(const ParamBox&);
};

template <class A>
std::optional<ViewsFacet> views_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::view_steps; })
    return ViewsFacet{.steps = [](const ParamBox& p) {
      std::vector<ViewStep> steps;
      for (auto& [title, params] : A::view_steps(p.as<P>()))
        steps.push_back({std::move(title), ParamBox::of(std::move(params))});
      return steps;
    }};
  else
    return std::nullopt;
}

}  // namespace threadscape

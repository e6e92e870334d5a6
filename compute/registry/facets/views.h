#pragma once
// The pictures on the way to a result. An algorithm with this facet declares
//
//   static std::vector<std::pair<std::string, Params>> view_steps(const Params&);

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "compute/core/params.h"

namespace threadscape {

/// A picture on the way to a result: what the same algorithm computes with other parameters, so that every backend and
/// every route can show it.
struct ViewStep {
  std::string title;
  ParamBox params;
};

struct ViewsFacet {
  /// The pictures in order; the last is the result itself. Fewer than two: there is nothing on the way.
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

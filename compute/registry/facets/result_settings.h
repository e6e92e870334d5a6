#pragma once
// What the result of an algorithm states for the parameters of the algorithm that takes it, as a file of it would:
// pairs of a name and a value as text. An algorithm with this facet declares
//
//   static ResultSettings result_settings(const Params&, const Shape& input);

#include <optional>

#include "compute/core/params.h"
#include "compute/core/shape.h"
#include "compute/registry/algorithm.h"

namespace threadscape {

struct ResultSettingsFacet {
  ResultSettings (*of)(const ParamBox&, const Shape& input);
};

template <class A>
std::optional<ResultSettingsFacet> result_settings_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::result_settings; })
    return ResultSettingsFacet{
        .of = [](const ParamBox& p, const Shape& input) { return A::result_settings(p.as<P>(), input); }};
  else
    return std::nullopt;
}

}  // namespace threadscape

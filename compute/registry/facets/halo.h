#pragma once
// Results that can be computed region by region. An algorithm with this facet declares one of
//
//   static Reach reach(const Params&);                                                   if it reads around each place
//   static Region input_needed(const Params&, const Shape& input, const Region& output); otherwise
//
// A result that depends on where in the whole input an element lies, as noise does, has no such facet.

#include <optional>

#include "compute/core/params.h"
#include "compute/core/region.h"

namespace threadscape {

struct HaloFacet {
  /// The region of the input that a region of the result needs: a run on that region alone has these elements of the
  /// result, to the bit, at the distance of the two regions. That is all of the input where an element of the result
  /// can depend on all of it.
  Region (*input_needed)(const ParamBox&, const Shape& input, const Region& output);
};

template <class A>
std::optional<HaloFacet> halo_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::input_needed; })
    return HaloFacet{[](const ParamBox& p, const Shape& input, const Region& output) {
      return A::input_needed(p.as<P>(), input, output);
    }};
  else if constexpr (requires(const P& p) { A::reach(p); })
    return HaloFacet{[](const ParamBox& p, const Shape& input, const Region& output) {
      return reached(A::reach(p.as<P>()), input, output);
    }};
  else
    return std::nullopt;
}

}  // namespace threadscape

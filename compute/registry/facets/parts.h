#pragma once
// A CUDA run that is divided into parts, so that the intermediate state of a long run can be shown, and drawing gets
// its share of the device. An algorithm with this facet declares
//
//   static int parts(const Params&, const Shape& input);
//   static bool shows_parts(const Params&);    unless the output always shows them

#include <optional>

#include "compute/core/params.h"
#include "compute/core/shape.h"

namespace threadscape {

struct PartsFacet {
  /// The number of parts, at least 1. Calls of cuda() with consecutive ranges (DeviceRun::parts) and with equal input,
  /// sink and scratch memory compute what one call for all parts computes, within the tolerance of the algorithm.
  int (*count)(const ParamBox&, const Shape& input);
  /// Returns true if the output holds after each call what has been computed so far; false if it is written by the last
  /// call alone.
  bool (*shown)(const ParamBox&);
};

template <class A>
std::optional<PartsFacet> parts_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::parts; })
    return PartsFacet{.count = [](const ParamBox& p, const Shape& input) { return A::parts(p.as<P>(), input); },
                      .shown =
                          [](const ParamBox& p) {
                            if constexpr (requires { A::shows_parts; })
                              return A::shows_parts(p.as<P>());
                            else
                              return true;
                          }};
  else
    return std::nullopt;
}

}  // namespace threadscape

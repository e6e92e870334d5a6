#pragma once
// Results of a whole sequence that are joined from the results of its parts. An algorithm with this facet declares
//
//   static std::string why_no_join(const Params&);
//   static void join(const Params&, const JoinRun&);

#include <optional>
#include <string>

#include "compute/core/join_run.h"
#include "compute/core/params.h"

namespace threadscape {

struct JoinFacet {
  /// Why results with these parameters cannot be joined, as the end of a sentence; "" if they can.
  std::string (*why_not)(const ParamBox&);
  /// Writes the result that a run on the whole sequence has, to the bit. Throws EnvironmentError for want of memory,
  /// and returns early once a stop is requested.
  void (*run)(const ParamBox&, const JoinRun&);
};

template <class A>
std::optional<JoinFacet> join_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::join; })
    return JoinFacet{.why_not = [](const ParamBox& p) { return A::why_no_join(p.as<P>()); },
                     .run = [](const ParamBox& p, const JoinRun& run) { A::join(p.as<P>(), run); }};
  else
    return std::nullopt;
}

}  // namespace threadscape

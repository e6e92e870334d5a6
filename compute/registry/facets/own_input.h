#pragma once
// An input that the algorithm makes itself if no file is given. An algorithm with this facet declares
//
//   static Shape input_shape(const Params&);
//   static HostArray make_input(const Params&, std::uint64_t seed);
//   static bool same_input(const Params&, const Params&);

#include <cstdint>
#include <optional>

#include "compute/core/data.h"
#include "compute/core/params.h"

namespace threadscape {

struct OwnInputFacet {
  /// Kind, element type and extents of the input. A file without a header is read in this form, except that its length
  /// follows from the size of the file.
  Shape (*shape)(const ParamBox&);
  /// Makes the input from the seed. This may take seconds, so the drawing thread must not call it. Throws UsageError
  /// and EnvironmentError.
  HostArray (*make)(const ParamBox&, std::uint64_t seed);
  /// Returns whether both parameters make the same input from the same seed.
  bool (*same)(const ParamBox&, const ParamBox&);
};

template <class A>
std::optional<OwnInputFacet> own_input_facet() {
  using P = typename A::Params;
  constexpr bool makes = requires {
    A::make_input;
  };
  static_assert(
      makes == requires { A::input_shape; } && makes == requires { A::same_input; },
      "input_shape(), make_input() and same_input() belong together");
  if constexpr (makes)
    return OwnInputFacet{
        .shape = [](const ParamBox& p) { return A::input_shape(p.as<P>()); },
        .make = [](const ParamBox& p, std::uint64_t seed) { return A::make_input(p.as<P>(), seed); },
        .same = [](const ParamBox& a, const ParamBox& b) { return A::same_input(a.as<P>(), b.as<P>()); }};
  else
    return std::nullopt;
}

}  // namespace threadscape

#pragma once
// An optional step before a run (compute/core/preparation.h). An algorithm with this facet declares
//
//   static std::shared_ptr<const Preparation> prepare(const Params&, const HostIn&, std::uint64_t seed,
//                                                     std::uint64_t frame, const std::stop_token&, Progress*);
//   static bool needs_preparation(const Params&, Backend);

#include <cstdint>
#include <memory>
#include <optional>
#include <stop_token>

#include "compute/core/backend.h"
#include "compute/core/data.h"
#include "compute/core/params.h"
#include "compute/core/preparation.h"
#include "compute/core/progress.h"

namespace threadscape {

struct PreparationFacet {
  /// Returns whether a run with these parameters on this backend needs the preparation.
  bool (*needed)(const ParamBox&, Backend);
  /// Makes the preparation from the input, the seed and the number of the frame of the run. This may take seconds, so
  /// the drawing thread must not call it. `progress` may be null. Throws what a run throws. Once the stop is requested,
  /// returns early with any result.
  std::shared_ptr<const Preparation> (*prepare)(const ParamBox&, const HostIn& input, std::uint64_t seed,
                                                std::uint64_t frame, const std::stop_token&, Progress* progress);
};

template <class A>
std::optional<PreparationFacet> preparation_facet() {
  using P = typename A::Params;
  constexpr bool prepares = requires {
    A::prepare;
  };
  static_assert(
      prepares == requires { A::needs_preparation; }, "prepare() and needs_preparation() belong together");
  if constexpr (prepares)
    return PreparationFacet{
        .needed = [](const ParamBox& p, Backend backend) { return A::needs_preparation(p.as<P>(), backend); },
        .prepare = [](const ParamBox& p, const HostIn& input, std::uint64_t seed, std::uint64_t frame,
                      const std::stop_token& stop, Progress* progress) -> std::shared_ptr<const Preparation> {
          return A::prepare(p.as<P>(), input, seed, frame, stop, progress);
        }};
  else
    return std::nullopt;
}

}  // namespace threadscape

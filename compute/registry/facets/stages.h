#pragma once
// The times of the stages that a run consists of. An algorithm with this facet declares
//
//   static std::unique_ptr<StageProbe> stage_probe(const Params&, const HostIn&);

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "compute/core/data.h"
#include "compute/core/params.h"
#include "compute/core/preparation.h"

namespace threadscape {

/// A stage of a run, and how long it took in milliseconds.
struct StageTime {
  std::string_view name;
  double ms = 0.0;
};

/// Measures the stages of one run.
class StageProbe {
 public:
  virtual ~StageProbe() = default;
  /// The preparation for the run. A run with it measures its stages, which can make it a little slower.
  [[nodiscard]] virtual std::shared_ptr<const Preparation> preparation() const = 0;
  /// The stages that took place, in their order, with the times of all threads divided by `threads`. To be called when
  /// the run has ended.
  [[nodiscard]] virtual std::vector<StageTime> times(int threads) const = 0;
  /// Milliseconds of work that was done only to be measured, likewise; they are part of the time of the run.
  [[nodiscard]] virtual double repeated_ms(int threads) const = 0;
};

struct StagesFacet {
  /// A probe for one run with these parameters and this input. Throws what a run throws.
  std::unique_ptr<StageProbe> (*probe)(const ParamBox&, const HostIn& input);
};

template <class A>
std::optional<StagesFacet> stages_facet() {
  using P = typename A::Params;
  if constexpr (requires { A::stage_probe; })
    return StagesFacet{
        .probe = [](const ParamBox& p, const HostIn& input) { return A::stage_probe(p.as<P>(), input); }};
  else
    return std::nullopt;
}

}  // namespace threadscape

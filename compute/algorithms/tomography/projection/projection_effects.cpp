// Which parameters of the projection have no effect, depending on the geometry and the output.

#include <array>

#include "compute/algorithms/tomography/scanner_effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_projection() {
  static constexpr auto rules = with_scanner_effects(std::array{EffectRule{"method", {"output", "integral"}}});
  return rules;
}

}  // namespace threadscape

// Which parameters of the reconstruction have no effect, depending on the geometry and the method.

#include <array>

#include "compute/algorithms/tomography/scanner_effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_reconstruction() {
  static constexpr auto rules = with_scanner_effects(
      std::array{EffectRule{"filter", {"method", "fdk"}}, EffectRule{"iterations", {"method", "sirt"}},
                 EffectRule{"nonnegative", {"method", "sirt"}}, EffectRule{"tv", {"method", "sirt"}}});
  return rules;
}

}  // namespace threadscape

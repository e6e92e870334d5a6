// Which parameters of the law of Lambert and Beer have no effect, depending on the direction.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_beer_lambert() {
  static constexpr std::array rules{EffectRule{"photons", {"output", "intensity"}}};
  return rules;
}

}  // namespace threadscape

// Which parameters of the terrain have no effect, depending on its mode.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_diamond_square() {
  static constexpr std::array rules{EffectRule{"roughness", {"mode", "fractal"}},
                                    EffectRule{"amplitude", {"mode", "fractal"}},
                                    EffectRule{"arithmetic", {"mode", "classic"}}};
  return rules;
}

}  // namespace threadscape

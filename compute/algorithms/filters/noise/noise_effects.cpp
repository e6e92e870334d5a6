// Which parameters of the noise have no effect, depending on its kind.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_noise() {
  static constexpr std::array rules{EffectRule{"amount", {"kind", "salt_pepper"}},
                                    EffectRule{"sigma", {"kind", "gaussian|uniform"}}};
  return rules;
}

}  // namespace threadscape

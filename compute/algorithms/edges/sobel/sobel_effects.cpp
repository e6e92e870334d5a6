// Which parameters of the Sobel filter have no effect, depending on others.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_sobel() {
  static constexpr std::array rules{EffectRule{"norm", {"directions", "two"}},
                                    EffectRule{"norm", {"output", "!direction|angle"}},
                                    EffectRule{"directions", {"output", "!direction|angle"}}};
  return rules;
}

}  // namespace threadscape

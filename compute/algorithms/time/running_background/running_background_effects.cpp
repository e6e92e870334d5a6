// Which parameters of the running background have no effect, depending on what is shown.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_running_background() {
  static constexpr std::array rules{EffectRule{"threshold", {"show", "foreground"}}};
  return rules;
}

}  // namespace threadscape

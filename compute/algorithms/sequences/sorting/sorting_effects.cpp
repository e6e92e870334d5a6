// Which parameters of sorting are for the sequence that it makes itself.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_sorting() {
  static constexpr std::array rules{EffectRule{"count"}, EffectRule{"distribution"}};
  return rules;
}

}  // namespace threadscape

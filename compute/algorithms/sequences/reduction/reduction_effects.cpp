// Which parameters of the reduction are for the sequence that it makes itself.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_reduction() {
  static constexpr std::array rules{EffectRule{"count"}};
  return rules;
}

}  // namespace threadscape

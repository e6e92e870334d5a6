// Which parameters of the transfer are for the sequence that it makes itself.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_transfer() {
  static constexpr std::array rules{EffectRule{"count"}};
  return rules;
}

}  // namespace threadscape

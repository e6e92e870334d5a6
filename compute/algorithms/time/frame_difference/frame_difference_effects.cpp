// Which parameters of the difference of frames have no effect, depending on its mode.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_frame_difference() {
  static constexpr std::array rules{EffectRule{"threshold", {"mode", "threshold"}}};
  return rules;
}

}  // namespace threadscape

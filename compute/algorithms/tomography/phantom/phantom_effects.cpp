// Which parameters of the phantom have no effect, depending on its pixels.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_phantom() {
  static constexpr std::array rules{EffectRule{"voxels", {"pixels", "0"}}, EffectRule{"voxels_y", {"pixels", "0"}},
                                    EffectRule{"voxels_z", {"pixels", "0"}}};
  return rules;
}

}  // namespace threadscape

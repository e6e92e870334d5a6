// Which parameters of seam carving have no effect, depending on others.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_seam_carving() {
  static constexpr std::array rules{EffectRule{"start", {"path", "greedy"}},   EffectRule{"energy", {"map", ""}},
                                    EffectRule{"path", {"map", ""}},           EffectRule{"start", {"map", ""}},
                                    EffectRule{"seams_per_pass", {"map", ""}}, EffectRule{"order", {"map", ""}}};
  return rules;
}

}  // namespace threadscape

// Which parameters of the morphology have no effect, depending on the structuring element.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_morphology() {
  static constexpr std::array rules{EffectRule{"size", {"shape", "!file"}},   EffectRule{"width", {"shape", "!file"}},
                                    EffectRule{"height", {"shape", "!file"}}, EffectRule{"angle", {"shape", "line"}},
                                    EffectRule{"element", {"shape", "file"}}, EffectRule{"peak", {"flat", "false"}},
                                    EffectRule{"erosion", {"flat", "false"}}};
  return rules;
}

}  // namespace threadscape

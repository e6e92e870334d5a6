// Which parameters of the projection have no effect, depending on the geometry.

#include "compute/algorithms/tomography/scanner_effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_projection() {
  return scanner_effects;
}

}  // namespace threadscape

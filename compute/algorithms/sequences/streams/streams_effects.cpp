// Which parameters of the operations on streams have no effect, depending on the operation.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_streams() {
  static constexpr std::array rules{EffectRule{"count"}, EffectRule{"factor", {"operation", "map|zip|network"}},
                                    EffectRule{"addend", {"operation", "map|network"}},
                                    EffectRule{"limit", {"operation", "flags|places|filter|partition"}},
                                    EffectRule{"ratio", {"operation", "expand|reduce"}}};
  return rules;
}

}  // namespace threadscape

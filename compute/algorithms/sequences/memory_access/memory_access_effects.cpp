// Which parameters of the memory accesses have no effect, depending on the pattern.

#include <array>

#include "compute/registry/facets/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_memory_access() {
  static constexpr std::array rules{
      EffectRule{"count"}, EffectRule{"stride", {"pattern", "strided|conflicts"}},
      EffectRule{"offset", {"pattern", "misaligned"}},
      EffectRule{"rounds",
                 {"pattern", "registers|constant|constant_apart|shared|conflicts|struct_8|struct_5|l1|l2|local"}}};
  return rules;
}

}  // namespace threadscape

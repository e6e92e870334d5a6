#pragma once
// Which parameters of a scanner have no effect, depending on its geometry. The projection and the reconstruction have
// the same parameters of the scanner, and so the same rules for them.

#include <algorithm>
#include <array>
#include <cstddef>

#include "compute/registry/facets/effects.h"

namespace threadscape {

/// The phantom counts only without a file, "pixels" only where the lengths of the source document hold ("source"), and
/// single lengths only in the two geometries that leave them open ("cone" and "parallel").
inline constexpr std::array scanner_effects{EffectRule{"phantom"},
                                            EffectRule{"pixels", {"geometry", "source"}},
                                            EffectRule{"voxels", {"geometry", "cone|parallel"}},
                                            EffectRule{"voxels_y", {"geometry", "cone|parallel"}},
                                            EffectRule{"voxels_z", {"geometry", "cone|parallel"}},
                                            EffectRule{"voxel_size", {"geometry", "cone|parallel"}},
                                            EffectRule{"voxel_size_y", {"geometry", "cone|parallel"}},
                                            EffectRule{"voxel_size_z", {"geometry", "cone|parallel"}},
                                            EffectRule{"detector_pixels", {"geometry", "cone|parallel"}},
                                            EffectRule{"detector_rows", {"geometry", "cone|parallel"}},
                                            EffectRule{"pixel_size", {"geometry", "cone|parallel"}},
                                            EffectRule{"pixel_size_v", {"geometry", "cone|parallel"}},
                                            EffectRule{"offset_u", {"geometry", "cone|parallel"}},
                                            EffectRule{"offset_v", {"geometry", "cone|parallel"}},
                                            EffectRule{"source_distance", {"geometry", "cone|parallel"}},
                                            EffectRule{"detector_distance", {"geometry", "cone|parallel"}},
                                            EffectRule{"feed", {"geometry", "cone|parallel"}},
                                            EffectRule{"arc", {"angles", ""}},
                                            EffectRule{"step", {"angles", ""}}};

/// The rules of the scanner, followed by `others`.
template <std::size_t N>
[[nodiscard]] constexpr auto with_scanner_effects(const std::array<EffectRule, N>& others) {
  std::array<EffectRule, scanner_effects.size() + N> rules{};
  std::ranges::copy(others, std::ranges::copy(scanner_effects, rules.begin()).out);
  return rules;
}

}  // namespace threadscape

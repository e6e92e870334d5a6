// Which parameters of the projection have no effect, depending on the geometry.

#include <array>

#include "compute/registry/effects.h"

namespace threadscape {

std::span<const EffectRule> effects_of_projection() {
  static constexpr std::array rules{EffectRule{"phantom"},
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
                                    EffectRule{"offset_u", {"geometry", "cone|parallel"}},
                                    EffectRule{"offset_v", {"geometry", "cone|parallel"}},
                                    EffectRule{"source_distance", {"geometry", "cone|parallel"}},
                                    EffectRule{"detector_distance", {"geometry", "cone|parallel"}}};
  return rules;
}

}  // namespace threadscape

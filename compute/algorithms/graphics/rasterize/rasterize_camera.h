#pragma once

#include "compute/algorithms/graphics/rasterize/rasterize.h"

namespace threadscape::rasterize {

/// The matrices of the camera for a mesh with this box in object space.
[[nodiscard]] Camera make_camera(const Rasterize::Params& params, Float3 low, Float3 high);
/// Returns whether lines of sight meet in a point or are parallel: as the parameter `projection` says, or as
/// `projection_matrix` has it.
[[nodiscard]] Projection projection_of(const Rasterize::Params& params);
/// Unit vector towards the light, in world space.
[[nodiscard]] Float3 light_direction(const Rasterize::Params& params);

}  // namespace threadscape::rasterize

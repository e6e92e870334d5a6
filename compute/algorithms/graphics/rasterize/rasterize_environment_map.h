#pragma once
// Makes environment maps on the host: built-in surroundings, and pictures from files.

#include <memory>

#include "compute/algorithms/graphics/rasterize/rasterize.h"

namespace threadscape::rasterize {

/// The map of these parameters, or null if they name none. Built-in maps are made once; maps of files are made again
/// when the file has changed. The picture of a file is equirectangular: twice as wide as high, with north in its middle
/// column, east to the right of it, and up in its first row. Throws UsageError if the picture has another shape, and
/// EnvironmentError if it cannot be read.
[[nodiscard]] std::shared_ptr<const EnvironmentMap> environment_map(const Rasterize::Params& params);

/// The number of texels of the map of these parameters, whose file is not read for it; 0 if they name none.
[[nodiscard]] std::size_t environment_texels(const Rasterize::Params& params);

/// The direction of a place on a face of the cube, which has no unit length: `u` to the right and `v` downwards are
/// -1..1 on the face, and continue beyond it.
[[nodiscard]] Float3 environment_direction(int face, float u, float v);

/// What the plan says of the surroundings. `map` may be null, and has to outlive the result.
[[nodiscard]] Environment environment_of(const Rasterize::Params& params, const EnvironmentMap* map);

}  // namespace threadscape::rasterize

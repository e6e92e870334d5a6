#pragma once
// The regions into which the method of Warnock divides a picture, for views that explain it.

#include <cstdint>
#include <vector>

#include "compute/algorithms/graphics/rasterize/rasterize_plan.h"

namespace threadscape::rasterize {

/// Why a region is not divided any further.
enum class RegionCase : std::uint8_t {
  empty,       ///< No triangle reaches into it.
  one,         ///< One triangle reaches into it.
  surrounded,  ///< A triangle covers all of it in front of all others.
  pixel        ///< It is a single pixel, and the nearest of its triangles is visible.
};

/// The pixels x0 <= x < x1, y0 <= y < y1.
struct Region {
  int x0 = 0, y0 = 0, x1 = 0, y1 = 0;
  std::uint32_t triangles = 0;  ///< Those that may cover a pixel of it.
  RegionCase why = RegionCase::empty;
};

/// The undivided regions of the whole picture, which do not overlap. They are those of the serial backend; threads
/// start with rows of the picture instead. `mesh` has passed check_mesh(). Draws the mesh on the host to find them.
[[nodiscard]] std::vector<Region> warnock_regions(const Plan& plan, const MeshView& mesh);

}  // namespace threadscape::rasterize

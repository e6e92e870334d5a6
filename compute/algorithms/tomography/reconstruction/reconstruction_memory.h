#pragma once
// What the backends keep in memory.

#include <cstddef>

#include "compute/algorithms/tomography/projection/projection_memory.h"

namespace threadscape::reconstruction {

/// Filtered views with the rows of a detector column next to each other, since the voxels above each other are seen in
/// one column. There is a zero before and two behind each column of pixels, and a column of zeros before and two behind
/// those of a view: what is beyond the detector, for an interpolation that clamps its place to -1 .. count.
struct FilteredLayout {
  int columns = 0;
  int pitch = 0;              ///< from one column to the next
  std::size_t view = 0;       ///< from one view to the next
  std::ptrdiff_t origin = 0;  ///< of the pixel (0, 0) of a view

  explicit FilteredLayout(const projection::Geometry& geometry)
      : columns(geometry.columns),
        pitch(geometry.rows + 3),
        view(static_cast<std::size_t>(geometry.columns + 3) * static_cast<std::size_t>(pitch)),
        origin(pitch + 1) {}
};

/// A block of columns of voxels that one thread works on at a time: the views' part that it sees stays in its cache.
inline constexpr int tile_width = 16, tile_height = 8;
/// Views of a part of a CUDA run of fdk.
inline constexpr int views_of_part = 64;

// ---- CUDA

/// fdk: the taps, and the filtered views of one part.
[[nodiscard]] inline std::size_t fdk_device_bytes(const projection::Geometry& geometry) {
  return HostScratch::padded(FilteredLayout(geometry).view * views_of_part * sizeof(float)) +
         HostScratch::padded(2 * static_cast<std::size_t>(geometry.columns) * sizeof(float));
}
/// sirt cuts volumes along y, where an index within one slab would not fit into 32 bits.
struct SirtSlabs {
  int layers, count;
  std::size_t floats;  ///< from one slab to the next, each being columns of voxels

  explicit SirtSlabs(const volumes::VolumeGrid& grid)
      : layers(projection::cuda_layers(grid, 0)),
        count((grid.ny + layers - 1) / layers),
        floats(projection::columns_bytes(grid, layers) / sizeof(float)) {}
};
/// sirt: the object, its change and the weights of its voxels as columns of voxels; the views and the weights of rays.
[[nodiscard]] inline std::size_t sirt_device_bytes(const projection::Geometry& geometry) {
  const SirtSlabs slabs(geometry.grid);
  const std::size_t pixels = static_cast<std::size_t>(geometry.columns) * static_cast<std::size_t>(geometry.rows) *
                             static_cast<std::size_t>(geometry.views);
  return 3 * HostScratch::padded(slabs.floats * static_cast<std::size_t>(slabs.count) * sizeof(float)) +
         2 * HostScratch::padded(pixels * sizeof(float));
}

}  // namespace threadscape::reconstruction

#pragma once
// Layouts and sizes of the scratch memory of reconstruction.

#include <cstddef>

#include "compute/algorithms/tomography/reconstruction/reconstruction_math.h"
#include "compute/algorithms/tomography/slab_memory.h"

namespace threadscape::reconstruction {

/// The layout of filtered views, in which the rows of a detector column are contiguous, since a column of voxels
/// projects onto one column of the detector. Every column has a zero before and two zeros after its pixels, and every
/// view has a column of zeros before and two after its columns. They are the outside of the detector for an
/// interpolation whose position is clamped to -1 .. count.
///
///   column -1:   0 | 0 0 .. 0 | 0 0
///   column  0:   0 | p p .. p | 0 0        memory runs along the lines: one line is a detector column of `rows` pixels
///     ..
///   column  n:   0 | 0 0 .. 0 | 0 0        n = columns, and one more line of zeros
struct FilteredLayout {
  int columns = 0;
  int pitch = 0;              ///< Distance in floats between neighbouring columns.
  std::size_t view = 0;       ///< Distance in floats between neighbouring views.
  std::ptrdiff_t origin = 0;  ///< Index of the pixel (0, 0) in a view.

  explicit FilteredLayout(const projection::Geometry& geometry)
      : columns(geometry.columns),
        pitch(geometry.rows + 3),
        view(static_cast<std::size_t>(geometry.columns + 3) * static_cast<std::size_t>(pitch)),
        origin(pitch + 1) {}
};

/// A share of a filtered backprojection: some of the views, onto some layers of the volume along y. Shares of the same
/// layers that follow each other add to the same sums, so that a volume has the same bits however it is shared out.
struct FdkShare {
  int first_view = 0, views = 1;
  int y0 = 0, y1 = 1;  ///< The layers with y0 <= y < y1.
  /// The share of one run: all views, and the whole volume.
  [[nodiscard]] static FdkShare whole(const projection::Geometry& geometry) {
    return {0, geometry.views, 0, geometry.grid.ny};
  }
};

/// Size in the xy-plane of the tile of voxel columns that a thread of the CPU works on. The pixels onto which a tile
/// projects stay in the cache.
inline constexpr int tile_width = 16, tile_height = 8;
/// Number of views in a part of a CUDA run of fdk.
inline constexpr int views_per_part = 64;

// ---- CUDA

/// Device memory in bytes that fdk takes: the taps, and the filtered views of one part.
[[nodiscard]] inline std::size_t fdk_device_bytes(const projection::Geometry& measured) {
  const projection::Geometry geometry = Coverage::of(measured).filtered(measured);
  return HostScratch::padded(FilteredLayout(geometry).view * views_per_part * sizeof(float)) +
         HostScratch::padded(2 * static_cast<std::size_t>(geometry.columns) * sizeof(float));
}
/// The slabs into which sirt cuts a volume on the GPU, so that an index within a slab fits into 32 bits.
struct SirtSlabs {
  int layers;          ///< Layers of a slab along y; the last slab may have fewer.
  int count;           ///< Number of slabs.
  std::size_t floats;  ///< Distance in floats between neighbouring slabs, which are columns of voxels.

  explicit SirtSlabs(const volumes::VolumeGrid& grid)
      : layers(projection::cuda_layers(grid, 0)),
        count((grid.ny + layers - 1) / layers),
        floats(projection::columns_bytes(grid, layers) / sizeof(float)) {}
};
/// Device memory in bytes that sirt takes: the object, its update and the weights of its voxels as columns of voxels,
/// the views, and the weights of the rays; three more columns of voxels for total variation.
[[nodiscard]] inline std::size_t sirt_device_bytes(const projection::Geometry& geometry, bool tv) {
  const SirtSlabs slabs(geometry.grid);
  const std::size_t pixels = static_cast<std::size_t>(geometry.columns) * static_cast<std::size_t>(geometry.rows) *
                             static_cast<std::size_t>(geometry.views);
  return (tv ? 6 : 3) * HostScratch::padded(slabs.floats * static_cast<std::size_t>(slabs.count) * sizeof(float)) +
         2 * HostScratch::padded(pixels * sizeof(float));
}

}  // namespace threadscape::reconstruction

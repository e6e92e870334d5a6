#pragma once
// How a volume is cut into slabs along y, and the memory that projecting one takes.

#include <algorithm>

#include "compute/algorithms/tomography/projection/projection_columns.h"
#include "compute/core/scratch.h"

namespace threadscape::projection {

/// Of `layers` layers of the volume as columns, see projection_columns.h. The last vector of a column may read on.
[[nodiscard]] inline std::size_t columns_bytes(const VolumeGrid& grid, int layers) {
  constexpr std::size_t beyond = 64;
  const std::size_t columns = 1 + static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(layers);
  return HostScratch::padded((columns * static_cast<std::size_t>(column_pitch(grid.nz)) + beyond) * sizeof(float));
}

/// As many layers as `bytes` hold, at least `least`.
[[nodiscard]] inline int layers_of(const VolumeGrid& grid, std::size_t bytes, int least) {
  const std::size_t layer = static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.nz) * sizeof(float);
  return std::clamp(static_cast<int>(std::min<std::size_t>(bytes / layer, 1 << 20)), std::min(least, grid.ny), grid.ny);
}
/// Layers of a slab; `slab` 0 chooses, and not by what memory is free: other slabs are other sums of floats, and the
/// same run shall give the same bits. (Files that do not fit go by free memory: projection_layers.h.) CPU: enough that
/// a path is long against what a ray costs to start (420^3 voxels: 64 MB take a fifth more time). GPU: memory for a
/// second copy of the volume, up to where 32 bits hold an index.
[[nodiscard]] inline int openmp_layers(const VolumeGrid& grid, int slab) {
  return slab > 0 ? std::min(slab, grid.ny) : layers_of(grid, std::size_t{256} << 20, 64);
}
[[nodiscard]] inline int cuda_layers(const VolumeGrid& grid, int slab) {
  const int most = layers_of(grid, std::size_t{4} << 30, 1);
  return slab > 0 ? std::min(slab, most) : most;
}

/// openmp_scratch_bytes() for slabs of these layers.
[[nodiscard]] std::size_t openmp_scratch_bytes(const Geometry& geometry, int slab);

}  // namespace threadscape::projection

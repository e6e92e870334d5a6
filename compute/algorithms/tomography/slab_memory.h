#pragma once
// How a volume is cut into slabs along y, and the memory that the projection of a slab takes.

#include <algorithm>

#include "compute/algorithms/tomography/detector_columns.h"
#include "compute/core/scratch.h"

namespace threadscape::projection {

/// Memory in bytes of `layers` layers of the volume as columns of voxels, see detector_columns.h. The last vector of
/// a column may read beyond its end, so there are 64 more floats.
[[nodiscard]] inline std::size_t columns_bytes(const VolumeGrid& grid, int layers) {
  constexpr std::size_t beyond = 64;
  const std::size_t columns = 1 + static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(layers);
  return HostScratch::padded((columns * static_cast<std::size_t>(column_pitch(grid.nz)) + beyond) * sizeof(float));
}

/// Number of layers that fit into `bytes`, at least min_layers and at most those of the volume.
[[nodiscard]] inline int layers_fitting(const VolumeGrid& grid, std::size_t bytes, int min_layers) {
  const std::size_t layer = static_cast<std::size_t>(grid.nx) * static_cast<std::size_t>(grid.nz) * sizeof(float);
  return std::clamp(static_cast<int>(std::min<std::size_t>(bytes / layer, 1 << 20)), std::min(min_layers, grid.ny),
                    grid.ny);
}
/// Layers of a slab on the CPU: the parameter `slab`, or if it is 0 the layers that fit into 256 MB, enough that a path
/// is long compared with the setup of a ray (slabs of 64 MB take a fifth more time for 420^3 voxels). The choice does
/// not depend on the free memory: other slabs mean other sums of floats, and equal runs have to give equal bits. Only
/// volumes that do not fit into memory are cut by the free memory (projection_layers.h).
[[nodiscard]] inline int openmp_layers(const VolumeGrid& grid, int slab) {
  return slab > 0 ? std::min(slab, grid.ny) : layers_fitting(grid, std::size_t{256} << 20, 64);
}
/// Layers of a slab on the GPU: the parameter `slab`, or if it is 0 as many layers as 32-bit indices can address, at
/// the cost of memory for a second copy of the volume.
[[nodiscard]] inline int cuda_layers(const VolumeGrid& grid, int slab) {
  const int max_layers = layers_fitting(grid, std::size_t{4} << 30, 1);
  return slab > 0 ? std::min(slab, max_layers) : max_layers;
}

/// Scratch memory in bytes of add_slab() on the CPU. `slab` is the parameter: layers of a slab, or 0.
[[nodiscard]] std::size_t openmp_scratch_bytes(const Geometry& geometry, int slab);

}  // namespace threadscape::projection

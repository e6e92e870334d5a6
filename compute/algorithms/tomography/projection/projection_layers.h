#pragma once
// The implementation of Projection::run_layers(): projection of a volume that need not fit into memory.

#include "compute/algorithms/tomography/geometry.h"
#include "compute/algorithms/tomography/ray_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape::projection {

/// How a volume is projected in slabs along y.
struct LayerPlan {
  Geometry geometry;
  Method method = Method::incremental;
  int layers = 1;  ///< Layers of a slab; the last slab may have fewer.
};

/// Projects the volume on the GPU and overwrites run.out. Device memory holds two slabs: one is uploaded while the
/// other is projected and a third one is read from the file. Throws Cancelled on a stop request, whatever the reader
/// throws, and BackendAbsent in builds without CUDA.
void project_layers_cuda(const LayerPlan& plan, const LayerRun& run);
/// Device memory in bytes that is free for slabs and their columns of voxels once the views of the run have theirs.
[[nodiscard]] std::size_t device_bytes_for_layers(const LayerRun& run);

/// Writes the number of voxels of every ray to run.out, for which no voxel is read. Throws as project_layers_cuda()
/// does.
void count_voxels_cuda(const Geometry& geometry, const LayerRun& run);

/// The box of the layers y .. y + layers - 1, cut at the end of the volume.
[[nodiscard]] Box slab_at(const Geometry& geometry, int y, int layers);

}  // namespace threadscape::projection

#pragma once
// The projection of one slab of a volume with all cores and SIMD: what the OpenMP backend, the reader of large files
// (projection_layers.h) and reconstruction share.

#include "compute/algorithms/tomography/projection/projection_memory.h"
#include "compute/registry/algorithm.h"

namespace threadscape::projection {

/// Adds what the layers box.y0 .. box.y1 - 1 give to every ray. `voxels` are those layers alone, in the order of a
/// volume. `run` says how: threads, scratch of openmp_scratch_bytes() for as many layers, stop, progress.
void add_slab(const Geometry& geometry, Method method, const Box& box, const float* voxels,
              const VolumeView<float>& out, const HostRun& run);

/// As add_slab(), ray by ray through the voxels as they are, in double; any method, no scratch.
void add_rays(const Geometry& geometry, Method method, const Box& box, const float* voxels,
              const VolumeView<float>& out, const HostRun& run);
/// A whole volume in slabs of so many layers, 0 = automatic. Scratch as above.
void add_slabs(const Geometry& geometry, Method method, int slab, const float* voxels, const VolumeView<float>& out,
               const HostRun& run);

}  // namespace threadscape::projection

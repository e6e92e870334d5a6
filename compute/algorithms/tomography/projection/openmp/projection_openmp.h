#pragma once
// Projection of a slab of a volume with all cores and SIMD, for the OpenMP backend, for volumes larger than memory
// (projection_layers.h) and for reconstruction.

#include "compute/algorithms/tomography/slab_memory.h"
#include "compute/registry/algorithm.h"

namespace threadscape::projection {

/// Adds the line integrals of the layers box.y0 .. box.y1 - 1 to every ray in `out`. `voxels` are these layers alone,
/// in the order of a volume. `run` provides threads, scratch of openmp_scratch_bytes() for as many layers, stop and
/// progress.
void add_slab(const Geometry& geometry, Method method, const Box& box, const float* voxels,
              const VolumeView<float>& out, const HostRun& run);

/// Does what add_slab() does, but ray by ray, in double and without scratch, for any method.
void add_rays(const Geometry& geometry, Method method, const Box& box, const float* voxels,
              const VolumeView<float>& out, const HostRun& run);
/// Writes the number of voxels of every ray.
void count_voxels(const Geometry& geometry, const VolumeView<float>& out, const HostRun& run);
/// Adds the line integrals of a whole volume to `out`, in slabs of `slab` layers (0 = openmp_layers()). `run` provides
/// the same as for add_slab().
void add_slabs(const Geometry& geometry, Method method, int slab, const float* voxels, const VolumeView<float>& out,
               const HostRun& run);

}  // namespace threadscape::projection

#pragma once
// The projection of one slab of a volume with all cores and SIMD: what the OpenMP backend and the reader of large files
// (projection_stream.h) share.

#include "compute/core/algorithm.h"
#include "compute/projection/projection_memory.h"

namespace threadscape::projection {

/// Adds what the layers box.y0 .. box.y1 - 1 give to every ray. `voxels` are those layers alone, in the order of a
/// volume. `run` says how: threads, scratch of openmp_scratch_bytes() for as many layers, stop, progress.
void add_slab(const Geometry& geometry, Method method, const Box& box, const float* voxels,
              const VolumeView<float>& out, const HostRun& run);

}  // namespace threadscape::projection

#pragma once
// The steps of the CUDA backend, for callers that keep a volume on the device and want some of its views.

#include "compute/algorithms/tomography/projection/projection_memory.h"
#include "compute/cuda/volume_store.cuh"
#include "compute/registry/algorithm.h"

namespace threadscape::projection {

/// Where views go: device memory, or the surface of a texture. Volumes are (column, row, view).
using ViewStore = cuda::EitherVolumeStore<float>;

/// The layers box.y0 .. box.y1 - 1, given alone in device memory, as columns of voxels: columns_bytes() of device
/// memory.
void fill_columns(const Geometry& geometry, const Box& box, const float* voxels, float* columns, CudaStream stream);

/// The views first .. last - 1 of these layers, into `out` or added to it, which has room for all views. Any method but
/// siddon.
void project_columns(const Geometry& geometry, Method method, const Box& box, const float* columns,
                     const ViewStore& out, int first, int last, bool add, CudaStream stream);

/// As project_columns(), from the voxels as they are, with one thread per ray; any method.
void project_rays(const Geometry& geometry, Method method, const Box& box, const float* voxels, const ViewStore& out,
                  int first, int last, bool add, CudaStream stream);

/// The transpose of project_columns() for siddon and incremental: adds to every voxel of these layers what the rays of
/// the views first .. last - 1 hold, times their length in it. `rays` are all views in device memory, `columns` as
/// fill_columns() orders them. The zeros around the columns get what is beyond the volume. Sums are made with atomic
/// additions, in no fixed order.
void back_project_columns(const Geometry& geometry, const Box& box, const float* rays, float* columns, int first,
                          int last, CudaStream stream);

}  // namespace threadscape::projection

#pragma once
// Projection of a volume in device memory and its transpose, step by step, for callers that keep the volume on the
// device: the CUDA backends of projection and reconstruction, and the projection of large files.

#include "compute/algorithms/tomography/slab_memory.h"
#include "compute/gpu/store.cuh"
#include "compute/registry/algorithm.h"

namespace threadscape::projection {

/// The destination of views, indexed (column, row, view): device memory or the surface of a texture.
using ViewStore = cuda::EitherVolumeStore<float>;

/// Copies the layers box.y0 .. box.y1 - 1 to columns of voxels. `voxels` are these layers alone, in the order of a
/// volume; `columns` has columns_bytes(). Both are in device memory.
void fill_columns(const Geometry& geometry, const Box& box, const float* voxels, float* columns, CudaStream stream);

/// Projects these layers into the views first .. last - 1, storing the values in `out` or adding them to it. `out` has
/// room for all views. `method` is incremental or joseph.
void project_columns(const Geometry& geometry, Method method, const Box& box, const float* columns,
                     const ViewStore& out, int first, int last, bool add, CudaStream stream);

/// Threads of a block, of which each has a ray.
enum class RayBlock { threads_128, threads_512, threads_1024 };
/// Projects as project_columns() does, with one thread per ray and for any method. `voxels` are the layers of the box
/// in the order of a volume.
void project_rays(const Geometry& geometry, Method method, const Box& box, const float* voxels, const ViewStore& out,
                  int first, int last, bool add, CudaStream stream, RayBlock block = RayBlock::threads_128);

/// Stores the number of voxels of every ray of the views first .. last - 1, with one thread per ray.
void count_voxels(const Geometry& geometry, const ViewStore& out, int first, int last, CudaStream stream,
                  RayBlock block = RayBlock::threads_128);

/// The transpose of project_columns() for methods siddon and incremental: adds to every voxel of these layers the
/// values of the rays of the views first .. last - 1, times their lengths in the voxel. `rays` are all views in device
/// memory, `columns` are voxels in the order of fill_columns(). Contributions outside of the volume go to the padding
/// of the columns, which is then no longer 0. The additions are atomic and have no fixed order.
void back_project_columns(const Geometry& geometry, const Box& box, const float* rays, float* columns, int first,
                          int last, CudaStream stream);

}  // namespace threadscape::projection

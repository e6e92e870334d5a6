// SIRT on the GPU. All state stays on the device between iterations. The object, its update and the weights of its
// voxels are columns of voxels (detector_columns.h), the order that the projector and its transpose take; only the
// result is written in the order of a volume.

#include <algorithm>

#include "compute/algorithms/tomography/reconstruction/cuda/reconstruction_cuda.h"
#include "compute/algorithms/tomography/reconstruction/reconstruction_tv.h"
#include "compute/gpu/check.h"

namespace threadscape::reconstruction {
namespace {

using projection::Box;

constexpr int threads = 256;

/// values[i] = value.
__global__ void fill(float* values, std::size_t count, float value) {
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * threads)
    values[i] = value;
}
/// weights[i] = clamped_inverse(sums[i], min_sum).
__global__ void invert(const float* sums, std::size_t count, float min_sum, float* weights) {
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * threads)
    weights[i] = clamped_inverse(sums[i], min_sum);
}
/// Replaces A x in `views` by R (b - A x), where `measured` is b and `weights` the diagonal of R.
__global__ void weigh(const float* __restrict__ measured, const float* __restrict__ weights, std::size_t count,
                      float* __restrict__ views) {
  for (std::size_t i = std::size_t{blockIdx.x} * threads + threadIdx.x; i < count;
       i += std::size_t{gridDim.x} * threads)
    views[i] = weights[i] * (measured[i] - views[i]);
}

constexpr int tile = 32, tile_rows = 8;

/// Sets the voxels of some layers to 1 and the padding of their columns to 0.
__global__ void __launch_bounds__(tile* tile_rows) fill_ones(float* columns, int nx, int nz) {
  const std::ptrdiff_t pitch = projection::column_pitch(nz);
  const std::ptrdiff_t column = 1 + static_cast<std::ptrdiff_t>(blockIdx.y) * nx + blockIdx.x;
  for (int t = threadIdx.x; t < pitch; t += tile * tile_rows)
    columns[column * pitch + t] = t > 0 && t <= nz ? 1.0f : 0.0f;
}

/// x = max(min_value, x + C * change), or without weights x + change, in the columns of voxels and, transposed through
/// shared memory, in the result.
__global__ void __launch_bounds__(tile* tile_rows)
    update(float* __restrict__ x, const float* __restrict__ change, const float* __restrict__ weights, int nx, int nz,
           int y0, float min_value, ViewStore out) {
  __shared__ float values[tile][tile + 1];
  const int layer = blockIdx.z, x0 = blockIdx.x * tile, z0 = blockIdx.y * tile;
  const std::ptrdiff_t pitch = projection::column_pitch(nz);
  for (int line = threadIdx.y; line < tile; line += tile_rows) {
    const int column = x0 + line, z = z0 + static_cast<int>(threadIdx.x);
    if (column >= nx || z >= nz) continue;
    const std::ptrdiff_t at = (1 + static_cast<std::ptrdiff_t>(layer) * nx + column) * pitch + 1 + z;
    const float value = fmaxf(min_value, x[at] + (weights != nullptr ? weights[at] * change[at] : change[at]));
    x[at] = value;
    values[line][threadIdx.x] = value;
  }
  __syncthreads();
  for (int line = threadIdx.y; line < tile; line += tile_rows) {
    const int column = x0 + static_cast<int>(threadIdx.x), z = z0 + line;
    if (column < nx && z < nz) out.store(column, z, y0 + layer, values[threadIdx.x][line]);
  }
}

/// Where the voxels of a volume are that is cut into slabs of columns of voxels.
struct Places {
  int nx, ny, nz;
  int layers;             ///< Layers of a slab.
  std::ptrdiff_t floats;  ///< The size of a slab.

  __device__ std::ptrdiff_t at(int x, int y, int z) const {
    const std::ptrdiff_t column = 1 + static_cast<std::ptrdiff_t>(y % layers) * nx + x;
    return y / layers * floats + column * projection::column_pitch(nz) + 1 + z;
  }
};
/// Vectors of total variation, and the divergence of them (reconstruction_tv.h).
struct Variation {
  float *qx, *qy, *qz;
  float* divergence;
};

/// Writes the divergence; a block has `threads` voxels of a column.
__global__ void __launch_bounds__(threads) diverge(const __grid_constant__ Places places, Variation of) {
  const int z = blockIdx.y * threads + threadIdx.x;
  if (z >= places.nz) return;
  for (int y = blockIdx.z; y < places.ny; y += gridDim.z) {
    const int x = blockIdx.x;
    const std::ptrdiff_t i = places.at(x, y, z);
    const float before_x = x > 0 ? of.qx[places.at(x - 1, y, z)] : 0.0f;
    const float before_y = y > 0 ? of.qy[places.at(x, y - 1, z)] : 0.0f;
    const float before_z = z > 0 ? of.qz[i - 1] : 0.0f;
    of.divergence[i] = (of.qx[i] - before_x) + (of.qy[i] - before_y) + (of.qz[i] - before_z);
  }
}
/// Adds the gradient of volume + divergence to the vectors.
__global__ void __launch_bounds__(threads)
    ascend(const __grid_constant__ Places places, const float* __restrict__ volume, Variation of, float weight) {
  const int z = blockIdx.y * threads + threadIdx.x;
  if (z >= places.nz) return;
  for (int y = blockIdx.z; y < places.ny; y += gridDim.z) {
    const int x = blockIdx.x;
    const std::ptrdiff_t i = places.at(x, y, z);
    const auto value = [&](std::ptrdiff_t at) { return volume[at] + of.divergence[at]; };
    const float here = value(i);
    add_gradient(of.qx[i], of.qy[i], of.qz[i], x + 1 < places.nx ? value(places.at(x + 1, y, z)) - here : 0.0f,
                 y + 1 < places.ny ? value(places.at(x, y + 1, z)) - here : 0.0f,
                 z + 1 < places.nz ? value(i + 1) - here : 0.0f, weight);
  }
}

/// The state of SIRT in device memory.
class Sirt {
 public:
  Sirt(const Geometry& geometry, const DeviceRun& run, float tv)
      : geometry_(geometry),
        run_(run),
        slabs_(geometry.grid),
        voxels_(slabs_.floats * static_cast<std::size_t>(slabs_.count)),
        pixels_(static_cast<std::size_t>(run.in.shape.items())),
        out_(run.out) {
    x_ = run.scratch->take<float>(voxels_).data();
    change_ = run.scratch->take<float>(voxels_).data();
    voxel_weights_ = run.scratch->take<float>(voxels_).data();
    views_ = run.scratch->take<float>(pixels_).data();
    row_weights_ = run.scratch->take<float>(pixels_).data();
    if (tv > 0) {
      variation_.divergence = change_;  // Nothing else needs the update any more once it has been added.
      for (float** vector : {&variation_.qx, &variation_.qy, &variation_.qz})
        *vector = run.scratch->take<float>(voxels_).data();
    }
  }

  /// Computes R and C and sets x to 0.
  void start() {
    const auto min_sum = static_cast<float>(min_length_sum(geometry_));
    const volumes::VolumeGrid& grid = geometry_.grid;
    zero(x_);
    for_each_slab([&](const Box& box, std::size_t at) {
      fill_ones<<<dim3(grid.nx, box.y1 - box.y0), tile * tile_rows, 0, run_.stream>>>(x_ + at, grid.nx, grid.nz);
      TS_CUDA_LAUNCHED();
    });
    project();
    invert<<<blocks(pixels_), threads, 0, run_.stream>>>(views_, pixels_, min_sum, row_weights_);
    TS_CUDA_LAUNCHED();
    fill<<<blocks(pixels_), threads, 0, run_.stream>>>(views_, pixels_, 1.0f);
    TS_CUDA_LAUNCHED();
    back_project();
    invert<<<blocks(voxels_), threads, 0, run_.stream>>>(change_, voxels_, min_sum, voxel_weights_);
    TS_CUDA_LAUNCHED();
    zero(x_);
    for (float* vector : {variation_.qx, variation_.qy, variation_.qz})
      if (vector != nullptr) zero(vector);
  }
  /// One iteration: x += C A' R (b - A x), with a lower limit of 0 if `nonnegative`.
  void iterate(bool nonnegative) {
    project();
    const auto* measured = reinterpret_cast<const float*>(run_.in.data);
    weigh<<<blocks(pixels_), threads, 0, run_.stream>>>(measured, row_weights_, pixels_, views_);
    TS_CUDA_LAUNCHED();
    back_project();
    add(voxel_weights_, nonnegative ? 0.0f : -INFINITY);
  }
  /// Reduces the total variation of x.
  void reduce_variation(float weight, bool nonnegative) {
    const volumes::VolumeGrid& grid = geometry_.grid;
    const Places places{grid.nx, grid.ny, grid.nz, slabs_.layers, static_cast<std::ptrdiff_t>(slabs_.floats)};
    const dim3 blocks(grid.nx, (grid.nz + threads - 1) / threads, std::min(grid.ny, 65535));
    for (int step = 0; step <= tv_steps; ++step) {
      diverge<<<blocks, threads, 0, run_.stream>>>(places, variation_);
      TS_CUDA_LAUNCHED();
      if (step == tv_steps) break;
      ascend<<<blocks, threads, 0, run_.stream>>>(places, x_, variation_, weight);
      TS_CUDA_LAUNCHED();
    }
    add(nullptr, nonnegative ? 0.0f : -INFINITY);
  }

 private:
  /// x += weights * change_, or without weights the change itself.
  void add(const float* weights, float min_value) {
    const volumes::VolumeGrid& grid = geometry_.grid;
    for_each_slab([&](const Box& box, std::size_t at) {
      const dim3 tiles((grid.nx + tile - 1) / tile, (grid.nz + tile - 1) / tile, box.y1 - box.y0);
      update<<<tiles, dim3(tile, tile_rows), 0, run_.stream>>>(x_ + at, change_ + at,
                                                               weights != nullptr ? weights + at : nullptr, grid.nx,
                                                               grid.nz, box.y0, min_value, out_);
      TS_CUDA_LAUNCHED();
    });
  }
  static unsigned blocks(std::size_t count) {
    return static_cast<unsigned>(std::clamp<std::size_t>((count + threads - 1) / threads, 1, 8192));
  }
  /// Calls f(box, index of the first float of the slab's columns) for each slab.
  template <class F>
  void for_each_slab(const F& f) const {
    for (int slab = 0; slab < slabs_.count; ++slab) {
      Box box = projection::whole(geometry_.grid);
      box.y0 = slab * slabs_.layers;
      box.y1 = std::min(box.y0 + slabs_.layers, geometry_.grid.ny);
      f(box, slabs_.floats * static_cast<std::size_t>(slab));
    }
  }
  void zero(float* columns) const { TS_CUDA_CHECK(cudaMemsetAsync(columns, 0, voxels_ * sizeof(float), run_.stream)); }
  /// Writes A x to views_.
  void project() {
    const DeviceSink sink{.linear = {reinterpret_cast<std::byte*>(views_), run_.in.shape, run_.in.pitch},
                          .surface = 0,
                          .shape = run_.in.shape};
    for_each_slab([&](const Box& box, std::size_t at) {
      projection::project_columns(geometry_, projection::Method::incremental, box, x_ + at, ViewStore(sink), 0,
                                  geometry_.views, box.y0 > 0, run_.stream);
    });
  }
  /// Writes A' applied to views_ to change_.
  void back_project() {
    zero(change_);
    for_each_slab([&](const Box& box, std::size_t at) {
      projection::back_project_columns(geometry_, box, views_, change_ + at, 0, geometry_.views, run_.stream);
    });
  }

  const Geometry& geometry_;
  const DeviceRun& run_;
  SirtSlabs slabs_;
  std::size_t voxels_, pixels_;
  ViewStore out_;
  float *x_, *change_, *voxel_weights_;  ///< Columns of voxels: the object, its update and the diagonal of C.
  Variation variation_{};
  float *views_, *row_weights_;  ///< Pixels of all views: A x or R (b - A x), and the diagonal of R.
};

}  // namespace

void sirt_cuda(const Reconstruction::Params& params, const Geometry& geometry, const DeviceRun& run) {
  Sirt sirt(geometry, run, params.tv);
  if (run.parts.first == 0) sirt.start();
  for (int i = run.parts.first; i < std::min(params.iterations, run.parts.end); ++i) {
    sirt.iterate(params.nonnegative);
    if (params.tv > 0) sirt.reduce_variation(params.tv, params.nonnegative);
  }
}

}  // namespace threadscape::reconstruction

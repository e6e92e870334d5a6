// Projection on the GPU. The default variant, `columns`, gives a detector column of a view to a block. The threads of
// the block compute the steps of the column's path through the xy-plane in parallel (ExactPath::merged_x makes any step
// computable by itself) and store them in shared memory. Then every thread follows the path for its rows. The rows of a
// warp are neighbours, so at each step its lanes read neighbouring voxels of one column.
//
//   block (column, 256 rows, view):   steps[512] of the path, in shared memory
//   thread t:                         rows 2 t and 2 t + 1, a partial and a total sum for each, in registers
//   warp at a step:                   lanes 0 .. 31 read about 64 neighbouring voxels of one column
//
// The variant `rays` runs the serial code with a thread per ray; the lanes of a warp are neighbouring columns of the
// detector.

#include <algorithm>
#include <cstddef>
#include <new>

#include "compute/algorithms/tomography/projection/cuda/columns.cuh"
#include "compute/algorithms/tomography/projection/cuda/projection_cuda.h"
#include "compute/algorithms/tomography/projection/projection.h"
#include "compute/gpu/check.h"

namespace threadscape::projection {
namespace {

constexpr int block_threads = 128;
constexpr int blocks_per_sm = 6;
constexpr int rows_per_thread = 2;  // The rows of a thread share the loads of a step from shared memory.
// Number of steps whose products are summed to a partial result. Adding partial results separately reduces the rounding
// error of long sums.
constexpr int steps_per_partial_sum = 16;

// ---- transposition of the volume to columns of voxels ----

constexpr int tile = 32, tile_rows = 8;

__global__ void __launch_bounds__(tile* tile_rows)
    transpose_layers(const float* __restrict__ voxels, float* __restrict__ columns, int nx, int nz) {
  __shared__ float values[tile][tile + 1];
  const int layer = blockIdx.z, x0 = blockIdx.x * tile, t0 = blockIdx.y * tile;
  const std::ptrdiff_t pitch = column_pitch(nz);
  const float* from = voxels + static_cast<std::ptrdiff_t>(layer) * nx * nz;
  for (int line = threadIdx.y; line < tile; line += tile_rows) {
    const int x = x0 + static_cast<int>(threadIdx.x), z = t0 + line - 1;  // a column starts with the zero below z = 0
    values[line][threadIdx.x] = x < nx && 0 <= z && z < nz ? from[static_cast<std::ptrdiff_t>(z) * nx + x] : 0.0f;
  }
  __syncthreads();
  for (int line = threadIdx.y; line < tile; line += tile_rows) {
    const int x = x0 + line, t = t0 + static_cast<int>(threadIdx.x);
    if (x < nx && t < pitch)
      columns[(1 + static_cast<std::ptrdiff_t>(layer) * nx + x) * pitch + t] = values[threadIdx.x][line];
  }
}

// ---- variant `columns` ----

/// The sum of one row, and its position on the path. `total` is the result after flush(), without the ray's length.
template <class Path>
struct RowSum;

template <>
struct RowSum<ExactPath> {
  ExactRow row;
  float sum = 0.0f, total = 0.0f;

  __device__ RowSum(const Axis& axis, const RowHeight& height, int nz) : row(axis, height, nz) {}
  /// Adds one step. `columns` points to index 0 of column 0.
  __device__ void step(const ColumnStep& step, const float* __restrict__ columns, int pitch) {
    const ExactRow::Lengths on = row.step(step);
    const float* column = columns + step.a * pitch;
    sum = fmaf(__ldg(column + on.at), on.before, sum);
    sum = fmaf(__ldg(column + on.next_at), step.length - on.before, sum);
  }
  /// Ends a partial sum.
  __device__ void flush() {
    total += sum;
    sum = 0.0f;
  }
};

template <>
struct RowSum<JosephPath> {
  float fraction, slope;
  HeightIndex index;
  float sum = 0.0f, total = 0.0f;

  __device__ RowSum(const Axis& axis, const RowHeight& height, int nz)
      : fraction(height.fraction), slope(static_cast<float>(axis.direction)), index(height.base, nz) {}
  __device__ void step(const ColumnStep& step, const float* __restrict__ columns, int pitch) {
    const float height = fmaf(step.end, slope, fraction), low = floorf(height);
    const int below = index(low), above = index(low + 1.0f);
    const float *a = columns + step.a * pitch, *b = columns + step.b * pitch;
    const float a0 = __ldg(a + below), b0 = __ldg(b + below), a1 = __ldg(a + above), b1 = __ldg(b + above);
    const float v0 = fmaf(step.length, b0 - a0, a0), v1 = fmaf(step.length, b1 - a1, a1);
    sum += fmaf(height - low, v1 - v0, v0);
  }
  __device__ void flush() {
    total += sum;
    sum = 0.0f;
  }
};

template <class Path>
__device__ Path path_of(const Box& box, const Ray& ray, double max_slope) {
  if constexpr (std::is_same_v<Path, JosephPath>)
    return Path(box, ray);
  else
    return Path(box, ray, max_slope);
}

/// Stores the value of a ray, or adds it.
__device__ void put(const ViewStore& out, int column, int row, int view, float value, bool add) {
  if (add)
    out.add(column, row, view, value);
  else
    out.store(column, row, view, value);
}

template <class Path>
__global__ void __launch_bounds__(block_threads, blocks_per_sm)
    project_columns_kernel(const __grid_constant__ Geometry geometry, const __grid_constant__ ViewBatch views, Box box,
                           double max_slope, const float* __restrict__ columns, ViewStore out, int first, bool add) {
  constexpr bool joseph = std::is_same_v<Path, JosephPath>;
  __shared__ ColumnStep steps[steps_per_chunk];
  const int column = blockIdx.x, view = blockIdx.z;
  const int row = (static_cast<int>(blockIdx.y) * block_threads + static_cast<int>(threadIdx.x)) * rows_per_thread;
  const int pitch = static_cast<int>(column_pitch(box.z1));

  // The path is in shared memory, since it would take twenty registers in every thread.
  __shared__ alignas(16) std::byte path_memory[sizeof(Path)];
  const Path& path = *reinterpret_cast<const Path*>(path_memory);
  if (threadIdx.x == 0)
    new (path_memory) Path(path_of<Path>(box, ray_of(geometry, views.angles[view], 0, column), max_slope));
  __syncthreads();
  const double lift = lift_of(geometry, views.angles[view]);
  const Axis low = row_axis(geometry, row, lift), high = row_axis(geometry, row + 1, lift);
  static_assert(rows_per_thread == 2);
  RowSum<Path> a(low, RowHeight::at(low, path.range.in, joseph ? 0.5 : 0.0), box.z1);
  RowSum<Path> b(high, RowHeight::at(high, path.range.in, joseph ? 0.5 : 0.0), box.z1);

  // `active` is whether one of the two rays may meet the volume.
  AlphaRange hit = path.range;
  clip(hit, high, -1.0, 1e30);
  clip(hit, low, -1e30, box.z1 + 1.0);
  const bool active = row < geometry.rows && !hit.empty();
  const int count = __syncthreads_or(active) ? path.steps() : 0;
  const bool warp_active = __any_sync(0xffffffffu, active);
  for (int from = 0; from < count; from += steps_per_chunk) {
    const int end = min(count - from, steps_per_chunk);
    for (int s = threadIdx.x; s < end; s += block_threads)
      steps[s] = path.step(from + s);
    __syncthreads();
    for (int s = 0; warp_active && s < end;) {
      const int stop = min(end, s + steps_per_partial_sum);
      for (; s < stop; ++s) {
        a.step(steps[s], columns + 1, pitch);
        b.step(steps[s], columns + 1, pitch);
      }
      a.flush();
      b.flush();
    }
    __syncthreads();
  }

  double scale = 1.0;
  if constexpr (joseph) scale = std::abs(path.main.inverse);
  const Point start = geometry.start(views.angles[view], 0, column);
  const Point pixel = geometry.pixel_centre(views.angles[view], 0, column);
  const double dx = pixel.x - start.x, dy = pixel.y - start.y;
  for (int i = 0; i < rows_per_thread; ++i) {
    if (row + i >= geometry.rows) break;
    const double v = geometry.parallel ? 0.0 : geometry.v_of(row + i);
    const auto length = static_cast<float>(std::sqrt(dx * dx + dy * dy + v * v) * scale);
    const float value = (i == 0 ? a.total : b.total) * length;
    put(out, column, row + i, first + view, value, add);
  }
}

template <class Path>
void launch_columns(const Geometry& geometry, const Box& box, const float* columns, const ViewStore& out, int first,
                    int last, bool add, CudaStream stream) {
  constexpr int rows_per_block = block_threads * rows_per_thread;
  const double max_slope = max_row_slope(geometry);
  in_batches(geometry, first, last, [&](const ViewBatch& batch, int view, int count) {
    const dim3 grid(geometry.columns, (geometry.rows + rows_per_block - 1) / rows_per_block, count);
    project_columns_kernel<Path>
        <<<grid, block_threads, 0, stream>>>(geometry, batch, box, max_slope, columns, out, view, add);
  });
}

// ---- variant `rays` ----

constexpr int ray_tile_width = 32;

template <Method method, int ray_tile_height>
__global__ void __launch_bounds__(ray_tile_width* ray_tile_height)
    project_rays_kernel(const __grid_constant__ Geometry geometry, const __grid_constant__ ViewBatch views, Box box,
                        const float* __restrict__ voxels, ViewStore out, int first, bool add) {
  const int column = blockIdx.x * ray_tile_width + threadIdx.x, row = blockIdx.y * ray_tile_height + threadIdx.y;
  if (column >= geometry.columns || row >= geometry.rows) return;
  const int view = blockIdx.z;
  const VolumeGrid& grid = geometry.grid;
  const auto voxel = [&](int x, int y, int z) { return __ldg(voxels + grid.index(x, y - box.y0, z)); };
  const Ray ray = ray_of(geometry, views.angles[view], row, column);
  const auto value = static_cast<float>(ray_value(method, box, ray, voxel));
  put(out, column, row, first + view, value, add);
}

template <int ray_tile_height>
__global__ void __launch_bounds__(ray_tile_width* ray_tile_height)
    count_voxels_kernel(const __grid_constant__ Geometry geometry, const __grid_constant__ ViewBatch views,
                        ViewStore out, int first) {
  const int column = blockIdx.x * ray_tile_width + threadIdx.x, row = blockIdx.y * ray_tile_height + threadIdx.y;
  if (column >= geometry.columns || row >= geometry.rows) return;
  const int view = blockIdx.z;
  const Ray ray = ray_of(geometry, views.angles[view], row, column);
  out.store(column, row, first + view, static_cast<float>(voxels_on(whole(geometry.grid), ray)));
}

template <int ray_tile_height>
dim3 ray_grid(const Geometry& geometry, int views) {
  return dim3((geometry.columns + ray_tile_width - 1) / ray_tile_width,
              (geometry.rows + ray_tile_height - 1) / ray_tile_height, views);
}

template <int ray_tile_height>
void launch_count(const Geometry& geometry, const ViewStore& out, int first, int last, CudaStream stream) {
  in_batches(geometry, first, last, [&](const ViewBatch& batch, int view, int count) {
    count_voxels_kernel<ray_tile_height>
        <<<ray_grid<ray_tile_height>(geometry, count), dim3(ray_tile_width, ray_tile_height), 0, stream>>>(
            geometry, batch, out, view);
  });
}

template <Method method, int ray_tile_height>
void launch_rays(const Geometry& geometry, const Box& box, const float* voxels, const ViewStore& out, int first,
                 int last, bool add, CudaStream stream) {
  in_batches(geometry, first, last, [&](const ViewBatch& batch, int view, int count) {
    project_rays_kernel<method, ray_tile_height>
        <<<ray_grid<ray_tile_height>(geometry, count), dim3(ray_tile_width, ray_tile_height), 0, stream>>>(
            geometry, batch, box, voxels, out, view, add);
  });
}

template <int ray_tile_height>
void launch_rays_by(Method method, const Geometry& geometry, const Box& box, const float* voxels, const ViewStore& out,
                    int first, int last, bool add, CudaStream stream) {
  if (method == Method::siddon)
    launch_rays<Method::siddon, ray_tile_height>(geometry, box, voxels, out, first, last, add, stream);
  else if (method == Method::incremental)
    launch_rays<Method::incremental, ray_tile_height>(geometry, box, voxels, out, first, last, add, stream);
  else
    launch_rays<Method::joseph, ray_tile_height>(geometry, box, voxels, out, first, last, add, stream);
}

}  // namespace

void fill_columns(const Geometry& geometry, const Box& box, const float* voxels, float* columns, CudaStream stream) {
  const int nx = geometry.grid.nx, nz = geometry.grid.nz;
  const auto pitch = static_cast<std::size_t>(column_pitch(nz));
  TS_CUDA_CHECK(cudaMemsetAsync(columns, 0, pitch * sizeof(float), stream));
  const dim3 block(tile, tile_rows), grid((nx + tile - 1) / tile, (nz + 2 + tile - 1) / tile, box.y1 - box.y0);
  transpose_layers<<<grid, block, 0, stream>>>(voxels, columns, nx, nz);
  TS_CUDA_LAUNCHED();
}

void project_columns(const Geometry& geometry, Method method, const Box& box, const float* columns,
                     const ViewStore& out, int first, int last, bool add, CudaStream stream) {
  if (method == Method::joseph)
    launch_columns<JosephPath>(geometry, box, columns, out, first, last, add, stream);
  else
    launch_columns<ExactPath>(geometry, box, columns, out, first, last, add, stream);
}

void project_rays(const Geometry& geometry, Method method, const Box& box, const float* voxels, const ViewStore& out,
                  int first, int last, bool add, CudaStream stream, RayBlock block) {
  const auto launch = block == RayBlock::threads_1024  ? launch_rays_by<32>
                      : block == RayBlock::threads_512 ? launch_rays_by<16>
                                                       : launch_rays_by<4>;
  launch(method, geometry, box, voxels, out, first, last, add, stream);
}

void count_voxels(const Geometry& geometry, const ViewStore& out, int first, int last, CudaStream stream,
                  RayBlock block) {
  const auto launch = block == RayBlock::threads_1024  ? launch_count<32>
                      : block == RayBlock::threads_512 ? launch_count<16>
                                                       : launch_count<4>;
  launch(geometry, out, first, last, stream);
}

}  // namespace threadscape::projection

namespace threadscape {

void Projection::cuda(const Params& params, const DeviceRun& run) {
  using namespace projection;  // NOLINT: its steps
  const Geometry geometry = params.scanner(run.in.shape);
  const auto* voxels = reinterpret_cast<const float*>(run.in.data);
  const ViewStore out(run.out);
  const bool as_columns = run.variant == 0 && params.method != Method::siddon;
  const int layers = cuda_layers(geometry.grid, params.slab);
  const RayBlock block = run.variant == 3   ? RayBlock::threads_1024
                         : run.variant == 2 ? RayBlock::threads_512
                                            : RayBlock::threads_128;  // In the order of Projection::cuda_variants.
  if (params.output == Output::voxels)
    return count_voxels(geometry, out, std::max(run.parts.first, run.layers.first),
                        std::min({run.parts.end, run.layers.end, geometry.views}), run.stream, block);
  float* columns =
      as_columns ? run.scratch->take<float>(columns_bytes(geometry.grid, layers) / sizeof(float)).data() : nullptr;
  // Part i of the run is view i % views through slab i / views.
  for (int slab = 0, y = 0; y < geometry.grid.ny; ++slab, y += layers) {
    const int before = slab * geometry.views;
    const int first = std::max(run.parts.first - before, run.layers.first);
    const int last = std::min({run.parts.end - before, run.layers.end, geometry.views});
    if (first >= last) continue;
    Box box = whole(geometry.grid);
    box.y0 = y;
    box.y1 = std::min(y + layers, geometry.grid.ny);
    const float* layer = voxels + geometry.grid.index(0, y, 0);
    if (as_columns) {
      if (first == run.layers.first) fill_columns(geometry, box, layer, columns, run.stream);
      project_columns(geometry, params.method, box, columns, out, first, last, y > 0, run.stream);
    } else {
      project_rays(geometry, params.method, box, layer, out, first, last, y > 0, run.stream, block);
    }
  }
}

}  // namespace threadscape

// The transpose of the exact projector on the GPU. As in projection_cuda.cu, a block takes a detector column of a view
// and computes the steps of its path; then every thread follows the path for its row and adds the value of its ray,
// times the length in the voxel, to the voxels on the way. Neighbouring rows add to neighbouring voxels of one column,
// so the atomic additions of a warp are few transactions of the second-level cache, which performs them.
//
//   block (column, rows, view):   steps[512] of the path, in shared memory, computed by all threads together
//   thread t = row:               value of its ray, in a register
//   warp at a step:               lanes 0 .. 31  --atomicAdd-->  about 32 neighbouring voxels of one column

#include <cstddef>
#include <new>

#include "compute/algorithms/tomography/projection/cuda/columns.cuh"
#include "compute/algorithms/tomography/projection/cuda/projection_cuda.h"

namespace threadscape::projection {
namespace {

constexpr int block_threads = 128;
constexpr int blocks_per_sm = 8;

__global__ void __launch_bounds__(block_threads, blocks_per_sm)
    back_project_kernel(const __grid_constant__ Geometry geometry, const __grid_constant__ ViewBatch views, Box box,
                        double max_slope, const float* __restrict__ rays, float* __restrict__ columns, int first) {
  __shared__ ColumnStep steps[steps_per_chunk];
  const int column = blockIdx.x, view = blockIdx.z;
  const int row = static_cast<int>(blockIdx.y) * block_threads + static_cast<int>(threadIdx.x);
  const int pitch = static_cast<int>(column_pitch(box.z1));

  // The path is in shared memory, since it would take twenty registers in every thread.
  __shared__ alignas(16) std::byte path_memory[sizeof(ExactPath)];
  const ExactPath& path = *reinterpret_cast<const ExactPath*>(path_memory);
  if (threadIdx.x == 0) new (path_memory) ExactPath(box, ray_of(geometry, views.angles[view], 0, column), max_slope);
  __syncthreads();
  const Axis z = row_axis(geometry, row, lift_of(geometry, views.angles[view]));
  ExactRow own(z, RowHeight::at(z, path.range.in, 0.0), box.z1);

  AlphaRange hit = path.range;
  clip(hit, z, -1.0, box.z1 + 1.0);
  const bool active = row < geometry.rows && !hit.empty();
  float value = 0.0f;
  if (active) {
    const Point start = geometry.start(views.angles[view], 0, column);
    const Point pixel = geometry.pixel_centre(views.angles[view], 0, column);
    const double dx = pixel.x - start.x, dy = pixel.y - start.y;
    const double v = geometry.parallel ? 0.0 : geometry.v_of(row);
    const std::ptrdiff_t line = static_cast<std::ptrdiff_t>(first + view) * geometry.rows + row;
    value = rays[line * geometry.columns + column] * static_cast<float>(std::sqrt(dx * dx + dy * dy + v * v));
  }
  const int count = __syncthreads_or(active) ? path.steps() : 0;
  for (int from = 0; from < count; from += steps_per_chunk) {
    const int end = min(count - from, steps_per_chunk);
    for (int s = threadIdx.x; s < end; s += block_threads)
      steps[s] = path.step(from + s);
    __syncthreads();
    for (int s = 0; active && s < end; ++s) {
      const ColumnStep step = steps[s];
      const ExactRow::Lengths on = own.step(step);
      float* to = columns + 1 + step.a * pitch;
      const bool crosses = on.at != on.next_at;
      atomicAdd(to + on.at, value * (crosses ? on.before : step.length));
      if (crosses) atomicAdd(to + on.next_at, value * (step.length - on.before));
    }
    __syncthreads();
  }
}

}  // namespace

void back_project_columns(const Geometry& geometry, const Box& box, const float* rays, float* columns, int first,
                          int last, CudaStream stream) {
  const double max_slope = max_row_slope(geometry);
  in_batches(geometry, first, last, [&](const ViewBatch& batch, int view, int count) {
    const dim3 grid(geometry.columns, (geometry.rows + block_threads - 1) / block_threads, count);
    back_project_kernel<<<grid, block_threads, 0, stream>>>(geometry, batch, box, max_slope, rays, columns, view);
  });
}

}  // namespace threadscape::projection

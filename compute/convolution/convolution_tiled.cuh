#pragma once
// Kernel and launcher of the `tiled` variant. What a thread does is in convolution_tiled.h.

#include "compute/convolution/convolution_cuda.h"
#include "compute/cuda/check.h"
#include "compute/cuda/store.cuh"

namespace threadscape::convolution {

/// Threads of a block lie side by side as far as the picture is wide; a warp always reads one stretch of each row.
inline constexpr int block_threads = 128;
inline dim3 block_for(int columns) {
  const int width = columns > 64 ? 128 : columns > 32 ? 64 : 32;
  return dim3(width, block_threads / width);
}

template <class P, int size, Mode mode>
__global__ void __launch_bounds__(block_threads)
    convolve_tiled(ImageView<const typename P::Pixel, Space::device> in, const __grid_constant__ TiledPlan plan,
                   cuda::EitherStore<typename P::Pixel> store) {
  convolve_patch<P, size, mode>(blockIdx.x * blockDim.x + threadIdx.x, blockIdx.y * blockDim.y + threadIdx.y, in, plan,
                                store);
}

template <class P, int size, Mode mode>
void launch_tiled_as(const TiledPlan& plan, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  using Patch = PatchSize<P, size, mode>;
  const auto in = run.in.image<Pixel>();
  const int columns = (in.width + 4 * Patch::words - 1) / (4 * Patch::words);
  const int rows = (in.height + Patch::rows - 1) / Patch::rows;
  const dim3 block = block_for(columns);
  const dim3 grid((columns + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
  convolve_tiled<P, size, mode><<<grid, block, 0, run.stream>>>(in, plan, cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

template <class P, int size>
void launch_tiled_size(const TiledPlan& plan, const DeviceRun& run) {
  switch (plan.mode) {
    case Mode::dot:
      return launch_tiled_as<P, size, Mode::dot>(plan, run);
    case Mode::fused:
      return launch_tiled_as<P, size, Mode::fused>(plan, run);
    default:
      return launch_tiled_as<P, size, Mode::ordered>(plan, run);
  }
}

template <class P>
void launch_tiled(const Plan& plan, const DeviceRun& run) {
  TiledPlan tiled = tiled_plan(plan);
  tiled.aligned = cuda::rows_aligned(run.in);
  switch (plan.size) {
    case 3:
      return launch_tiled_size<P, 3>(tiled, run);
    case 5:
      return launch_tiled_size<P, 5>(tiled, run);
    case 7:
      return launch_tiled_size<P, 7>(tiled, run);
    default:
      return launch_tiled_size<P, 9>(tiled, run);
  }
}

}  // namespace threadscape::convolution

#pragma once
// Kernel and launcher of the `tiled` variant. What a thread does is in convolution_tiled.h.

#include "compute/convolution/convolution_cuda.h"
#include "compute/neighbourhood/patch_grid.cuh"

namespace threadscape::convolution {

template <class P, int size, Mode mode, PatchPart part>
__global__ void __launch_bounds__(patch_block_threads)
    convolve_tiled(ImageView<const typename P::Pixel, Space::device> in, const __grid_constant__ TiledPlan plan,
                   FirstPatch first, cuda::EitherStore<typename P::Pixel> store) {
  convolve_patch<P, size, mode, part>(first.column + blockIdx.x * blockDim.x + threadIdx.x,
                                      first.row + blockIdx.y * blockDim.y + threadIdx.y, in, plan, store);
}

template <class P, int size, Mode mode>
void launch_tiled_as(const TiledPlan& plan, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  using Shape = PatchSize<P, size, mode>;
  using Patch = PackedPatch<P, Shape::words, Shape::rows, size / 2>;
  const cuda::EitherStore<Pixel> store(run.out);
  for_patch_parts<Patch>(run, plan.border, store, [&](auto part, dim3 grid, dim3 block, FirstPatch first) {
    convolve_tiled<P, size, mode, part()><<<grid, block, 0, run.stream>>>(run.in.image<Pixel>(), plan, first, store);
  });
}

template <class P, int size>
void launch_tiled_size(const TiledPlan& plan, const DeviceRun& run) {
  switch (plan.mode) {
    case Mode::dot:
      return launch_tiled_as<P, size, Mode::dot>(plan, run);
    case Mode::two_dots:
      return launch_tiled_as<P, size, Mode::two_dots>(plan, run);
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

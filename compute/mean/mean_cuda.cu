// Means on the GPU: small windows of bytes by mean_tiled.h, a patch of pixels per thread; all others by the separable
// engine.

#include "compute/mean/mean.h"
#include "compute/mean/mean_tiled.h"
#include "compute/neighbourhood/patch_grid.cuh"

namespace threadscape {
namespace mean {
namespace {

template <class P, int radius, PatchPart part>
__global__ void __launch_bounds__(patch_block_threads)
    mean_tiled(ImageView<const typename P::Pixel, Space::device> in, Border border, Factors factors, bool aligned,
               FirstPatch first, cuda::EitherStore<typename P::Pixel> store) {
  mean_of_patch<P, radius, part>(first.column + blockIdx.x * blockDim.x + threadIdx.x,
                                 first.row + blockIdx.y * blockDim.y + threadIdx.y, in, border, factors, aligned,
                                 store);
}

template <class P, int radius>
void launch_tiled(Border border, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  using Patch = PackedPatch<P, PatchSize<P>::words, PatchSize<P>::rows, radius>;
  const cuda::EitherStore<Pixel> store(run.out);
  const bool aligned = cuda::rows_aligned(run.in);
  for_patch_parts<Patch>(run, border, store, [&](auto part, dim3 grid, dim3 block, FirstPatch first) {
    mean_tiled<P, radius, part()>
        <<<grid, block, 0, run.stream>>>(run.in.image<Pixel>(), border, Factors{}, aligned, first, store);
  });
}

}  // namespace
}  // namespace mean

void Mean::cuda(const Params& params, const DeviceRun& run) {
  const int radius = params.size / 2;
  if (radius > mean::largest_tiled_radius || run.in.shape.element != Element::u8)
    return separable::cuda(plan(params), run);
  with_planes<std::uint8_t>(run.in.shape, params.channels, [&](auto planes) {
    using P = decltype(planes);
    switch (radius) {
      case 1:
        return mean::launch_tiled<P, 1>(params.border, run);
      case 2:
        return mean::launch_tiled<P, 2>(params.border, run);
      case 3:
        return mean::launch_tiled<P, 3>(params.border, run);
      default:
        return mean::launch_tiled<P, 4>(params.border, run);
    }
  });
}

}  // namespace threadscape

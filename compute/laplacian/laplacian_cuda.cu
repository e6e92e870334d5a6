// Laplacians on the GPU: those of bytes by laplacian_tiled.h, a patch of pixels per thread; floats as a convolution.

#include "compute/laplacian/laplacian.h"
#include "compute/laplacian/laplacian_tiled.h"
#include "compute/neighbourhood/patch_grid.cuh"

namespace threadscape {
namespace laplacian {
namespace {

template <class P, Neighbours kind, PatchPart part>
__global__ void __launch_bounds__(patch_block_threads)
    laplacian_tiled(ImageView<const typename P::Pixel, Space::device> in, Border border, OutputOfHalves output,
                    Factors factors, bool aligned, FirstPatch first, cuda::EitherStore<typename P::Pixel> store) {
  laplacian_of_patch<P, kind, part>(first.column + blockIdx.x * blockDim.x + threadIdx.x,
                                    first.row + blockIdx.y * blockDim.y + threadIdx.y, in, border, output, factors,
                                    aligned, store);
}

template <class P, Neighbours kind>
void launch_tiled(const Laplacian::Params& params, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  using Patch = PackedPatch<P, PatchSize<P>::words, PatchSize<P>::rows, radius_of(kind)>;
  const cuda::EitherStore<Pixel> store(run.out);
  const bool aligned = cuda::rows_aligned(run.in);
  for_patch_parts<Patch>(run, params.border, store, [&](auto part, dim3 grid, dim3 block, FirstPatch first) {
    laplacian_tiled<P, kind, part()><<<grid, block, 0, run.stream>>>(
        run.in.image<Pixel>(), params.border, OutputOfHalves(params.output), Factors{}, aligned, first, store);
  });
}

}  // namespace
}  // namespace laplacian

void Laplacian::cuda(const Params& params, const DeviceRun& run) {
  if (run.in.shape.element != Element::u8) return convolution::cuda(plan(params), run);
  with_planes<std::uint8_t>(run.in.shape, params.channels, [&](auto planes) {
    using P = decltype(planes);
    switch (params.kind) {
      case Neighbours::four:
        return laplacian::launch_tiled<P, Neighbours::four>(params, run);
      case Neighbours::eight:
        return laplacian::launch_tiled<P, Neighbours::eight>(params, run);
      case Neighbours::five:
        return laplacian::launch_tiled<P, Neighbours::five>(params, run);
    }
  });
}

}  // namespace threadscape

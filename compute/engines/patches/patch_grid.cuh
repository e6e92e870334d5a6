#pragma once
// The `tiled` kernel of any filter of patches, and its launches: one for the inner patches, and one for those at the
// border where there are any.

#include "compute/cuda/check.h"
#include "compute/cuda/launch.cuh"
#include "compute/cuda/store.cuh"
#include "compute/engines/patches/patch_filter.h"

namespace threadscape {

inline constexpr int patch_block_threads = 128;

/// A thread's patch is the one of its place in the grid, moved by this.
struct FirstPatch {
  int column, row;
};

/// Calls `launch(part, grid, block, first)`, PatchPart as an integral constant, for the patches of a picture: those
/// that are inner ones of `Inner` at once, and the others in rectangles. A thread lets be what belongs to the other
/// part.
template <class Inner, class Pixel, class Launch>
void for_patch_parts(const DeviceRun& run, Border border, const cuda::EitherStore<Pixel>& store, const Launch& launch) {
  const auto in = run.in.image<Pixel>();
  const auto launch_part = [&](auto part, int x0, int y0, int x1, int y1) {  // pixels
    using Patch = PatchOf<part(), Inner>;
    if (x0 >= x1 || y0 >= y1) return;
    const FirstPatch first{x0 / Patch::width, y0 / Patch::rows};
    const int across = (x1 + Patch::width - 1) / Patch::width - first.column;
    const int down = (y1 + Patch::rows - 1) / Patch::rows - first.row;
    // Threads lie side by side as far as the picture is wide; a warp always reads one stretch of each row.
    const int most = part() == PatchPart::inner ? 128 : 32;
    int width = 1;
    while (width < most && width < across)
      width *= 2;
    const dim3 block(width, patch_block_threads / width);
    const dim3 grid((across + block.x - 1) / block.x, (down + block.y - 1) / block.y);
    launch(part, grid, block, first);
    TS_CUDA_LAUNCHED();
  };
  using AtBorder = std::integral_constant<PatchPart, PatchPart::border>;
  // As PackedPatch::is_inner() decides for each patch.
  const bool wide = cuda::rows_aligned(run.in) && store.wide() && in.width >= 16 && in.height >= 16;
  if (!wide) return launch_part(AtBorder{}, 0, 0, in.width, in.height);
  launch_part(std::integral_constant<PatchPart, PatchPart::inner>{}, 0, 0, in.width, in.height);
  if (border != Border::valid)
    return launch_part(AtBorder{}, in.width / Inner::width * Inner::width, 0, in.width, in.height);

  const int left = Inner::width, top = (Inner::radius + Inner::rows - 1) / Inner::rows * Inner::rows;
  const int right = (in.width - 4) / Inner::width * Inner::width;
  const int bottom = (in.height - Inner::radius) / Inner::rows * Inner::rows;
  if (left >= right || top >= bottom) return launch_part(AtBorder{}, 0, 0, in.width, in.height);
  launch_part(AtBorder{}, 0, 0, in.width, top);
  launch_part(AtBorder{}, 0, bottom, in.width, in.height);
  launch_part(AtBorder{}, 0, top, left, bottom);
  launch_part(AtBorder{}, right, top, in.width, bottom);
}

template <class P, PatchPart part, class Filter>
__global__ void __launch_bounds__(patch_block_threads)
    filter_tiled(ImageView<const typename P::Pixel, Space::device> in, Border border,
                 const __grid_constant__ Filter filter, bool aligned, FirstPatch first,
                 cuda::EitherStore<typename P::Pixel> store) {
  cuda::begin();
  filter_patch<P, part>(first.column + blockIdx.x * blockDim.x + threadIdx.x,
                        first.row + blockIdx.y * blockDim.y + threadIdx.y, in, border, aligned, filter, store);
}

template <class P, class Filter>
void launch_patches(const Filter& filter, Border border, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  const cuda::EitherStore<Pixel> store(run.out);
  const bool aligned = cuda::rows_aligned(run.in);
  for_patch_parts<InnerPatchOf<Filter, P>>(run, border, store, [&](auto part, dim3 grid, dim3 block, FirstPatch first) {
    cuda::launch(filter_tiled<P, part(), Filter>, grid, block, 0, run.stream, run.in.image<Pixel>(), border, filter,
                 aligned, first, store);
  });
}

}  // namespace threadscape

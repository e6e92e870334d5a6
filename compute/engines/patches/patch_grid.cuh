#pragma once
// The `tiled` kernel of any filter of patches, and its launches: one for the patches inside the picture, and up to four
// for those at the border. The launches cover the picture as follows; with borders other than Border::valid, patches at
// the edge mostly count as inner ones, and only columns at the right that fill no patch are left:
//
//   Border::valid                     other borders
//   +-------------------------+       +---------------------+---+
//   |        border           |       |                     | b |
//   +----+---------------+----+       |                     | o |
//   | b. |     inner     | b. |       |        inner        | r |      a thread of the launch for inner patches returns
//   +----+---------------+----+       |                     | d |      at once if its patch belongs to the border, and
//   |        border           |       |                     | e |      the other way round
//   +-------------------------+       +---------------------+---+

#include "compute/engines/patches/patch_filter.h"
#include "compute/gpu/check.h"
#include "compute/gpu/launch.cuh"
#include "compute/gpu/store.cuh"

namespace threadscape {

inline constexpr int patch_block_threads = 128;

/// Where the grid of a launch starts, counted in patches: the patch of a thread is that of its place in the grid plus
/// this.
struct FirstPatch {
  int column, row;
};

/// Calls `launch(part, grid, block, first)` for the patches of a picture, with the PatchPart as an integral constant:
/// one launch for all inner patches, of type Inner, and one for each rectangle that may contain patches at the border.
template <class Inner, class Pixel, class Launch>
void for_patch_parts(const DeviceRun& run, Border border, const cuda::EitherStore<Pixel>& store, const Launch& launch) {
  const auto in = run.in.image<Pixel>();
  const auto launch_part = [&](auto part, int x0, int y0, int x1, int y1) {  // pixels
    using Patch = PatchOf<part(), Inner>;
    if (x0 >= x1 || y0 >= y1) return;
    const FirstPatch first{x0 / Patch::width, y0 / Patch::rows};
    const int across = (x1 + Patch::width - 1) / Patch::width - first.column;
    const int down = (y1 + Patch::rows - 1) / Patch::rows - first.row;
    // A block is as wide as the picture needs, so that a warp reads one contiguous stretch of each row.
    const int max_width = part() == PatchPart::inner ? 128 : 32;
    int width = 1;
    while (width < max_width && width < across)
      width *= 2;
    const dim3 block(width, patch_block_threads / width);
    const dim3 grid((across + block.x - 1) / block.x, (down + block.y - 1) / block.y);
    launch(part, grid, block, first);
    TS_CUDA_LAUNCHED();
  };
  using AtBorder = std::integral_constant<PatchPart, PatchPart::border>;
  // The conditions of PackedPatch::is_inner() that are the same for all patches.
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

/// The kernel: thread i of the grid computes patch i.
template <class P, PatchPart part, class Filter>
__global__ void __launch_bounds__(patch_block_threads)
    filter_tiled(ImageView<const typename P::Pixel, Space::device> in, Border border,
                 const __grid_constant__ Filter filter, bool aligned, FirstPatch first,
                 cuda::EitherStore<typename P::Pixel> store) {
  cuda::begin();
  filter_patch<P, part>(first.column + blockIdx.x * blockDim.x + threadIdx.x,
                        first.row + blockIdx.y * blockDim.y + threadIdx.y, in, border, aligned, filter, store);
}

/// Queues the kernels that apply `filter` to run.in and write to run.out.
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

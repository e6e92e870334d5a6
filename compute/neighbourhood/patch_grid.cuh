#pragma once
// Launches of the `tiled` kernels: one for the inner patches, and one for those at the border where there are any.

#include "compute/cuda/check.h"
#include "compute/cuda/store.cuh"
#include "compute/neighbourhood/packed_patch.h"

namespace threadscape {

inline constexpr int patch_block_threads = 128;

/// Calls `launch(part, grid, block, first_column)`, PatchPart as an integral constant, for the patches of a picture.
/// A thread's patch is column first_column + x, row y of all threads; it lets be what belongs to the other part.
template <class Patch, class Pixel, class Launch>
void for_patch_parts(const DeviceRun& run, Border border, const cuda::EitherStore<Pixel>& store, const Launch& launch) {
  const auto in = run.in.image<Pixel>();
  const int columns = (in.width + Patch::width - 1) / Patch::width, rows = (in.height + Patch::rows - 1) / Patch::rows;
  const auto launch_part = [&](auto part, int first_column) {
    // Threads lie side by side as far as the picture is wide; a warp always reads one stretch of each row.
    const int across = columns - first_column, width = across > 64 ? 128 : across > 32 ? 64 : across > 1 ? 32 : 1;
    const dim3 block(width, patch_block_threads / width);
    const dim3 grid((across + block.x - 1) / block.x, (rows + block.y - 1) / block.y);
    launch(part, grid, block, first_column);
    TS_CUDA_LAUNCHED();
  };
  using Inner = std::integral_constant<PatchPart, PatchPart::inner>;
  using Outer = std::integral_constant<PatchPart, PatchPart::border>;
  // As PackedPatch::is_inner() decides for each patch.
  const bool wide = cuda::rows_aligned(run.in) && store.wide() && in.width >= 16 && in.height >= 16;
  if (wide) launch_part(Inner{}, 0);
  if (!wide || border == Border::valid)
    launch_part(Outer{}, 0);
  else if (in.width % Patch::width != 0)
    launch_part(Outer{}, columns - 1);
}

}  // namespace threadscape

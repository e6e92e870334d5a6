#pragma once
// The algorithms in time on the GPU: a thread computes one cell of the result (clip_cells.h). Neighbouring threads read
// neighbouring cells of a frame, so reads are coalesced in every frame, and memory is the limit. Grey clips whose width
// is a multiple of four have four pixels to a cell, so that a warp reads whole sectors.

#include "compute/algorithms/time/clip_cells.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::clips {

inline constexpr int block_width = 32, block_height = 4;

template <class C>
using PixelOf = std::conditional_t<C::channels == 4, RgbaOf<typename C::Value>, typename C::Value>;

template <class C, class Plan>
__global__ void __launch_bounds__(block_width* block_height)
    compute_cells(const typename C::Cell* first, int frames, int columns, int height, Plan plan,
                  cuda::EitherStore<PixelOf<C>> store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= columns || y >= height) return;
  const typename C::Cell* const at = first + static_cast<std::size_t>(y) * columns + x;
  const std::size_t frame = static_cast<std::size_t>(height) * columns;
  const auto load = [=](int t) { return at[frame * t]; };
  const typename C::Cell cell = plan.template cell<C>(frames, load);
  if constexpr (C::count == C::channels)
    store.store(x, y, __builtin_bit_cast(PixelOf<C>, cell));
  else
    store.store_wide(x * C::count, y, cell);
}

/// Queues the kernel. `used` is the number of frames that the algorithm uses.
template <class Plan>
void compute_on_device(const Plan& plan, int used, const DeviceRun& run) {
  const DeviceIn clip = newest_frames(run.in, used);
  const auto launch = [&](auto cells) {
    using C = decltype(cells);
    const cuda::EitherStore<PixelOf<C>> store(run.out);
    const int columns = static_cast<int>(clip.shape.width) * C::channels / C::count;
    const int height = static_cast<int>(clip.shape.height);
    const dim3 block(block_width, block_height);
    const dim3 grid((columns + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    const auto* first = reinterpret_cast<const typename C::Cell*>(clip.data);
    compute_cells<C, Plan>
        <<<grid, block, 0, run.stream>>>(first, static_cast<int>(clip.shape.depth), columns, height, plan, store);
    TS_CUDA_LAUNCHED();
  };
  with_cells(clip.shape, [&](auto cells) {
    using C = decltype(cells);
    if constexpr (C::channels == 1) {
      using Wide = Cells<typename C::Value, 4, 1>;
      const bool aligned = reinterpret_cast<std::uintptr_t>(clip.data) % sizeof(typename Wide::Cell) == 0;
      if (clip.shape.width % 4 == 0 && aligned && cuda::EitherStore<PixelOf<Wide>>(run.out).wide())
        return launch(Wide{});
    }
    launch(cells);
  });
}

}  // namespace threadscape::clips

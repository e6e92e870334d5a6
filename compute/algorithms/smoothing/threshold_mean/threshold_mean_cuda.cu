// The mean with a threshold on the GPU: `shared`, where a block sums the columns of its tile in shared memory and then
// these sums along rows, and `tiled`, threshold_mean_tiled.h. Compare with threshold_mean_serial.cpp.
//
//   +--------------------------+
//   | values: tile with halo   |      +--------------------------+      +----------------+
//   |     +--------------+     | ---> | sums: 16 rows, with halo | ---> | results        |
//   |     | 64 x 16      |     |      +--------------------------+      | 64 x 16        |
//   |     +--------------+     |                                        +----------------+
//   +--------------------------+      256 threads, 4 sums or results each

#include "compute/algorithms/smoothing/threshold_mean/threshold_mean.h"
#include "compute/algorithms/smoothing/threshold_mean/threshold_mean_tiled.h"
#include "compute/engines/patches/patch_grid.cuh"
#include "compute/engines/planes/plane_tile.cuh"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace threshold_mean {
namespace {

constexpr int block_width = 32, block_height = 8;
constexpr int tile_width = 64, tile_height = 16;  ///< Pixels that a block computes.
constexpr int max_columns = tile_width + 2 * max_radius, max_rows = tile_height + 2 * max_radius;

template <class P, class Store>
__global__ void __launch_bounds__(block_width* block_height)
    filter_shared(ImageView<const typename P::Pixel, Space::device> in, Plan plan, Store store) {
  using Value = typename P::Value;
  __shared__ Value values[max_rows][max_columns];
  __shared__ Sum<Value> sums[tile_height][max_columns];
  __shared__ Value results[P::count][tile_height][tile_width];

  const int radius = plan.radius(), columns = tile_width + 2 * radius;
  const int left = blockIdx.x * tile_width, top = blockIdx.y * tile_height;
  for (int plane = 0; plane < P::count; ++plane) {
    load_plane_tile<P>(in, left - radius, top - radius, columns, tile_height + 2 * radius, plane, plan.border,
                       &values[0][0], max_columns, [](Value value) { return value; });
    __syncthreads();
    for (int row = threadIdx.y; row < tile_height; row += block_height)
      for (int column = threadIdx.x; column < columns; column += block_width) {
        Sum<Value> sum = 0;
        for (int i = 0; i < plan.size; ++i)
          sum += values[row + i][column];
        sums[row][column] = sum;
      }
    __syncthreads();
    for (int row = threadIdx.y; row < tile_height; row += block_height)
      for (int column = threadIdx.x; column < tile_width; column += block_width) {
        Sum<Value> sum = 0;
        for (int i = 0; i < plan.size; ++i)
          sum += sums[row][column + i];
        results[plane][row][column] = chosen(values[row + radius][column + radius], sum, plan);
      }
    __syncthreads();
  }
  for (int row = threadIdx.y; row < tile_height; row += block_height)
    for (int column = threadIdx.x; column < tile_width; column += block_width) {
      const int x = left + column, y = top + row;
      if (x >= in.width || y >= in.height) continue;
      auto pixel = in(x, y);  // The copy keeps alpha.
      if (plan.border != Border::valid || !window_leaves(x, y, in.width, in.height, radius))
        for (int plane = 0; plane < P::count; ++plane)
          P::set(pixel, plane, results[plane][row][column]);
      store.store(x, y, pixel);
    }
}

}  // namespace
}  // namespace threshold_mean

void ThresholdMean::cuda(const Params& params, const DeviceRun& run) {
  using namespace threshold_mean;  // NOLINT: the kernel above
  const Plan plan = ThresholdMean::plan(params);
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    if constexpr (std::is_same_v<typename P::Value, std::uint8_t>) {
      static_assert(max_tiled_radius == 2);
      if (run.variant == 0 && plan.radius() == 1)  // in the order of cuda_variants
        return launch_patches<P>(ThresholdMeanPatches<1>(plan.threshold), plan.border, run);
      if (run.variant == 0 && plan.radius() == 2)
        return launch_patches<P>(ThresholdMeanPatches<2>(plan.threshold), plan.border, run);
    }
    const auto in = run.in.image<Pixel>();
    const dim3 grid((in.width + tile_width - 1) / tile_width, (in.height + tile_height - 1) / tile_height);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      filter_shared<P><<<grid, dim3(block_width, block_height), 0, run.stream>>>(in, plan, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape

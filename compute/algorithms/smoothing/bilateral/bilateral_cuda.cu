// The bilateral filter on the GPU: a block loads its tile of 32 x 8 pixels with its halo into shared memory, then every
// thread sums the window of one pixel. Compare with bilateral_serial.cpp.

#include "compute/algorithms/smoothing/bilateral/bilateral.h"
#include "compute/engines/planes/plane_tile.cuh"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace bilateral {
namespace {

constexpr int block_width = 32, block_height = 8;
constexpr int max_columns = block_width + 2 * max_radius, max_rows = block_height + 2 * max_radius;

/// `weights` lies in constant memory, which is quick where all threads of a warp read the same address, as they do for
/// spatial weights. Range weights differ from thread to thread, so they are copied to shared memory.
template <class P, bool weighted>
__global__ void __launch_bounds__(block_width* block_height)
    filter_shared(ImageView<const typename P::Pixel, Space::device> in, const __grid_constant__ Plan plan,
                  const __grid_constant__ Weights weights, cuda::EitherStore<typename P::Pixel> store) {
  using Value = typename P::Value;
  __shared__ Value tile[max_rows][max_columns];
  __shared__ float range[256], alphas[weighted ? max_rows : 1][weighted ? max_columns : 1];

  const int radius = plan.radius, thread = threadIdx.y * block_width + threadIdx.x;
  const int left = blockIdx.x * block_width - radius, top = blockIdx.y * block_height - radius;
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  const bool inside = x < in.width && y < in.height;
  const bool keep = !inside || (plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius));
  typename P::Pixel pixel{};
  if (inside) pixel = in(x, y);  // The copy keeps alpha.
  for (int i = thread; i < 256; i += block_width * block_height)
    range[i] = weights.range[i];

  if constexpr (weighted)
    for (int row = threadIdx.y; row < block_height + 2 * radius; row += block_height)
      for (int column = threadIdx.x; column < block_width + 2 * radius; column += block_width)
        alphas[row][column] = alpha_value(in, left + column, top + row, plan.border);

  for (int plane = 0; plane < P::count; ++plane) {
    load_plane_tile<P>(in, left, top, block_width + 2 * radius, block_height + 2 * radius, plane, plan.border,
                       &tile[0][0], max_columns, [](Value value) { return value; });
    __syncthreads();
    if (!keep) {
      const Value* const centre = &tile[threadIdx.y + radius][threadIdx.x + radius];
      const auto value = [&](int dx, int dy) { return centre[dy * max_columns + dx]; };
      const auto mean = [&](const auto& alpha) {
        P::set(pixel, plane, filtered(value, alpha, *centre, plan, weights.space, range));
      };
      if constexpr (weighted)
        mean([&](int dx, int dy) { return alphas[threadIdx.y + radius + dy][threadIdx.x + radius + dx]; });
      else
        mean(NoAlpha{});
    }
    __syncthreads();
  }
  if (inside) store.store(x, y, pixel);
}

}  // namespace
}  // namespace bilateral

void Bilateral::cuda(const Params& params, const DeviceRun& run) {
  using namespace bilateral;  // NOLINT: the kernel above
  const bilateral::Plan one_plan = plan(params);
  const bilateral::Weights all_weights = weights(params);
  with_planes<std::uint8_t, float>(run.in.shape, one_plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto in = run.in.image<Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
    with_alpha_or_without<Pixel>(one_plan, [&](auto weighted) {
      filter_shared<P, weighted>
          <<<grid, block, 0, run.stream>>>(in, one_plan, all_weights, cuda::EitherStore<Pixel>(run.out));
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape

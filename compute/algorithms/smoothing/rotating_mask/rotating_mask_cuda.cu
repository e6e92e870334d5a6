// The rotating mask on the GPU: a block loads its tile of 32 x 8 pixels with its halo into shared memory, then every
// thread goes through all masks of one pixel. Compare with rotating_mask_serial.cpp.

#include "compute/algorithms/smoothing/rotating_mask/rotating_mask.h"
#include "compute/engines/planes/plane_tile.cuh"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace rotating_mask {
namespace {

constexpr int block_width = 32, block_height = 8;
constexpr int max_columns = block_width + 2 * max_radius, max_rows = block_height + 2 * max_radius;

/// `fixed_radius` 0 stands for any radius. Where method and radius are known to the compiler, it unrolls all loops over
/// masks.
template <class P, Method method, int fixed_radius>
__global__ void __launch_bounds__(block_width* block_height)
    filter_shared(ImageView<const typename P::Pixel, Space::device> in, Plan plan,
                  cuda::EitherStore<typename P::Pixel> store) {
  using Value = typename P::Value;
  __shared__ Value tile[max_rows][max_columns];

  const int radius = fixed_radius == 0 ? plan.radius() : fixed_radius;
  const int left = blockIdx.x * block_width - radius, top = blockIdx.y * block_height - radius;
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  const bool inside = x < in.width && y < in.height;
  const bool keep = !inside || (plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius));
  typename P::Pixel pixel{};
  if (inside) pixel = in(x, y);  // The copy keeps alpha.

  for (int plane = 0; plane < P::count; ++plane) {
    load_plane_tile<P>(in, left, top, block_width + 2 * radius, block_height + 2 * radius, plane, plan.border,
                       &tile[0][0], max_columns, [](Value value) { return value; });
    __syncthreads();
    if (!keep) {
      const Value* const centre = &tile[threadIdx.y + radius][threadIdx.x + radius];
      P::set(pixel, plane,
             filtered([&](int dx, int dy) { return centre[dy * max_columns + dx]; }, *centre, method, radius));
    }
    __syncthreads();
  }
  if (inside) store.store(x, y, pixel);
}

template <class P, Method method>
void launch(const Plan& plan, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  const auto in = run.in.image<Pixel>();
  const dim3 block(block_width, block_height);
  const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
  const cuda::EitherStore<Pixel> store(run.out);
  if (plan.radius() == 2)
    filter_shared<P, method, 2><<<grid, block, 0, run.stream>>>(in, plan, store);
  else
    filter_shared<P, method, 0><<<grid, block, 0, run.stream>>>(in, plan, store);
  TS_CUDA_LAUNCHED();
}

}  // namespace
}  // namespace rotating_mask

void RotatingMask::cuda(const Params& params, const DeviceRun& run) {
  using rotating_mask::Method;
  const rotating_mask::Plan plan = RotatingMask::plan(params);
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    if (plan.method == Method::nagao)
      rotating_mask::launch<P, Method::nagao>(plan, run);
    else
      rotating_mask::launch<P, Method::kuwahara>(plan, run);
  });
}

}  // namespace threadscape

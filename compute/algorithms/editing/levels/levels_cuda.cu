// Levels on the GPU: one thread per pixel, which computes the curve in double precision. Compare with
// levels_serial.cpp.

#include "compute/algorithms/editing/levels/levels.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace levels {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class P, class Store>
__global__ void __launch_bounds__(block_width* block_height)
    adjust_pixels(ImageView<const typename P::Pixel, Space::device> in, Plan plan, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  store.store(x, y, adjust_pixel<P>(plan, in(x, y)));
}

}  // namespace
}  // namespace levels

void Levels::cuda(const Params& params, const DeviceRun& run) {
  const levels::Plan plan = Levels::plan(params);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto in = run.in.image<Pixel>();
    const dim3 block(levels::block_width, levels::block_height);
    const dim3 grid((in.width + block.x - 1) / block.x, (in.height + block.y - 1) / block.y);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      levels::adjust_pixels<P><<<grid, block, 0, run.stream>>>(in, plan, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape

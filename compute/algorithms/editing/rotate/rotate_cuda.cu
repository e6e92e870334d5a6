// Rotate on the GPU: one thread per pixel of the result. A quarter turn reads a column with each warp, whose sectors
// the neighbouring rows of the block use, too. Compare with rotate_serial.cpp.

#include "compute/algorithms/editing/rotate/rotate.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace rotate {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Pixel, class Store>
__global__ void __launch_bounds__(block_width* block_height)
    turn_pixels(ImageView<const Pixel, Space::device> in, Plan plan, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= plan.width || y >= plan.height) return;
  store.store(x, y, in(plan.column(x, y), plan.row(x, y)));
}

}  // namespace
}  // namespace rotate

void Rotate::cuda(const Params& params, const DeviceRun& run) {
  const rotate::Plan plan = Rotate::plan(params, run.in.shape);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using Pixel = typename decltype(planes)::Pixel;
    const auto in = run.in.image<Pixel>();
    const dim3 block(rotate::block_width, rotate::block_height);
    const dim3 grid((plan.width + block.x - 1) / block.x, (plan.height + block.y - 1) / block.y);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      rotate::turn_pixels<Pixel><<<grid, block, 0, run.stream>>>(in, plan, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape

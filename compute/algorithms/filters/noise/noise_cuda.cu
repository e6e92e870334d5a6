// Noise on the GPU: one thread per pixel. Philox takes ten rounds per plane, so arithmetic is the limit, not memory.
// Compare with noise_serial.cpp.

#include "compute/algorithms/filters/noise/noise.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace noise {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class P, class Store>
__global__ void __launch_bounds__(block_width* block_height)
    disturb_pixels(ImageView<const typename P::Pixel, Space::device> in, Plan plan, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  auto pixel = in(x, y);  // The copy keeps alpha.
  disturb_pixel<P>(plan, pixel, x, y);
  store.store(x, y, pixel);
}

}  // namespace
}  // namespace noise

void Noise::cuda(const Params& params, const DeviceRun& run) {
  const noise::Plan plan = Noise::plan(params, run.in.shape, run.seed, run.frame);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, Channels::each, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto in = run.in.image<Pixel>();
    const dim3 block(noise::block_width, noise::block_height);
    const dim3 grid((in.width + block.x - 1) / block.x, (in.height + block.y - 1) / block.y);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      noise::disturb_pixels<P><<<grid, block, 0, run.stream>>>(in, plan, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape

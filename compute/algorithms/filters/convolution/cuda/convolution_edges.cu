// Convolution with Border::shrink: the pixels whose window leaves the picture, one per thread. Picture and mask are
// read from global memory, as in the rung `global` of convolution_ladder.cu. Only blocks at the edges of the picture
// run.

#include "compute/algorithms/filters/convolution/cuda/convolution_cuda.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::convolution {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class P>
using DeviceImage = ImageView<const typename P::Pixel, Space::device>;

/// The finish of the plan, and what ShrinkingMask says about the mask; its pointer is that of device memory.
struct EdgePlan {
  ShrinkingMask mask;
  int radius;
  float unit;
  Finish finish;
  EdgeBlocks blocks;
};

template <class P>
__global__ void convolve_edges(DeviceImage<P> in, EdgePlan plan, cuda::EitherStore<typename P::Pixel> store) {
  const auto block = plan.blocks.block(blockIdx.x);
  const int x = block.column * block_width + threadIdx.x, y = block.row * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height || !window_leaves(x, y, in.width, in.height, plan.radius)) return;
  const int left = x - plan.radius, top = y - plan.radius;
  const ShrinkingMask& mask = plan.mask;
  auto pixel = in(x, y);  // The copy keeps alpha.
  for (int plane = 0; plane < P::count; ++plane) {
    const auto value = [&](int kx, int ky) { return plane_value<P>(in, left + kx, top + ky, plane, Border::shrink); };
    const float sum =
        mask.order == Order::whole
            ? static_cast<float>(mask.complete(units_sum(mask.mask, mask.size, value), left, top)) * plan.unit
            : mask.complete(window_sum(mask.order, mask.mask, mask.size, plan.unit, value), left, top);
    P::set(pixel, plane, finish_pixel<typename P::Value>(sum, plan.finish));
  }
  store.store(x, y, pixel);
}

}  // namespace

void launch_shrunk_edges(const Plan& plan, const DeviceRun& run) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    const DeviceImage<P> in = run.in.image<typename P::Pixel>();
    const Order order = plan.order<typename P::Value>();
    Tap taps[max_taps] = {};
    fill_mask(plan, order, taps);
    EdgePlan edges{ShrinkingMask(order, taps, plan.size, in.width, in.height), plan.radius, plan.unit, plan.finish,
                   EdgeBlocks(in.width, in.height, plan.radius, block_width, block_height)};
    Tap* const mask = run.scratch->take<Tap>(max_taps).data();
    TS_CUDA_CHECK(cudaMemcpyAsync(mask, taps, sizeof(Tap) * plan.size * plan.size, cudaMemcpyHostToDevice, run.stream));
    edges.mask.mask = mask;
    convolve_edges<P><<<edges.blocks.count(), dim3(block_width, block_height), 0, run.stream>>>(
        in, edges, cuda::EitherStore<typename P::Pixel>(run.out));
    TS_CUDA_LAUNCHED();
  });
}

}  // namespace threadscape::convolution

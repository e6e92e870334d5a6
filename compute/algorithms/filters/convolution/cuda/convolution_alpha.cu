// The pixels of convolutions whose pixels count by their alpha: one thread for each, which memory limits. Compare with
// convolution_alpha.cpp.

#include "compute/algorithms/filters/convolution/convolution_alpha.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::convolution {

namespace {

constexpr int block_width = 32, block_height = 8;

template <class P>
__global__ void mix_pixels(const __grid_constant__ MixPlan plan, ImageView<const typename P::Pixel, Space::device> in,
                           ImageView<const Rgba32f, Space::device> colours,
                           ImageView<const float, Space::device> weights, cuda::EitherStore<typename P::Pixel> store) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < colours.width && y < colours.height)
    store.store(x, y, mixed<P>(plan, in, colours(x, y), weights(x, y), x, y));
}

}  // namespace

void mix_on_device(const Plan& plan, const DeviceIn& colours, const DeviceIn& weights, const DeviceRun& run) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    if constexpr (std::is_class_v<typename P::Pixel>) {
      const auto sums = colours.image<Rgba32f>();
      const dim3 grid(static_cast<unsigned>((sums.width + block_width - 1) / block_width),
                      static_cast<unsigned>((sums.height + block_height - 1) / block_height));
      mix_pixels<P><<<grid, dim3(block_width, block_height), 0, run.stream>>>(
          mix_plan(plan), run.in.image<typename P::Pixel>(), sums, weights.image<float>(),
          cuda::EitherStore<typename P::Pixel>(run.out));
      TS_CUDA_LAUNCHED();
    }
  });
}

}  // namespace threadscape::convolution

// Crop on the GPU: one thread per pixel of the result. Compare with crop_serial.cpp.

#include "compute/algorithms/editing/crop/crop.h"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace crop {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Pixel, class Store>
__global__ void __launch_bounds__(block_width* block_height)
    copy_pixels(ImageView<const Pixel, Space::device> in, int left, int top, int width, int height, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= width || y >= height) return;
  store.store(x, y, in(left + x, top + y));
}

}  // namespace
}  // namespace crop

void Crop::cuda(const Params& params, const DeviceRun& run) {
  const Shape shape = output_shape(params, run.in.shape);
  const int width = static_cast<int>(shape.width), height = static_cast<int>(shape.height);
  with_planes<std::uint8_t, std::uint16_t, float>(run.in.shape, [&](auto planes) {
    using Pixel = typename decltype(planes)::Pixel;
    const auto in = run.in.image<Pixel>();
    const dim3 block(crop::block_width, crop::block_height);
    const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      crop::copy_pixels<Pixel><<<grid, block, 0, run.stream>>>(in, params.left, params.top, width, height, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape

// Copies the inner part of a picture, the result of Border::crop, one pixel per thread: to linear memory, or to the
// surface of a texture.

#include "compute/engines/planes/crop.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Pixel>
__global__ void copy_part(ImageView<const Pixel, Space::device> from, cuda::EitherStore<Pixel> store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x < from.width && y < from.height) store.store(x, y, from(x, y));
}

template <class Pixel>
void copy_as(const DeviceIn& from, const DeviceRun& run) {
  if (!holds<Pixel>(from.shape)) return;
  const auto pixels = from.image<Pixel>();
  const dim3 grid((pixels.width + block_width - 1) / block_width, (pixels.height + block_height - 1) / block_height);
  copy_part<Pixel><<<grid, dim3(block_width, block_height), 0, run.stream>>>(pixels, cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

}  // namespace

void copy_to_sink(const DeviceIn& from, const DeviceRun& run) {
  copy_as<std::uint8_t>(from, run);
  copy_as<Rgba8>(from, run);
  copy_as<float>(from, run);
  copy_as<Rgba32f>(from, run);
}

}  // namespace threadscape

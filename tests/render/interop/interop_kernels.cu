#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"
#include "tests/render/interop/interop_kernels.h"
#include "tests/support/render/pattern.h"

namespace threadscape::testing {

namespace {

constexpr int tile = 16;

template <class T, class Store>
__global__ void pattern_kernel(Store store, int width, int height, int phase) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < width && y < height) store.store(x, y, pattern_pixel<T>(x, y, phase));
}

template <class T>
void draw_as(const DeviceSink& sink, int phase, CudaStream stream) {
  const int width = static_cast<int>(sink.shape.width), height = static_cast<int>(sink.shape.height);
  const dim3 block(tile, tile);
  const dim3 grid((static_cast<unsigned>(width) + tile - 1) / tile, (static_cast<unsigned>(height) + tile - 1) / tile);
  cuda::dispatch_store<T>(
      sink, [&](auto store) { pattern_kernel<T><<<grid, block, 0, stream>>>(store, width, height, phase); });
  TS_CUDA_LAUNCHED();
}

template <class T, class Store>
__global__ void volume_pattern_kernel(Store store, int width, int height, int phase) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  const int z = static_cast<int>(blockIdx.z);
  if (x < width && y < height) store.store(x, y, z, pattern_pixel<T>(x, y, phase + 7 * z));
}

template <class T>
void draw_volume_as(const DeviceSink& sink, int phase, CudaStream stream) {
  const int width = static_cast<int>(sink.shape.width), height = static_cast<int>(sink.shape.height);
  const dim3 block(tile, tile);
  const dim3 grid((static_cast<unsigned>(width) + tile - 1) / tile, (static_cast<unsigned>(height) + tile - 1) / tile,
                  static_cast<unsigned>(sink.shape.depth));
  cuda::dispatch_volume_store<T>(
      sink, [&](auto store) { volume_pattern_kernel<T><<<grid, block, 0, stream>>>(store, width, height, phase); });
  TS_CUDA_LAUNCHED();
}

}  // namespace

void draw_volume_pattern(const DeviceSink& sink, int phase, CudaStream stream) {
  if (holds<std::uint8_t>(sink.shape)) return draw_volume_as<std::uint8_t>(sink, phase, stream);
  if (holds<std::uint16_t>(sink.shape)) return draw_volume_as<std::uint16_t>(sink, phase, stream);
  draw_volume_as<float>(sink, phase, stream);
}

void draw_pattern(const DeviceSink& sink, int phase, CudaStream stream) {
  for_pixel_type(sink.shape, [&](auto pixel) { draw_as<decltype(pixel)>(sink, phase, stream); });
}

}  // namespace threadscape::testing

// The steps of weighted_alpha.h on the GPU: one thread per pixel, which memory limits. Compare with weighted_alpha.cpp.

#include "compute/engines/alpha/weighted_alpha.h"
#include "compute/engines/alpha/weighted_alpha_math.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::weighted_alpha {

namespace {

constexpr int block_width = 32, block_height = 8;

dim3 grid_of(const Shape& shape) {
  return {static_cast<unsigned>((shape.width + block_width - 1) / block_width),
          static_cast<unsigned>((shape.height + block_height - 1) / block_height)};
}

template <class Value>
__global__ void multiply_pixels(ImageView<const RgbaOf<Value>, Space::device> in,
                                ImageView<Rgba32f, Space::device> colours, ImageView<float, Space::device> weights,
                                Weights what) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x >= in.width || y >= in.height) return;
  const Rgba32f product = weighted<Value>(in(x, y));
  colours(x, y) = product;
  weights(x, y) = what == Weights::hidden ? full_alpha<Value> - product.a : product.a;
}

template <class Value, class Store>
__global__ void divide_pixels(ImageView<const Rgba32f, Space::device> sums,
                              ImageView<const float, Space::device> weights, Store store) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < sums.width && y < sums.height) store.store(x, y, unweighted<Value>(sums(x, y), weights(x, y)));
}

template <class Value>
void launch_multiply(const DeviceRun& run, const DeviceOut& colours, const DeviceOut& weights, Weights what) {
  multiply_pixels<Value><<<grid_of(run.in.shape), dim3(block_width, block_height), 0, run.stream>>>(
      run.in.image<RgbaOf<Value>>(), colours.image<Rgba32f>(), weights.image<float>(), what);
  TS_CUDA_LAUNCHED();
}

template <class Value>
void launch_divide(const DeviceIn& sums, const DeviceIn& weights, const DeviceRun& run) {
  cuda::dispatch_store<RgbaOf<Value>>(run.out, [&](auto store) {
    divide_pixels<Value><<<grid_of(sums.shape), dim3(block_width, block_height), 0, run.stream>>>(
        sums.image<Rgba32f>(), weights.image<float>(), store);
    TS_CUDA_LAUNCHED();
  });
}

}  // namespace

void multiply(const DeviceRun& run, const DeviceOut& colours, const DeviceOut& weights, Weights what) {
  const Element element = run.in.shape.element;
  if (element == Element::u8)
    launch_multiply<std::uint8_t>(run, colours, weights, what);
  else if (element == Element::u16)
    launch_multiply<std::uint16_t>(run, colours, weights, what);
  else
    launch_multiply<float>(run, colours, weights, what);
}

void divide(const DeviceIn& sums, const DeviceIn& weights, const DeviceRun& run) {
  const Element element = run.out.shape.element;
  if (element == Element::u8)
    launch_divide<std::uint8_t>(sums, weights, run);
  else if (element == Element::u16)
    launch_divide<std::uint16_t>(sums, weights, run);
  else
    launch_divide<float>(sums, weights, run);
}

}  // namespace threadscape::weighted_alpha

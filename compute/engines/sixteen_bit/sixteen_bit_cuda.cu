// The conversions of sixteen_bit.h on the GPU: one thread per pixel, which memory limits. Compare with sixteen_bit.cpp.

#include "compute/engines/sixteen_bit/sixteen_bit.h"
#include "compute/engines/sixteen_bit/sixteen_bit_math.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::sixteen_bit {

namespace {

constexpr int block_width = 32, block_height = 8;

dim3 grid_of(const Shape& shape) {
  return {static_cast<unsigned>((shape.width + block_width - 1) / block_width),
          static_cast<unsigned>((shape.height + block_height - 1) / block_height)};
}

__device__ float converted(std::uint16_t value) {
  return to_float(value);
}
__device__ std::uint16_t converted(float value) {
  return from_float(value);
}
__device__ Rgba32f converted(Rgba16 p) {
  return {to_float(p.r), to_float(p.g), to_float(p.b), to_float(p.a)};
}
__device__ Rgba16 converted(Rgba32f p) {
  return {from_float(p.r), from_float(p.g), from_float(p.b), from_float(p.a)};
}

template <class From, class Store>
__global__ void convert_pixels(ImageView<const From, Space::device> in, Store store) {
  const int x = static_cast<int>(blockIdx.x * blockDim.x + threadIdx.x);
  const int y = static_cast<int>(blockIdx.y * blockDim.y + threadIdx.y);
  if (x < in.width && y < in.height) store.store(x, y, converted(in(x, y)));
}

template <class From, class To>
void launch(const DeviceIn& in, const DeviceSink& sink, CudaStream stream) {
  cuda::dispatch_store<To>(sink, [&](auto store) {
    convert_pixels<From><<<grid_of(in.shape), dim3(block_width, block_height), 0, stream>>>(in.image<From>(), store);
    TS_CUDA_LAUNCHED();
  });
}

}  // namespace

void to_floats(const DeviceRun& run, const DeviceOut& floats) {
  const DeviceSink sink{.linear = floats, .surface = 0, .shape = floats.shape};
  if (run.in.shape.channels == 1)
    launch<std::uint16_t, float>(run.in, sink, run.stream);
  else
    launch<Rgba16, Rgba32f>(run.in, sink, run.stream);
}

void from_floats(const DeviceIn& floats, const DeviceRun& run) {
  if (floats.shape.channels == 1)
    launch<float, std::uint16_t>(floats, run.out, run.stream);
  else
    launch<Rgba32f, Rgba16>(floats, run.out, run.stream);
}

}  // namespace threadscape::sixteen_bit

// The law of Lambert and Beer on the GPU, with a thread per value. Compare with beer_lambert_serial.cpp.

#include "compute/algorithms/tomography/beer_lambert/beer_lambert.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace beer_lambert {
namespace {

constexpr int block_x = 64, block_y = 4;

template <class Store>
__global__ void convert_values(const __grid_constant__ Plan plan, VolumeView<const float, Space::device> in, int width,
                               int height, Store store) {
  const int x = blockIdx.x * block_x + threadIdx.x, y = blockIdx.y * block_y + threadIdx.y;
  const int z = static_cast<int>(blockIdx.z);
  if (x < width && y < height) store.store(x, y, z, converted(plan, in(x, y, z), x, y, z));
}

}  // namespace
}  // namespace beer_lambert

void BeerLambert::cuda(const Params& params, const DeviceRun& run) {
  const beer_lambert::Plan plan = params.plan(run.seed);
  const auto in = run.in.volume<float>();
  const Shape& shape = run.in.shape;
  const int width = static_cast<int>(shape.width), height = static_cast<int>(shape.height);
  const dim3 block(beer_lambert::block_x, beer_lambert::block_y);
  const dim3 grid((width + block.x - 1) / block.x, (height + block.y - 1) / block.y,
                  static_cast<unsigned>(shape.depth));
  cuda::dispatch_volume_store<float>(run.out, [&](auto store) {
    beer_lambert::convert_values<<<grid, block, 0, run.stream>>>(plan, in, width, height, store);
    TS_CUDA_LAUNCHED();
  });
}

}  // namespace threadscape

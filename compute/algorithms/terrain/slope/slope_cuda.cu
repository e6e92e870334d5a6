// Slope and normals on the GPU, with a thread per point. Neighbouring threads read the same heights from the cache.
// Compare with slope_serial.cpp.

#include "compute/algorithms/terrain/slope/slope.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace slope {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Height, class Pixel, class Store>
__global__ void draw_rises(ImageView<const Height, Space::device> in, float scale, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x < in.width && y < in.height) store.store(x, y, pixel_of<Pixel>(rise_at(in, x, y, scale)));
}

}  // namespace
}  // namespace slope

void Slope::cuda(const Params& params, const DeviceRun& run) {
  terrain::with_heights(run.in.shape, [&]<class Height>(Height) {
    const auto in = run.in.image<Height>();
    const dim3 block(slope::block_width, slope::block_height);
    const dim3 grid((in.width + block.x - 1) / block.x, (in.height + block.y - 1) / block.y);
    const auto draw = [&]<class Pixel>(Pixel) {
      cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
        slope::draw_rises<Height, Pixel><<<grid, block, 0, run.stream>>>(in, params.scale, store);
        TS_CUDA_LAUNCHED();
      });
    };
    params.map == slope::Map::slope ? draw(std::uint8_t{}) : draw(Rgba8{});
  });
}

}  // namespace threadscape

// Thermal erosion on the GPU. The variant `global` is the readable kernel. The default, `tiled`, runs up to four
// iterations on a tile in shared memory, loaded with a halo of four cells on every side. Compare with
// thermal_erosion_serial.cpp.
//
//   block = patch of 72 x 40 cells = tile of 64 x 32 + halo; thread t takes the cells t, t + 256, ... of the valid part
//
//   +-----------------------+    loaded
//   | +-------------------+ |    valid after iteration 1: one cell less on every side
//   | | +---------------+ | |    valid after iteration 2 ..
//   | | |     tile      | | |    valid after iteration 4: the tile, which is stored
//   | | +---------------+ | |
//   | +-------------------+ |    two patches in shared memory are read and written in turn
//   +-----------------------+

#include <algorithm>
#include <utility>

#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion_plan.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape {
namespace thermal_erosion {
namespace {

template <class Height>
using Heights = ImageView<Height, Space::device>;

constexpr int block_width = 32, block_height = 8;

template <class Height, class Store>
__global__ void convert_heights(Heights<const Height> in, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x < in.width && y < in.height) store.store(x, y, static_cast<float>(in(x, y)));
}

template <class Store>
__global__ void erode_global(Plan plan, Heights<const float> from, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x < from.width && y < from.height) store.store(x, y, eroded_cell(plan, from, x, y));
}

// ---- variant `tiled`

constexpr int tile_width = 64, tile_height = 32, tile_threads = 256;
constexpr int max_fused = 4;  // Maximum number of iterations of a launch, and width of the halo in cells.
constexpr int patch_width = tile_width + 2 * max_fused, patch_height = tile_height + 2 * max_fused;

template <class Store>
__global__ void __launch_bounds__(tile_threads)
    erode_tiles(Plan plan, Heights<const float> from, int iterations, Store store) {
  __shared__ float patches[2][patch_height][patch_width];
  const int left = blockIdx.x * tile_width - max_fused, top = blockIdx.y * tile_height - max_fused;
  const auto inside = [&](int x, int y) {
    return left + x >= 0 && left + x < from.width && top + y >= 0 && top + y < from.height;
  };
  for (int i = threadIdx.x; i < patch_width * patch_height; i += tile_threads) {
    const int x = i % patch_width, y = i / patch_width;
    if (inside(x, y)) patches[0][y][x] = from(left + x, top + y);
  }
  __syncthreads();
  for (int k = 1; k <= iterations; ++k) {
    const int margin = max_fused - iterations + k;  // Width in cells of the border that later iterations do not need.
    const int width = patch_width - 2 * margin, height = patch_height - 2 * margin;
    const auto& now = patches[(k - 1) & 1];
    for (int i = threadIdx.x; i < width * height; i += tile_threads) {
      const int x = margin + i % width, y = margin + i / width;
      if (!inside(x, y)) continue;
      const float height_then = eroded(plan, left + x > 0, left + x + 1 < from.width, top + y > 0,
                                       top + y + 1 < from.height, [&](int dx, int dy) { return now[y + dy][x + dx]; });
      if (k == iterations)
        store.store(left + x, top + y, height_then);
      else
        patches[k & 1][y][x] = height_then;
    }
    __syncthreads();
  }
}

dim3 grid_for(const Shape& shape, int width, int height) {
  return dim3(static_cast<unsigned>((shape.width + width - 1) / width),
              static_cast<unsigned>((shape.height + height - 1) / height));
}

}  // namespace
}  // namespace thermal_erosion

void ThermalErosion::cuda(const Params& params, const DeviceRun& run) {
  using namespace thermal_erosion;  // NOLINT: its functions are what this is about
  const Plan plan = plan_of(params);
  const Shape& shape = run.in.shape;
  const dim3 block(block_width, block_height), blocks = grid_for(shape, block_width, block_height);
  const bool tiled = run.variant == 0;  // in the order of cuda_variants
  Heights<float> from = take_field<Space::device>(*run.scratch, shape);
  Heights<float> to = take_field<Space::device>(*run.scratch, shape);

  const auto convert = [&](auto store) {
    terrain::with_heights(shape, [&]<class Height>(Height) {
      convert_heights<Height><<<blocks, block, 0, run.stream>>>(run.in.image<Height>(), store);
      TS_CUDA_LAUNCHED();
    });
  };
  if (params.iterations == 0) return cuda::dispatch_store<float>(run.out, convert);
  convert(cuda::LinearStore<float>{from});

  const auto erode = [&](int iterations, auto store) {
    if (tiled)
      erode_tiles<<<grid_for(shape, tile_width, tile_height), tile_threads, 0, run.stream>>>(plan, from, iterations,
                                                                                             store);
    else
      erode_global<<<blocks, block, 0, run.stream>>>(plan, from, store);
    TS_CUDA_LAUNCHED();
  };
  int left = params.iterations;
  const int at_once = tiled ? max_fused : 1;
  for (; left > at_once; left -= at_once) {
    erode(at_once, cuda::LinearStore<float>{to});
    std::swap(from, to);
  }
  cuda::dispatch_store<float>(run.out, [&](auto store) { erode(left, store); });
}

}  // namespace threadscape

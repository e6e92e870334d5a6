// Medians of floats up to 9x9 on the GPU by sorting networks, which compare total_order_key() of the floats. Compare
// with median_networks_openmp.cpp.

#include "compute/algorithms/smoothing/median/cuda/median_networks.cuh"

namespace threadscape::median {
namespace {

__device__ __forceinline__ std::int32_t lesser(std::int32_t a, std::int32_t b) {
  return min(a, b);
}
__device__ __forceinline__ std::int32_t greater(std::int32_t a, std::int32_t b) {
  return max(a, b);
}
#define TS_NETWORK __device__ __forceinline__
#include "compute/algorithms/smoothing/median/median_network-inl.h"
#undef TS_NETWORK

/// A thread's patch, and the tile of its block in shared memory. Columns that lie the width of a patch apart are
/// neighbours there, so that the threads of a warp, which read such columns, access different banks.
template <int k>
struct FloatPatch {
  static constexpr int width = NetworkTile<k>::width, height = NetworkTile<k>::height, radius = k / 2;
  static constexpr int tile_columns = network_block_width * width + 2 * radius;
  static constexpr int tile_rows = network_block_height * height + 2 * radius;
  static constexpr int groups = (tile_columns + width - 1) / width;
  __device__ static constexpr int place(int column) { return column % width * groups + column / width; }
};

/// The source of the network: the keys of a thread's patch in shared memory.
template <int k>
struct KeySource {
  const std::int32_t (*tile)[FloatPatch<k>::width * FloatPatch<k>::groups];
  int first_group, first_row;

  __device__ __forceinline__ std::int32_t operator()(int x, int y) const {
    return tile[first_row + y][FloatPatch<k>::place(x) + first_group];
  }
};
/// The sink of the network: an array in registers.
template <int k>
struct KeySink {
  std::int32_t (*medians)[FloatPatch<k>::width];
  __device__ __forceinline__ void operator()(int x, int y, std::int32_t median) const { medians[y][x] = median; }
};

template <class Pixel, int k>
__global__ void __launch_bounds__(network_threads)
    filter_floats(ImageView<const Pixel, Space::device> in, Plan plan, cuda::EitherStore<Pixel> store) {
  using Patch = FloatPatch<k>;
  constexpr bool grey = sizeof(Pixel) == sizeof(float);
  constexpr int kept_planes = grey ? 1 : 3;
  __shared__ std::int32_t tile[Patch::tile_rows][Patch::width * Patch::groups];
  __shared__ float results[grey ? 1 : kept_planes][Patch::height][Patch::width][network_threads];

  const PlaneChoice choice{plan.channels};
  const int planes = choice.count(grey);
  const int thread = threadIdx.y * network_block_width + threadIdx.x;
  const int left = blockIdx.x * network_block_width * Patch::width - Patch::radius;
  const int top = blockIdx.y * network_block_height * Patch::height - Patch::radius;
  const int x = left + Patch::radius + threadIdx.x * Patch::width;
  const int y = top + Patch::radius + threadIdx.y * Patch::height;
  const auto changes = [&](int column, int row) {
    return column < in.width && row < in.height &&
           !(plan.border == Border::valid && window_leaves(column, row, in.width, in.height, Patch::radius));
  };
#pragma unroll 1
  for (int plane = 0; plane < planes; ++plane) {
    for (int i = thread; i < Patch::tile_rows * Patch::tile_columns; i += network_threads) {
      const int row = i / Patch::tile_columns, column = i % Patch::tile_columns;
      const int from_x = near_index(left + column, in.width, plan.border);
      const int from_y = near_index(top + row, in.height, plan.border);
      const bool outside = from_x < 0 || from_y < 0;
      tile[row][Patch::place(column)] =
          outside ? 0 : total_order_key(value_of_plane(in(from_x, from_y), plane, choice));
    }
    __syncthreads();
    std::int32_t medians[Patch::height][Patch::width];
    tile_medians<std::int32_t, k, Patch::width, Patch::height>(
        KeySource<k>{tile, static_cast<int>(threadIdx.x), static_cast<int>(threadIdx.y) * Patch::height},
        KeySink<k>{medians});
#pragma unroll
    for (int row = 0; row < Patch::height; ++row) {
#pragma unroll
      for (int column = 0; column < Patch::width; ++column) {
        const float result = from_total_order_key<float>(medians[row][column]);
        if constexpr (!grey)
          results[plane][row][column][thread] = result;
        else if (x + column < in.width && y + row < in.height)
          store.store(x + column, y + row, changes(x + column, y + row) ? result : in(x + column, y + row));
      }
    }
    __syncthreads();
  }
  if constexpr (!grey) {
    for (int row = 0; row < Patch::height; ++row)
      for (int column = 0; column < Patch::width; ++column) {
        if (x + column >= in.width || y + row >= in.height) continue;
        Pixel pixel = in(x + column, y + row);
        if (changes(x + column, y + row)) {
          pixel.r = results[0][row][column][thread];
          pixel.g = results[planes == 3 ? 1 : 0][row][column][thread];
          pixel.b = results[planes == 3 ? 2 : 0][row][column][thread];
        }
        store.store(x + column, y + row, pixel);
      }
  }
}

template <class Pixel>
void launch(const Plan& plan, const DeviceRun& run) {
  const auto in = run.in.image<Pixel>();
  with_network_size(plan, [&](auto size) {
    constexpr int k = size();
    filter_floats<Pixel, k>
        <<<network_grid<k>(in.width, in.height, FloatPatch<k>::width), dim3(network_block_width, network_block_height),
           0, run.stream>>>(in, plan, cuda::EitherStore<Pixel>(run.out));
    TS_CUDA_LAUNCHED();
  });
}

}  // namespace

void launch_float_networks(const Plan& plan, const DeviceRun& run) {
  if (run.in.shape.channels == 1)
    launch<float>(plan, run);
  else
    launch<Rgba32f>(plan, run);
}

}  // namespace threadscape::median

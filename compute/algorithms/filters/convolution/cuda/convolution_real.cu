// Convolution of float pictures with masks up to 9x9 on the GPU: a block loads its tile and the halo around it into
// shared memory once, and a thread computes eight pixels below each other, so that each value that it reads serves up
// to eight sums. The taps are a kernel argument, so runs on several streams are independent. Compare with
// convolution_serial.cpp.
//
//   tile in shared memory: 32 x 32 pixels and a halo of `radius`        thread (i, j): 8 sums in registers
//   +--------------------------------+                                  column i, rows 8 j .. 8 j + 7
//   | column i                       |
//   |    |  thread (i, 0), 8 pixels  |                                  for each row of its 8 + 2 radius: `size` values
//   |    |  thread (i, 1)            |                                  are read, each for all sums whose window holds
//   |    |  thread (i, 2)            |                                  this row
//   |    |  thread (i, 3)            |
//   +--------------------------------+

#include "compute/algorithms/filters/convolution/cuda/convolution_cuda.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::convolution {
namespace {

constexpr int tile_width = 32, tile_height = 32, rows_at_once = 8;
constexpr int block_rows = tile_height / rows_at_once;
constexpr int halo = max_small_size - 1;
static_assert(tile_height % rows_at_once == 0, "every warp has whole groups of rows");

/// The argument of the kernel.
struct RealPlan {
  Border border;
  Finish finish;
  float taps[max_small_taps];
};

template <class P, int size>
__global__ void __launch_bounds__(tile_width* block_rows)
    convolve_real(ImageView<const typename P::Pixel, Space::device> in, RealPlan plan,
                  cuda::EitherStore<typename P::Pixel> store) {
  constexpr int radius = size / 2;
  __shared__ float tile[tile_height + halo][tile_width + halo];
  const int left = blockIdx.x * tile_width, top = blockIdx.y * tile_height;
  const int x = left + threadIdx.x, row0 = threadIdx.y * rows_at_once;

  typename P::Pixel result[rows_at_once];  // starts as the input: keeps alpha, and the border for Border::valid
#pragma unroll
  for (int j = 0; j < rows_at_once; ++j)
    result[j] = in(min(x, in.width - 1), min(top + row0 + j, in.height - 1));

  for (int plane = 0; plane < P::count; ++plane) {
    for (int row = threadIdx.y; row < tile_height + 2 * radius; row += block_rows)
      for (int column = threadIdx.x; column < tile_width + 2 * radius; column += tile_width)
        tile[row][column] = plane_value<P>(in, left + column - radius, top + row - radius, plane, plan.border);
    __syncthreads();

    float sum[rows_at_once] = {};
#pragma unroll
    for (int r = 0; r < rows_at_once + 2 * radius; ++r) {
      float value[size];
#pragma unroll
      for (int kx = 0; kx < size; ++kx)
        value[kx] = tile[row0 + r][threadIdx.x + kx];
#pragma unroll
      for (int j = 0; j < rows_at_once; ++j) {  // each sum gets the rows of the mask in order
        if (r < j || r - j >= size) continue;
#pragma unroll
        for (int kx = 0; kx < size; ++kx)
          sum[j] += plan.taps[(r - j) * size + kx] * value[kx];
      }
    }
#pragma unroll
    for (int j = 0; j < rows_at_once; ++j)
      if (plan.border != Border::valid || !window_leaves(x, top + row0 + j, in.width, in.height, radius))
        P::set(result[j], plane, finish_real(sum[j], plan.finish));
    __syncthreads();
  }
#pragma unroll
  for (int j = 0; j < rows_at_once; ++j)
    if (const int y = top + row0 + j; x < in.width && y < in.height) store.store(x, y, result[j]);
}

template <class P, int size>
void launch_size(const RealPlan& plan, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  const auto in = run.in.image<Pixel>();
  const dim3 block(tile_width, block_rows);
  const dim3 grid((in.width + tile_width - 1) / tile_width, (in.height + tile_height - 1) / tile_height);
  convolve_real<P, size><<<grid, block, 0, run.stream>>>(in, plan, cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

}  // namespace

template <class P>
void launch_real(const Plan& plan, const DeviceRun& run) {
  RealPlan real{plan.border, plan.finish, {}};
  for (int i = 0; i < plan.size * plan.size; ++i)
    real.taps[i] = plan.taps[i];
  switch (plan.size) {
    case 3:
      return launch_size<P, 3>(real, run);
    case 5:
      return launch_size<P, 5>(real, run);
    case 7:
      return launch_size<P, 7>(real, run);
    default:
      return launch_size<P, 9>(real, run);
  }
}
template void launch_real<Planes<float, Channels::each>>(const Plan&, const DeviceRun&);
template void launch_real<Planes<Rgba32f, Channels::each>>(const Plan&, const DeviceRun&);
template void launch_real<Planes<Rgba32f, Channels::luma>>(const Plan&, const DeviceRun&);

}  // namespace threadscape::convolution

// Gradient filters on the GPU: `global` and `shared` are the readable kernels, one thread per pixel; the default,
// `tiled`, is in gradient_tiled.h for 8-bit pictures and strengths by two directions, and `shared` for the rest.
// Compare with gradient_serial.cpp.

#include "compute/engines/gradient/gradient_tiled.h"
#include "compute/engines/patches/patch_grid.cuh"
#include "compute/engines/planes/planes.h"

namespace threadscape::gradient {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Pixel>
using DeviceImage = ImageView<const Pixel, Space::device>;
template <class P>
using SumOf = std::conditional_t<std::is_same_v<typename P::Value, float>, float, int>;

// ---- global: every thread reads its nine pixels from global memory

template <class P, class Store>
__global__ void find_edges_global(DeviceImage<typename P::Pixel> in, Plan plan, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  auto pixel = in(x, y);  // The copy keeps alpha.
  const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    const auto responses = compass_responses<SumOf<P>>(plan, [&](int dx, int dy) {
      return static_cast<SumOf<P>>(plane_value<P>(in, x + dx, y + dy, plane, plan.border));
    });
    P::set(pixel, plane, edge_of<typename P::Value>(plan, responses));
  }
  store.store(x, y, pixel);
}

// ---- shared: a block loads its tile and the halo around it into shared memory once

template <class P, class Store>
__global__ void find_edges_shared(DeviceImage<typename P::Pixel> in, Plan plan, Store store) {
  using Pixel = typename P::Pixel;
  __shared__ Pixel tile[block_height + 2 * radius][block_width + 2 * radius];

  const int left = blockIdx.x * block_width - radius, top = blockIdx.y * block_height - radius;
  for (int row = threadIdx.y; row < block_height + 2 * radius; row += block_height)
    for (int column = threadIdx.x; column < block_width + 2 * radius; column += block_width) {
      const int from_x = border_index(left + column, in.width, plan.border);
      const int from_y = border_index(top + row, in.height, plan.border);
      tile[row][column] = from_x < 0 || from_y < 0 ? Pixel{} : in(from_x, from_y);
    }
  __syncthreads();

  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  const int column = threadIdx.x + radius, row = threadIdx.y + radius;
  Pixel pixel = tile[row][column];
  const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    const auto responses = compass_responses<SumOf<P>>(
        plan, [&](int dx, int dy) { return static_cast<SumOf<P>>(P::get(tile[row + dy][column + dx], plane)); });
    P::set(pixel, plane, edge_of<typename P::Value>(plan, responses));
  }
  store.store(x, y, pixel);
}

// ---- tiled: gradient_tiled.h

template <class M, class P>
void launch_tiled(const Plan& plan, const DeviceRun& run) {
  if (plan.norm == Norm::l1)
    launch_patches<P>(GradientPatches<M, Norm::l1>{}, plan.border, run);
  else
    launch_patches<P>(GradientPatches<M, Norm::l2>{}, plan.border, run);
}

}  // namespace

void cuda(const Plan& plan, const DeviceRun& run) {
  check(plan);
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    if constexpr (std::is_same_v<typename P::Value, std::uint8_t>)
      if (run.variant == 0 && plan.plain()) {  // in the order of cuda_variants
        if (plan.centre == SobelMask::centre) return launch_tiled<SobelMask, P>(plan, run);
        if (plan.centre == PrewittMask::centre) return launch_tiled<PrewittMask, P>(plan, run);
        return launch_tiled<ScharrMask, P>(plan, run);
      }
    const DeviceImage<Pixel> in = run.in.image<Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
    threadscape::cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      if (run.variant == 1)
        find_edges_global<P><<<grid, block, 0, run.stream>>>(in, plan, store);
      else
        find_edges_shared<P><<<grid, block, 0, run.stream>>>(in, plan, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::gradient

// Derivatives by larger masks and angles on the GPU, one thread per pixel: `global` reads every window from global
// memory, `shared` loads a tile with its halo once. `tiled` takes `shared`: its patches are for 3x3 masks. Compare with
// gradient_derivatives_serial.cpp.

#include "compute/engines/gradient/gradient_derivatives.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::gradient {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Pixel>
using DeviceImage = ImageView<const Pixel, Space::device>;

template <class P, class Out, class Store>
__global__ void find_derivatives_global(DeviceImage<typename P::Pixel> in, DerivativePlan plan, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  const int radius = plan.radius();
  auto pixel = Out::initial(in(x, y));
  const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    const auto derivatives = derivatives_of<DerivativeSum<typename P::Value>>(
        plan, [&](int kx, int ky) { return plane_value<P>(in, x + kx - radius, y + ky - radius, plane, plan.border); });
    Out::Planes::set(pixel, plane, Out::value(plan, derivatives));
  }
  store.store(x, y, pixel);
}

template <class P, class Out, class Store>
__global__ void find_derivatives_shared(DeviceImage<typename P::Pixel> in, DerivativePlan plan, Store store) {
  using Pixel = typename P::Pixel;
  __shared__ Pixel tile[block_height + 2 * max_derivative_radius][block_width + 2 * max_derivative_radius];

  const int radius = plan.radius();
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
  auto pixel = Out::initial(tile[threadIdx.y + radius][threadIdx.x + radius]);
  const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    const auto derivatives = derivatives_of<DerivativeSum<typename P::Value>>(
        plan, [&](int kx, int ky) { return P::get(tile[threadIdx.y + ky][threadIdx.x + kx], plane); });
    Out::Planes::set(pixel, plane, Out::value(plan, derivatives));
  }
  store.store(x, y, pixel);
}

}  // namespace

void cuda(const DerivativePlan& plan, const DeviceRun& run) {
  with_derivatives(plan, run.in.shape, [&](auto planes, auto output) {
    using P = decltype(planes);
    using Out = decltype(output);
    const DeviceImage<typename P::Pixel> in = run.in.image<typename P::Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
    threadscape::cuda::dispatch_store<typename Out::Pixel>(run.out, [&](auto store) {
      if (run.variant == 1)  // in the order of cuda_variants
        find_derivatives_global<P, Out><<<grid, block, 0, run.stream>>>(in, plan, store);
      else
        find_derivatives_shared<P, Out><<<grid, block, 0, run.stream>>>(in, plan, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::gradient

// The ladder of memories, from simple to fast: `global`, `constant`, `shared`. One thread per pixel on every rung, the
// same sum in the same order; only the memory that mask and pixels are read from changes. Compare with
// convolution_serial.cpp.
//
//   rung       mask              pixels
//   global     global memory     global memory, each by up to size * size threads
//   constant   constant memory   the same
//   shared     constant memory   tile with halo in shared memory, read from global memory once per block
//
// The top of the ladder, `tiled`, is in convolution_tiled.h, and in convolution_large.cu beyond 9x9. For Order::factors
// every thread computes all column sums of its window here, which saves nothing; the two passes in which neighbouring
// windows share them are in compute/engines/separable.

#include "compute/algorithms/filters/convolution/cuda/convolution_cuda.h"
#include "compute/engines/planes/ladder_block.h"
#include "compute/engines/planes/plane_tile.cuh"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::convolution {
namespace {

using ladder::block_height;
using ladder::block_width;

template <class Pixel>
using DeviceImage = ImageView<const Pixel, Space::device>;

/// The part of the plan that the kernels need.
struct Window {
  int size, radius;
  Order order;
  Border border;
  Finish finish;
  float unit;
};

// ---- global: picture and mask in global memory

template <class P, class Store>
__global__ void convolve_global(DeviceImage<typename P::Pixel> in, const Tap* mask, Window window, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  auto pixel = in(x, y);  // The copy keeps alpha.
  const bool keep = window.border == Border::valid && window_leaves(x, y, in.width, in.height, window.radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    const float sum = window_sum(window.order, mask, window.size, window.unit, [&](int kx, int ky) {
      return plane_value<P>(in, x + kx - window.radius, y + ky - window.radius, plane, window.border);
    });
    P::set(pixel, plane, finish_pixel<typename P::Value>(sum, window.finish));
  }
  store.store(x, y, pixel);
}

// ---- constant: the mask in constant memory, which broadcasts one value to a warp at a time

// The mask of the rungs `constant` and `shared`: a single one for the whole program. It is written on the stream of the
// run, so runs on one stream follow each other, but runs on several streams at once would overwrite each other's mask.
// The program uses these rungs on one stream only; the default variant, which may run on any stream, gets its mask as a
// kernel argument or in the scratch memory of the run.
__constant__ Tap constant_mask[max_taps];

template <class P, class Store>
__global__ void convolve_constant(DeviceImage<typename P::Pixel> in, Window window, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  auto pixel = in(x, y);
  const bool keep = window.border == Border::valid && window_leaves(x, y, in.width, in.height, window.radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    const float sum = window_sum(window.order, constant_mask, window.size, window.unit, [&](int kx, int ky) {
      return plane_value<P>(in, x + kx - window.radius, y + ky - window.radius, plane, window.border);
    });
    P::set(pixel, plane, finish_pixel<typename P::Value>(sum, window.finish));
  }
  store.store(x, y, pixel);
}

// ---- shared: the mask in constant memory; a block loads its tile of a plane and the halo around it into shared memory

template <class P, class Store>
__global__ void convolve_shared(DeviceImage<typename P::Pixel> in, Window window, Store store) {
  using Value = typename P::Value;
  extern __shared__ std::uint64_t shared_memory[];
  Value* tile = reinterpret_cast<Value*>(shared_memory);

  const int radius = window.radius, pitch = block_width + 2 * radius;
  const int left = blockIdx.x * block_width - radius, top = blockIdx.y * block_height - radius;
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  const bool inside = x < in.width && y < in.height;
  auto pixel = in(min(x, in.width - 1), min(y, in.height - 1));
  const bool keep = window.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count; ++plane) {
    load_plane_tile<P>(in, left, top, pitch, block_height + 2 * radius, plane, window.border, tile, pitch,
                       [](Value value) { return value; });
    __syncthreads();
    if (inside && !keep) {
      const Value* first = &tile[threadIdx.y * pitch + threadIdx.x];
      const float sum = window_sum(window.order, constant_mask, window.size, window.unit,
                                   [&](int kx, int ky) { return first[ky * pitch + kx]; });
      P::set(pixel, plane, finish_pixel<Value>(sum, window.finish));
    }
    __syncthreads();
  }
  if (inside) store.store(x, y, pixel);
}

}  // namespace

void launch_rung(Rung rung, const Plan& plan, const DeviceRun& run) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const Window window{plan.size, plan.radius, plan.order<typename P::Value>(), plan.border, plan.finish, plan.unit};
    Tap taps[max_taps] = {};
    fill_mask(plan, window.order, taps);
    const std::size_t bytes = sizeof(Tap) * plan.size * plan.size;
    Tap* mask = nullptr;
    if (rung == Rung::global) {
      mask = run.scratch->take<Tap>(max_taps).data();
      TS_CUDA_CHECK(cudaMemcpyAsync(mask, taps, bytes, cudaMemcpyHostToDevice, run.stream));
    } else {
      TS_CUDA_CHECK(cudaMemcpyToSymbolAsync(constant_mask, taps, bytes, 0, cudaMemcpyHostToDevice, run.stream));
    }

    const DeviceImage<Pixel> in = run.in.image<Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
    const std::size_t tile =
        sizeof(typename P::Value) * (block_width + 2 * plan.radius) * (block_height + 2 * plan.radius);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      switch (rung) {
        case Rung::global:
          convolve_global<P><<<grid, block, 0, run.stream>>>(in, mask, window, store);
          break;
        case Rung::constant:
          convolve_constant<P><<<grid, block, 0, run.stream>>>(in, window, store);
          break;
        case Rung::shared:
          convolve_shared<P><<<grid, block, tile, run.stream>>>(in, window, store);
          break;
      }
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::convolution

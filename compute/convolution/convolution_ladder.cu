// The ladder of memories, from simple to fast: `global`, `constant`, `shared`. One thread per pixel on every rung, the
// same sum in the same order; only the place where mask and pixels are read from changes. Compare with
// convolution_serial.cpp.
//
// The top of the ladder, `tiled`, is in convolution_tiled.h.

#include "compute/convolution/convolution_cuda.h"
#include "compute/cuda/check.h"
#include "compute/cuda/store.cuh"

namespace threadscape::convolution {
namespace {

constexpr int block_width = 32, block_height = 8;

template <class Pixel>
using DeviceImage = ImageView<const Pixel, Space::device>;

// ---- global: picture and mask in global memory
// ------------------------------------------------------------------------

template <class P, class Store>
__global__ void convolve_global(DeviceImage<typename P::Pixel> in, const float* mask, int size, Finish finish,
                                Border border, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  const int radius = size / 2;
  auto pixel = in(x, y);  // keeps alpha
  const bool keep = border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    float sum = 0.0f;
    for (int ky = 0; ky < size; ++ky)
      for (int kx = 0; kx < size; ++kx)
        sum += mask[ky * size + kx] * plane_value<P>(in, x + kx - radius, y + ky - radius, plane, border);
    P::set(pixel, plane, finish_pixel<typename P::Value>(sum, finish));
  }
  store.store(x, y, pixel);
}

// ---- constant: the mask in constant memory, which broadcasts one value to a warp at a time
// -----------------------------

// One mask for the whole program. It is written on the stream of the run, so runs on one stream follow each other; runs
// of these two variants on several streams at once would overwrite each other's mask. The program keeps to one stream,
// and the default variant, which may run on any, takes its mask as a parameter instead.
__constant__ float constant_mask[most_taps];

template <class P, class Store>
__global__ void convolve_constant(DeviceImage<typename P::Pixel> in, int size, Finish finish, Border border,
                                  Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  const int radius = size / 2;
  auto pixel = in(x, y);
  const bool keep = border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    float sum = 0.0f;
    for (int ky = 0; ky < size; ++ky)
      for (int kx = 0; kx < size; ++kx)
        sum += constant_mask[ky * size + kx] * plane_value<P>(in, x + kx - radius, y + ky - radius, plane, border);
    P::set(pixel, plane, finish_pixel<typename P::Value>(sum, finish));
  }
  store.store(x, y, pixel);
}

// ---- shared: besides, a block loads its tile and the halo around it once
// ------------------------------------------------

template <class P, class Store>
__global__ void convolve_shared(DeviceImage<typename P::Pixel> in, int size, Finish finish, Border border,
                                Store store) {
  using Pixel = typename P::Pixel;
  constexpr int halo = 2 * largest_radius;
  __shared__ Pixel tile[block_height + halo][block_width + halo];

  const int radius = size / 2;
  const int left = blockIdx.x * block_width - radius, top = blockIdx.y * block_height - radius;
  for (int row = threadIdx.y; row < block_height + 2 * radius; row += block_height)
    for (int column = threadIdx.x; column < block_width + 2 * radius; column += block_width) {
      const int from_x = border_index(left + column, in.width, border),
                from_y = border_index(top + row, in.height, border);
      tile[row][column] = from_x < 0 || from_y < 0 ? Pixel{} : in(from_x, from_y);
    }
  __syncthreads();

  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  Pixel pixel = tile[threadIdx.y + radius][threadIdx.x + radius];
  const bool keep = border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    float sum = 0.0f;
    for (int ky = 0; ky < size; ++ky)
      for (int kx = 0; kx < size; ++kx)
        sum += constant_mask[ky * size + kx] * P::get(tile[threadIdx.y + ky][threadIdx.x + kx], plane);
    P::set(pixel, plane, finish_pixel<typename P::Value>(sum, finish));
  }
  store.store(x, y, pixel);
}

}  // namespace

void launch_rung(Rung rung, const Plan& plan, const DeviceRun& run) {
  const std::size_t bytes = sizeof(float) * plan.size * plan.size;
  float* mask = nullptr;
  if (rung == Rung::global) {
    mask = run.scratch->take<float>(most_taps).data();
    TS_CUDA_CHECK(cudaMemcpyAsync(mask, plan.taps, bytes, cudaMemcpyHostToDevice, run.stream));
  } else {
    TS_CUDA_CHECK(cudaMemcpyToSymbolAsync(constant_mask, plan.taps, bytes, 0, cudaMemcpyHostToDevice, run.stream));
  }
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const DeviceImage<Pixel> in = run.in.image<Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      switch (rung) {
        case Rung::global:
          convolve_global<P><<<grid, block, 0, run.stream>>>(in, mask, plan.size, plan.finish, plan.border, store);
          break;
        case Rung::constant:
          convolve_constant<P><<<grid, block, 0, run.stream>>>(in, plan.size, plan.finish, plan.border, store);
          break;
        case Rung::shared:
          convolve_shared<P><<<grid, block, 0, run.stream>>>(in, plan.size, plan.finish, plan.border, store);
          break;
      }
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::convolution

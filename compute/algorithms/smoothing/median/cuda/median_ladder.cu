// The ladder of memories, from simple to fast: `global`, `shared`. One thread per pixel on both rungs, the same
// selection in its own window; only the memory that the window is read from changes. Compare with median_serial.cpp.
// The top of the ladder, `networks`, shares work between the windows of neighbouring pixels (median_networks.cuh).
//
// A percentile is found without moving a value, so that no thread needs memory of its own and windows may be of any
// size: its key is built bit by bit from the highest one. With keys of 4 bits, rank 4 (the median) of nine values:
//
//   keys 3 9 4 12 5 9 7 1 9      guess 1000: 5 keys are less, more than the rank: the bit is 0
//                                guess 0100: 2 keys are less: the bit is 1
//                                guess 0110: 4 keys are less: the bit is 1
//                                guess 0111: 4 keys are less: the bit is 1, and the result is 0111 = 7
//
// A window is read 8 times for bytes and 32 times for floats. Floats beyond 9x9 take the rung `shared` by default, too.

#include "compute/algorithms/smoothing/median/cuda/median_cuda.h"
#include "compute/engines/planes/ladder_block.h"
#include "compute/engines/planes/plane_tile.cuh"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::median {
namespace {

using ladder::block_height;
using ladder::block_width;

template <class Pixel>
using DeviceImage = ImageView<const Pixel, Space::device>;

/// Keys as unsigned integers, in the order of total_order_key().
__device__ std::uint8_t unsigned_key(std::uint8_t value) {
  return value;
}
__device__ std::uint32_t unsigned_key(float value) {
  return static_cast<std::uint32_t>(total_order_key(value)) ^ 0x80000000u;
}
__device__ std::uint8_t value_of_unsigned(std::uint8_t key) {
  return key;
}
__device__ float value_of_unsigned(std::uint32_t key) {
  return from_total_order_key<float>(static_cast<std::int32_t>(key ^ 0x80000000u));
}
template <class P>
using UnsignedKey = decltype(unsigned_key(typename P::Value{}));

/// The key of this rank among the size x size keys that `key_at(row, column)` returns.
template <class Key, class KeyAt>
__device__ Key select(int size, int rank, const KeyAt& key_at) {
  std::uint32_t result = 0;
  for (std::uint32_t bit = 1u << (8 * sizeof(Key) - 1); bit != 0; bit >>= 1) {
    const std::uint32_t guess = result | bit;
    int below = 0;
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column)
        below += key_at(row, column) < guess;
    if (below <= rank) result = guess;
  }
  return static_cast<Key>(result);
}

// ---- global: every thread reads its window from global memory, once for each bit

template <class P, class Store>
__global__ void __launch_bounds__(block_width* block_height)
    filter_global(DeviceImage<typename P::Pixel> in, Plan plan, Store store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  auto pixel = in(x, y);  // The copy keeps alpha.
  const int radius = plan.radius();
  const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    const auto key = select<UnsignedKey<P>>(plan.size, plan.rank, [&](int row, int column) {
      return unsigned_key(plane_value<P>(in, x + column - radius, y + row - radius, plane, plan.border));
    });
    P::set(pixel, plane, value_of_unsigned(key));
  }
  store.store(x, y, pixel);
}

// ---- shared: a block copies the keys of its tile and of the halo around it to shared memory, one plane at a time

template <class P, class Store>
__global__ void __launch_bounds__(block_width* block_height)
    filter_shared(DeviceImage<typename P::Pixel> in, Plan plan, Store store) {
  using Key = UnsignedKey<P>;
  extern __shared__ std::uint32_t shared_words[];
  Key* const keys = reinterpret_cast<Key*>(shared_words);

  const int radius = plan.radius(), pitch = block_width + 2 * radius, rows = block_height + 2 * radius;
  const int left = blockIdx.x * block_width - radius, top = blockIdx.y * block_height - radius;
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  const bool inside = x < in.width && y < in.height;
  const bool keep = !inside || (plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius));
  typename P::Pixel pixel{};
  if (inside) pixel = in(x, y);  // The copy keeps alpha.

  for (int plane = 0; plane < P::count; ++plane) {
    load_plane_tile<P>(in, left, top, pitch, rows, plane, plan.border, keys, pitch,
                       [](typename P::Value value) { return unsigned_key(value); });
    __syncthreads();
    if (!keep) {
      const Key* const window = keys + threadIdx.y * pitch + threadIdx.x;
      const auto key =
          select<Key>(plan.size, plan.rank, [&](int row, int column) { return window[row * pitch + column]; });
      P::set(pixel, plane, value_of_unsigned(key));
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
    const DeviceImage<Pixel> in = run.in.image<Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
    // At most 35 KB, for floats and the largest window: it fits into the shared memory of any block.
    const auto keys = static_cast<std::size_t>((block_width + 2 * plan.radius()) * (block_height + 2 * plan.radius()));
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      switch (rung) {
        case Rung::global:
          filter_global<P><<<grid, block, 0, run.stream>>>(in, plan, store);
          break;
        case Rung::shared:
          filter_shared<P><<<grid, block, keys * sizeof(typename P::Value), run.stream>>>(in, plan, store);
          break;
      }
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::median

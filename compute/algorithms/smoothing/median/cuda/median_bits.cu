// Percentiles on the GPU, every thread in its own window: the result's key is found bit by bit from the highest. A bit
// is 1 if the keys below that guess are too few. No value is moved, so windows may be as large as shared memory.
// Compare with median_serial.cpp.

#include "compute/algorithms/smoothing/median/cuda/median_cuda.h"
#include "compute/cuda/check.h"
#include "compute/cuda/store.cuh"

namespace threadscape::median {
namespace {

constexpr int block_width = 32, block_height = 8;

/// Keys as unsigned numbers in the same order.
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

/// `window` points at the first of size x size keys, `pitch` keys apart from row to row.
template <class Key>
__device__ Key select(const Key* window, int pitch, int size, int rank) {
  std::uint32_t result = 0;
  for (std::uint32_t bit = 1u << (8 * sizeof(Key) - 1); bit != 0; bit >>= 1) {
    const std::uint32_t guess = result | bit;
    int below = 0;
    for (int row = 0; row < size; ++row)
      for (int column = 0; column < size; ++column)
        below += window[row * pitch + column] < guess;
    if (below <= rank) result = guess;
  }
  return static_cast<Key>(result);
}

template <class P, class Store>
__global__ void __launch_bounds__(block_width* block_height)
    filter_by_bits(ImageView<const typename P::Pixel, Space::device> in, Plan plan, Store store) {
  using Key = decltype(unsigned_key(typename P::Value{}));
  extern __shared__ std::uint32_t shared_words[];
  Key* const keys = reinterpret_cast<Key*>(shared_words);

  const int radius = plan.radius(), pitch = block_width + 2 * radius, rows = block_height + 2 * radius;
  const int left = blockIdx.x * block_width - radius, top = blockIdx.y * block_height - radius;
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  const bool inside = x < in.width && y < in.height;
  const bool keep = !inside || (plan.border == Border::valid && window_leaves(x, y, in.width, in.height, radius));
  typename P::Pixel pixel{};
  if (inside) pixel = in(x, y);  // keeps alpha

  for (int plane = 0; plane < P::count; ++plane) {
    for (int row = threadIdx.y; row < rows; row += block_height)
      for (int column = threadIdx.x; column < pitch; column += block_width)
        keys[row * pitch + column] = unsigned_key(plane_value<P>(in, left + column, top + row, plane, plan.border));
    __syncthreads();
    if (!keep)
      P::set(pixel, plane,
             value_of_unsigned(select(keys + threadIdx.y * pitch + threadIdx.x, pitch, plan.size, plan.rank)));
    __syncthreads();
  }
  if (inside) store.store(x, y, pixel);
}

}  // namespace

void launch_bits(const Plan& plan, const DeviceRun& run) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto in = run.in.image<Pixel>();
    const dim3 block(block_width, block_height);
    const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
    const auto keys = static_cast<std::size_t>((block_width + 2 * plan.radius()) * (block_height + 2 * plan.radius()));
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      filter_by_bits<P><<<grid, block, keys * sizeof(typename P::Value), run.stream>>>(in, plan, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::median

#pragma once
// The fast reduction. A warp takes a strip: every thread 16 loads of 16 bytes, as many accumulators as a load has
// values; then the threads of the warp exchange their sums, five times, and the warps of the block theirs in shared
// memory. The order is the one that reduction_math.h states. Compare with reduction_serial.cpp.

#include "compute/algorithms/sequences/reduction/cuda/reduction_cuda.h"

namespace threadscape::reduction {

inline constexpr int warp_threads = 32, tile_threads = strips * warp_threads;

template <class T>
__device__ T shuffle_xor(T value, int lanes) {
  return __shfl_xor_sync(0xffffffffu, value, lanes);
}
template <class Key>
__device__ KeyAndPlace<Key> shuffle_xor(KeyAndPlace<Key> value, int lanes) {
  return {shuffle_xor(value.key, lanes), shuffle_xor(value.place, lanes)};
}

/// What one load brings.
template <class Value>
struct Pack {
  static constexpr int count = 16 / sizeof(Value);
  Value value[count];
};

/// The partial result of a thread's columns of one strip; `first` is the place of its first value.
template <class Op>
__device__ typename Op::Partial reduce_columns(const Op& op, const typename Op::Value* values, std::int64_t count,
                                               std::int64_t first) {
  using Value = typename Op::Value;
  using Values = Pack<Value>;
  typename Op::Partial sums[Values::count];
  for (int k = 0; k < Values::count; ++k)
    sums[k] = Op::identity();
  if (first + (rows - 1) * row_values<Value> + Values::count <= count) {
#pragma unroll
    for (int row = 0; row < rows; ++row) {
      const std::int64_t i = first + row * row_values<Value>;
      // Values are read once: they need not stay in a cache.
      const auto pack = std::bit_cast<Values>(__ldcs(reinterpret_cast<const uint4*>(values + i)));
      for (int k = 0; k < Values::count; ++k)
        sums[k] = Op::combine(sums[k], op.load(pack.value[k], static_cast<std::uint32_t>(i + k)));
    }
  } else {
    for (int row = 0; row < rows; ++row)
      for (int k = 0; k < Values::count; ++k)
        if (const std::int64_t i = first + row * row_values<Value> + k; i < count)
          sums[k] = Op::combine(sums[k], op.load(values[i], static_cast<std::uint32_t>(i)));
  }
  return combine_pairs<Op>(sums, Values::count);
}

/// A block per tile. `result` is written instead of `partials` when there is one tile only.
template <class Op>
__global__ void __launch_bounds__(tile_threads)
    reduce_tiles(Op op, const typename Op::Value* values, std::int64_t count, typename Op::Partial* partials,
                 typename Op::Result* result) {
  using Value = typename Op::Value;
  __shared__ typename Op::Partial of_warps[strips];
  const int warp = threadIdx.x / warp_threads, lane = threadIdx.x % warp_threads;
  const std::int64_t strip = std::int64_t{blockIdx.x} * strips + warp;
  auto mine = reduce_columns(op, values, count, strip * strip_values<Value> + lane * Pack<Value>::count);
  for (int lanes = 1; lanes < warp_threads; lanes *= 2)
    mine = Op::combine(mine, shuffle_xor(mine, lanes));
  if (lane == 0) of_warps[warp] = mine;
  __syncthreads();
  if (threadIdx.x != 0) return;
  const auto partial = combine_pairs<Op>(of_warps, strips);
  if (result)
    *result = op.finish(partial);
  else
    partials[blockIdx.x] = partial;
}

}  // namespace threadscape::reduction

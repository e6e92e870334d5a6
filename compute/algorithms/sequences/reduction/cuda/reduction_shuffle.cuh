#pragma once
// The default reduction kernel. A block takes a tile and each of its 8 warps a strip. A thread makes 16 loads of 16
// bytes and has an accumulator for each value of a load. Then the lanes of a warp combine their sums in five shuffles,
// and the warps of the block combine theirs in shared memory. The order is that of reduction_math.h. Compare with
// reduction_serial.cpp.
//
//   strip, floats     lane 0         lane 1        ..   lane 31              16 bytes per lane and row
//   row 0             v0 .. v3       v4 .. v7      ..   v124 .. v127
//   row 15            +  .. +        +  .. +       ..   +    .. +            4 sums per lane
//   pairs             s = (0+1)+(2+3) per lane, then lane ^ 1, 2, 4, 8, 16, then 8 warps in shared memory

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

/// The values of one load of 16 bytes.
template <class Value>
struct Pack {
  static constexpr int count = 16 / sizeof(Value);
  Value value[count];
};

/// The partial result of the columns of a thread in one strip. `first` is the place of the thread's first value.
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
      // The values are read once, so the load is marked as streaming to keep them out of the caches.
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

/// Reduces one tile per block. The block writes `result` if that is not null, and partials[blockIdx.x] otherwise.
template <class Op>
__global__ void __launch_bounds__(tile_threads)
    reduce_tiles(Op op, const typename Op::Value* values, std::int64_t count, typename Op::Partial* partials,
                 typename Op::Result* result) {
  using Value = typename Op::Value;
  __shared__ typename Op::Partial warp_partials[strips];
  const int warp = threadIdx.x / warp_threads, lane = threadIdx.x % warp_threads;
  const std::int64_t strip = std::int64_t{blockIdx.x} * strips + warp;
  auto thread_partial = reduce_columns(op, values, count, strip * strip_values<Value> + lane * Pack<Value>::count);
  for (int lanes = 1; lanes < warp_threads; lanes *= 2)
    thread_partial = Op::combine(thread_partial, shuffle_xor(thread_partial, lanes));
  if (lane == 0) warp_partials[warp] = thread_partial;
  __syncthreads();
  if (threadIdx.x != 0) return;
  const auto partial = combine_pairs<Op>(warp_partials, strips);
  if (result)
    *result = op.finish(partial);
  else
    partials[blockIdx.x] = partial;
}

}  // namespace threadscape::reduction

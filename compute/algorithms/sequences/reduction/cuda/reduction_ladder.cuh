#pragma once
// The steps of Harris' lecture, in its order: each kernel is a line or two from the one before. A block of 256 threads
// reduces its values in shared memory and leaves one partial result; what all blocks leave is reduced by the fast
// kernel (reduction_run.cuh), so the steps differ in nothing but this first pass over the values.

#include "compute/algorithms/sequences/reduction/cuda/reduction_cuda.h"

namespace threadscape::reduction {

template <class Op>
__device__ typename Op::Partial load_or_nothing(const Op& op, const typename Op::Value* values, std::int64_t count,
                                                std::int64_t i) {
  return i < count ? op.load(values[i], static_cast<std::uint32_t>(i)) : Op::identity();
}

/// 1. Neighbours are combined, then neighbours two apart, four apart ... In each step every 2nd, 4th, 8th ... thread
/// works: most threads of a warp wait for the few, in all warps of the block, and the modulo is slow.
template <class Op>
__global__ void reduce_interleaved_modulo(Op op, const typename Op::Value* values, std::int64_t count,
                                          typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  data[t] = load_or_nothing(op, values, count, std::int64_t{blockIdx.x} * block_threads + t);
  __syncthreads();
  for (int step = 1; step < block_threads; step *= 2) {
    if (t % (2 * step) == 0) data[t] = Op::combine(data[t], data[t + step]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// 2. The same tree, but the first threads do the work: whole warps have something to do, or nothing. Now threads of a
/// warp read places 2, 4, 8 ... apart, which lie in the same banks of the shared memory and come one after another.
template <class Op>
__global__ void reduce_interleaved_stride(Op op, const typename Op::Value* values, std::int64_t count,
                                          typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  data[t] = load_or_nothing(op, values, count, std::int64_t{blockIdx.x} * block_threads + t);
  __syncthreads();
  for (int step = 1; step < block_threads; step *= 2) {
    const int i = 2 * step * t;
    if (i < block_threads) data[i] = Op::combine(data[i], data[i + step]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// 3. The upper half is added to the lower: threads of a warp read neighbouring places, each in a bank of its own.
template <class Op>
__global__ void reduce_sequential(Op op, const typename Op::Value* values, std::int64_t count,
                                  typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  data[t] = load_or_nothing(op, values, count, std::int64_t{blockIdx.x} * block_threads + t);
  __syncthreads();
  for (int step = block_threads / 2; step > 0; step /= 2) {
    if (t < step) data[t] = Op::combine(data[t], data[t + step]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// 4. In the first step of the tree half of the threads were idle: now that step is done while loading, by all threads,
/// for twice as many values.
template <class Op>
__global__ void reduce_first_add(Op op, const typename Op::Value* values, std::int64_t count,
                                 typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * (2 * block_threads) + t;
  data[t] = Op::combine(load_or_nothing(op, values, count, i), load_or_nothing(op, values, count, i + block_threads));
  __syncthreads();
  for (int step = block_threads / 2; step > 0; step /= 2) {
    if (t < step) data[t] = Op::combine(data[t], data[t + step]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// The last six steps, by the first warp alone. The lecture left out all barriers here, since the threads of a warp
/// went in lockstep and `volatile` made them see each other's values. From Volta on every thread has its own program
/// counter: __syncwarp() lets no thread overwrite what another has yet to read, and none read what is yet to be
/// written.
template <class Partial, class Combine>
__device__ void reduce_last_warp(Partial* data, int t, const Combine& combine) {
#pragma unroll
  for (int step = 32; step > 0; step /= 2) {
    const Partial other = data[t + step];
    __syncwarp();
    data[t] = combine(data[t], other);
    __syncwarp();
  }
}

/// 5. When 64 values are left only one warp works, and needs no barrier of the block. (Lanes beyond the step combine
/// values that nobody uses; that is cheaper than asking.)
template <class Op>
__global__ void reduce_unroll_warp(Op op, const typename Op::Value* values, std::int64_t count,
                                   typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * (2 * block_threads) + t;
  data[t] = Op::combine(load_or_nothing(op, values, count, i), load_or_nothing(op, values, count, i + block_threads));
  __syncthreads();
  for (int step = block_threads / 2; step > 32; step /= 2) {
    if (t < step) data[t] = Op::combine(data[t], data[t + step]);
    __syncthreads();
  }
  if (t < 32) reduce_last_warp(data, t, Op::combine);
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// The steps down to 64 values for a block whose size the compiler knows: no loop, no counter.
template <class Op, int Threads>
__device__ void reduce_block(typename Op::Partial* data, int t) {
  if constexpr (Threads > 64) {
    constexpr int step = Threads / 2;
    if (t < step) data[t] = Op::combine(data[t], data[t + step]);
    __syncthreads();
    reduce_block<Op, step>(data, t);
  } else {
    if (t < 32) reduce_last_warp(data, t, Op::combine);
  }
}

/// 6. All steps unrolled.
template <class Op>
__global__ void reduce_unroll_all(Op op, const typename Op::Value* values, std::int64_t count,
                                  typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * (2 * block_threads) + t;
  data[t] = Op::combine(load_or_nothing(op, values, count, i), load_or_nothing(op, values, count, i + block_threads));
  __syncthreads();
  reduce_block<Op, block_threads>(data, t);
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// 7. As many blocks as keep the GPU busy, each going through the sequence in strides of the whole grid: the tree is
/// paid for once per block, not once per 512 values.
template <class Op>
__global__ void reduce_grid_stride(Op op, const typename Op::Value* values, std::int64_t count,
                                   typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * (2 * block_threads);
  auto mine = Op::identity();
  for (std::int64_t i = std::int64_t{blockIdx.x} * (2 * block_threads) + t; i < count; i += stride)
    mine = Op::combine(mine, Op::combine(op.load(values[i], static_cast<std::uint32_t>(i)),
                                         load_or_nothing(op, values, count, i + block_threads)));
  data[t] = mine;
  __syncthreads();
  reduce_block<Op, block_threads>(data, t);
  if (t == 0) partials[blockIdx.x] = data[0];
}

}  // namespace threadscape::reduction

#pragma once
// The steps of Harris' lecture "Optimizing Parallel Reduction in CUDA" in their order: each kernel is a line or two
// from the one before. A block of 256 threads reduces its values in shared memory to one partial result. The partial
// results of all blocks are reduced by the default kernel (reduction_run.cuh), so the steps differ in this first pass
// only. The repetition between the kernels is intended: they are read side by side.
//
//   thread t holds data[t] of the block. Working threads of the first step, combining data[target] with data[source]:
//
//   1. interleaved_modulo   t:  0  .  2  .  4  .  6  .    0<-1  2<-3  4<-5  6<-7    threads in between are idle
//   2. interleaved_stride   t:  0  1  2  3  .  .  .  .    0<-1  2<-3  4<-5  6<-7    strides collide in banks later
//   3. sequential           t:  0  1  2  3  .  .  .  .    0<-4  1<-5  2<-6  3<-7    no idle lanes, no conflicts
//   4. .. 7.                as 3., with the first step done while loading, then unrolled, then many values per thread

#include "compute/algorithms/sequences/reduction/cuda/reduction_cuda.h"

namespace threadscape::reduction {

/// The partial result of value i, or the identity beyond the end of the values.
template <class Op>
__device__ typename Op::Partial load_or_identity(const Op& op, const typename Op::Value* values, std::int64_t count,
                                                 std::int64_t i) {
  return i < count ? op.load(values[i], static_cast<std::uint32_t>(i)) : Op::identity();
}

/// Step 1 of the lecture. Neighbours are combined, then values two apart, four apart and so on. In each step every 2nd,
/// 4th, 8th ... thread works: most threads of every warp of the block are idle, and the modulo is slow.
template <class Op>
__global__ void reduce_interleaved_modulo(Op op, const typename Op::Value* values, std::int64_t count,
                                          typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  data[t] = load_or_identity(op, values, count, std::int64_t{blockIdx.x} * block_threads + t);
  __syncthreads();
  for (int step = 1; step < block_threads; step *= 2) {
    if (t % (2 * step) == 0) data[t] = Op::combine(data[t], data[t + step]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// Step 2 of the lecture. The same tree is computed by the first threads, so that whole warps work or are idle. Now the
/// threads of a warp read places 2, 4, 8 ... apart, which lie in the same banks of the shared memory and are
/// serialised.
template <class Op>
__global__ void reduce_interleaved_stride(Op op, const typename Op::Value* values, std::int64_t count,
                                          typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  data[t] = load_or_identity(op, values, count, std::int64_t{blockIdx.x} * block_threads + t);
  __syncthreads();
  for (int step = 1; step < block_threads; step *= 2) {
    const int i = 2 * step * t;
    if (i < block_threads) data[i] = Op::combine(data[i], data[i + step]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// Step 3 of the lecture. The upper half is added to the lower half: the threads of a warp read neighbouring places,
/// each in another bank.
template <class Op>
__global__ void reduce_sequential(Op op, const typename Op::Value* values, std::int64_t count,
                                  typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  data[t] = load_or_identity(op, values, count, std::int64_t{blockIdx.x} * block_threads + t);
  __syncthreads();
  for (int step = block_threads / 2; step > 0; step /= 2) {
    if (t < step) data[t] = Op::combine(data[t], data[t + step]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// Step 4 of the lecture. Half of the threads were idle in the first step of the tree. Now all threads do that step
/// while loading, for twice as many values.
template <class Op>
__global__ void reduce_first_add(Op op, const typename Op::Value* values, std::int64_t count,
                                 typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * (2 * block_threads) + t;
  data[t] = Op::combine(load_or_identity(op, values, count, i), load_or_identity(op, values, count, i + block_threads));
  __syncthreads();
  for (int step = block_threads / 2; step > 0; step /= 2) {
    if (t < step) data[t] = Op::combine(data[t], data[t + step]);
    __syncthreads();
  }
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// The last six steps of the tree, by the first warp alone. The lecture has no barriers here, since the threads of a
/// warp ran in lockstep and `volatile` made their values visible to each other. From Volta on every thread has its own
/// program counter: the first __syncwarp() prevents a thread from overwriting a value that another one has yet to read,
/// the second one prevents a thread from reading a value before it is written.
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

/// Step 5 of the lecture. When 64 values are left only one warp works and needs no barrier of the block. Its lanes
/// beyond the step combine values that are not used, which is cheaper than a condition.
template <class Op>
__global__ void reduce_unroll_warp(Op op, const typename Op::Value* values, std::int64_t count,
                                   typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * (2 * block_threads) + t;
  data[t] = Op::combine(load_or_identity(op, values, count, i), load_or_identity(op, values, count, i + block_threads));
  __syncthreads();
  for (int step = block_threads / 2; step > 32; step /= 2) {
    if (t < step) data[t] = Op::combine(data[t], data[t + step]);
    __syncthreads();
  }
  if (t < 32) reduce_last_warp(data, t, Op::combine);
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// The steps of a block down to 64 values, unrolled by the compiler, which knows the size of the block.
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

/// Step 6 of the lecture. All steps of the tree are unrolled.
template <class Op>
__global__ void reduce_unroll_all(Op op, const typename Op::Value* values, std::int64_t count,
                                  typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  const std::int64_t i = std::int64_t{blockIdx.x} * (2 * block_threads) + t;
  data[t] = Op::combine(load_or_identity(op, values, count, i), load_or_identity(op, values, count, i + block_threads));
  __syncthreads();
  reduce_block<Op, block_threads>(data, t);
  if (t == 0) partials[blockIdx.x] = data[0];
}

/// Step 7 of the lecture. As many blocks as keep the GPU busy go through the sequence in strides of the whole grid, so
/// that the cost of the tree is paid once per block and not once per 512 values.
template <class Op>
__global__ void reduce_grid_stride(Op op, const typename Op::Value* values, std::int64_t count,
                                   typename Op::Partial* partials) {
  __shared__ typename Op::Partial data[block_threads];
  const int t = threadIdx.x;
  const std::int64_t stride = std::int64_t{gridDim.x} * (2 * block_threads);
  auto thread_partial = Op::identity();
  for (std::int64_t i = std::int64_t{blockIdx.x} * (2 * block_threads) + t; i < count; i += stride)
    thread_partial = Op::combine(thread_partial, Op::combine(op.load(values[i], static_cast<std::uint32_t>(i)),
                                                             load_or_identity(op, values, count, i + block_threads)));
  data[t] = thread_partial;
  __syncthreads();
  reduce_block<Op, block_threads>(data, t);
  if (t == 0) partials[blockIdx.x] = data[0];
}

}  // namespace threadscape::reduction

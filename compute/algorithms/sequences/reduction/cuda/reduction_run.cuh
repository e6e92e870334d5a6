#pragma once
// The passes of a reduction on the GPU: the first one by the kernel of the variant, and those over its partial results
// by the default kernel.

#include <utility>

#include "compute/algorithms/sequences/reduction/cuda/reduction_ladder.cuh"
#include "compute/algorithms/sequences/reduction/cuda/reduction_shuffle.cuh"
#include "compute/gpu/check.h"

namespace threadscape::reduction {

/// Launches the kernel of a step of the lecture.
template <class Op>
void launch_rung(const Op& op, Rung rung, const typename Op::Value* values, std::int64_t count,
                 typename Op::Partial* partials, cudaStream_t stream) {
  const auto blocks = static_cast<unsigned>(first_partials<typename Op::Value>(count, rung));
  switch (rung) {
    case Rung::interleaved_modulo:
      reduce_interleaved_modulo<Op><<<blocks, block_threads, 0, stream>>>(op, values, count, partials);
      break;
    case Rung::interleaved_stride:
      reduce_interleaved_stride<Op><<<blocks, block_threads, 0, stream>>>(op, values, count, partials);
      break;
    case Rung::sequential:
      reduce_sequential<Op><<<blocks, block_threads, 0, stream>>>(op, values, count, partials);
      break;
    case Rung::first_add:
      reduce_first_add<Op><<<blocks, block_threads, 0, stream>>>(op, values, count, partials);
      break;
    case Rung::unroll_warp:
      reduce_unroll_warp<Op><<<blocks, block_threads, 0, stream>>>(op, values, count, partials);
      break;
    case Rung::unroll_all:
      reduce_unroll_all<Op><<<blocks, block_threads, 0, stream>>>(op, values, count, partials);
      break;
    default:
      reduce_grid_stride<Op><<<blocks, block_threads, 0, stream>>>(op, values, count, partials);
      break;
  }
  TS_CUDA_LAUNCHED();
}

/// Launches one pass of the default kernel and returns the number of partial results that it leaves. If that is one,
/// the kernel writes `result` instead of `partials`.
template <class Op>
std::int64_t launch_tiles(const Op& op, const typename Op::Value* values, std::int64_t count,
                          typename Op::Partial* partials, typename Op::Result* result, cudaStream_t stream) {
  const std::int64_t tiles = tiles_of<typename Op::Value>(count);
  reduce_tiles<Op><<<static_cast<unsigned>(tiles), tile_threads, 0, stream>>>(op, values, count, partials,
                                                                              tiles == 1 ? result : nullptr);
  TS_CUDA_LAUNCHED();
  return tiles;
}

template <class Op>
void run_on_device(const Op& op, const DeviceRun& run) {
  using Partial = typename Op::Partial;
  const auto values = run.in.sequence<typename Op::Value>();
  auto* result = run.out.linear.sequence<typename Op::Result>().data;
  const auto rung = static_cast<Rung>(run.variant);
  std::int64_t left = first_partials<typename Op::Value>(values.size, rung);
  Partial* partials = run.scratch->take<Partial>(static_cast<std::size_t>(left)).data();
  Partial* next = run.scratch->take<Partial>(static_cast<std::size_t>(tiles_of<Partial>(left))).data();

  bool done = false;
  if (rung == Rung::cub)
    run_cub(op, run, partials);
  else if (rung == Rung::shuffle)
    done = launch_tiles(op, values.data, values.size, partials, result, run.stream) == 1;
  else
    launch_rung(op, rung, values.data, values.size, partials, run.stream);
  while (!done) {
    left = launch_tiles(NextPass<Op>{op}, partials, left, next, result, run.stream);
    std::swap(partials, next);
    done = left == 1;
  }
}

}  // namespace threadscape::reduction

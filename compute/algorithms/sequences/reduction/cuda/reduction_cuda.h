#pragma once
// The number of partial results that each kernel leaves for the next pass, so that the scratch memory is known before a
// run.

#include <algorithm>
#include <cstddef>

#include "compute/algorithms/sequences/reduction/reduction_math.h"
#include "compute/registry/algorithm.h"

namespace threadscape::reduction {

/// The kernel of the first pass, in the order of Reduction::cuda_variants.
enum class Rung : std::uint8_t {
  shuffle,
  interleaved_modulo,
  interleaved_stride,
  sequential,
  first_add,
  unroll_warp,
  unroll_all,
  grid_stride,
  cub
};

inline constexpr int block_threads = 256;
inline constexpr int max_stride_blocks = 1024;  ///< Fixed, so that results are the same on every GPU.
inline constexpr int grid_stride_threads = max_stride_blocks * block_threads;
inline constexpr std::size_t cub_bytes = std::size_t{1} << 20;  ///< Upper bound of CUB's temporary storage.

/// Number of partial results that the first pass leaves.
template <class Value>
constexpr std::int64_t first_partials(std::int64_t count, Rung rung) {
  const auto blocks = [&](std::int64_t values) { return (count + values - 1) / values; };
  switch (rung) {
    case Rung::shuffle:
      return tiles_of<Value>(count);
    case Rung::interleaved_modulo:
    case Rung::interleaved_stride:
    case Rung::sequential:
      return blocks(block_threads);
    case Rung::first_add:
    case Rung::unroll_warp:
    case Rung::unroll_all:
      return blocks(2 * block_threads);
    case Rung::grid_stride:
      return std::min<std::int64_t>(blocks(2 * block_threads), max_stride_blocks);
    case Rung::cub:
      break;
  }
  return 1;
}

/// Scratch memory in bytes of a run: two buffers that the passes write alternately, and CUB's temporary storage.
template <class Op>
std::size_t device_scratch(std::int64_t count, int variant) {
  using Partial = typename Op::Partial;
  const auto rung = static_cast<Rung>(variant);
  const std::int64_t first = first_partials<typename Op::Value>(count, rung);
  const auto bytes = [](std::int64_t partials) {
    return DeviceScratch::padded(static_cast<std::size_t>(partials) * sizeof(Partial));
  };
  return bytes(first) + bytes(tiles_of<Partial>(first)) + (rung == Rung::cub ? DeviceScratch::padded(cub_bytes) : 0);
}

/// Reduces the input of a run by its variant. reduction_sum.cu, reduction_extreme.cu and reduction_argmin.cu
/// instantiate it for the types of values.
template <class Op>
void run_on_device(const Op& op, const DeviceRun& run);
/// Writes the partial result of all values to `result`, by CUB. reduction_cub.cu instantiates it.
template <class Op>
void run_cub(const Op& op, const DeviceRun& run, typename Op::Partial* result);

}  // namespace threadscape::reduction

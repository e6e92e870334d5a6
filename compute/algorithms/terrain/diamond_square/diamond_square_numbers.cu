// The table of random numbers on the GPU, by the device functions of cuRAND: all numbers of a terrain in one batch, or
// those of a step by generators that are made for it.

#include <curand_kernel.h>

#include "compute/algorithms/terrain/diamond_square/diamond_square_cuda.h"
#include "compute/algorithms/terrain/diamond_square/diamond_square_xorwow.h"
#include "compute/gpu/check.h"

namespace threadscape::diamond_square {
namespace {

constexpr int stream_threads = 32;  // Threads of a block: the 4096 streams are spread over 128 multiprocessors.

/// Each thread continues one stream from its first number in begin .. end - 1.
__global__ void xorwow_numbers(std::uint64_t seed, bool seeded, std::uint32_t begin, std::uint32_t end,
                               std::uint16_t* numbers) {
  const std::uint32_t stream = blockIdx.x * stream_threads + threadIdx.x;
  const std::uint32_t skipped = begin / xorwow_streams + (stream < begin % xorwow_streams ? 1 : 0);
  if (skipped * xorwow_streams + stream >= end) return;
  curandStateXORWOW_t state;
  if (seeded)
    curand_init(seed + stream, 0, skipped, &state);
  else
    curand_init(seed, stream, skipped, &state);
  for (std::uint32_t i = skipped * xorwow_streams + stream; i < end; i += xorwow_streams)
    numbers[i] = static_cast<std::uint16_t>(curand(&state) >> 16);
}

/// Stores the numbers of Philox for the cells of a step.
__global__ void philox_numbers(std::uint64_t seed, Step step, int level, std::uint16_t* numbers) {
  const Cell cell = cell_of(Form::branchless, step, level, level, blockIdx.x * blockDim.x + threadIdx.x,
                            blockIdx.y * blockDim.y + threadIdx.y);
  if (cell.is_work)
    numbers[number_of(level, cell.x, cell.y)] = static_cast<std::uint16_t>(random_u16(seed, level, cell.x, cell.y));
}

void fill_xorwow(const Plan& plan, std::uint32_t begin, std::uint32_t end, std::uint16_t* numbers, CudaStream stream) {
  xorwow_numbers<<<xorwow_streams / stream_threads, stream_threads, 0, stream>>>(
      plan.seed, plan.random == Random::xorwow_seeded, begin, end, numbers);
  TS_CUDA_LAUNCHED();
}

}  // namespace

void make_all_numbers(const Plan& plan, std::uint16_t* numbers, CudaStream stream) {
  const std::uint32_t begin = points_of(plan.first), end = points_of(plan.grown);
  if (begin < end) fill_xorwow(plan, begin, end, numbers, stream);
}

void make_numbers_of(const Plan& plan, Step step, int level, std::uint16_t* numbers, CudaStream stream) {
  if (plan.random == Random::philox) {
    const Launch launch = launch_of(Form::branchless, step, level, level);
    philox_numbers<<<dim3(launch.blocks_x, launch.blocks_y), dim3(launch.block_width, launch.block_height), 0,
                     stream>>>(plan.seed, step, level, numbers);
    TS_CUDA_LAUNCHED();
    return;
  }
  const std::uint32_t middle = number_of(level, 1, 0);
  if (step == Step::diamond)
    fill_xorwow(plan, points_of(level - 1), middle, numbers, stream);
  else
    fill_xorwow(plan, middle, points_of(level), numbers, stream);
}

}  // namespace threadscape::diamond_square

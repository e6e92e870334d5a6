// Operations on streams on a GPU. An operation without prefix sums is one kernel, in which every thread makes one
// result. Prefix sums are three: each block sums up its values, one block adds the sums of the blocks, and each block
// makes the prefix sums of its values again and stores from the sum in front of it.

#include "compute/algorithms/sequences/streams/streams.h"
#include "compute/gpu/buffer.h"
#include "compute/gpu/check.h"

namespace threadscape {

namespace streams {
namespace {

/// The prefix sums of a block, in the order of Streams::cuda_variants.
enum class Method { shuffle, hillis_steele, blelloch };

constexpr int warp_threads = 32;
constexpr unsigned all_lanes = 0xffffffff;

/// The sum of the values of the lanes up to this one.
__device__ std::uint32_t inclusive_of_warp(std::uint32_t value) {
  for (int distance = 1; distance < warp_threads; distance *= 2) {
    const std::uint32_t before = __shfl_up_sync(all_lanes, value, distance);
    if (static_cast<int>(threadIdx.x) % warp_threads >= distance) value += before;
  }
  return value;
}

struct Sums {
  std::uint32_t before, total;  ///< The sum of the threads in front of this one, and of all of the block.
};

/// Words of shared memory that a block needs.
constexpr int words_of(Method method) {
  return method == Method::shuffle ? warp_threads : method == Method::blelloch ? block_threads + 1 : 2 * block_threads;
}

template <Method method>
__device__ Sums sums_of_block(std::uint32_t value, std::uint32_t* memory) {
  const int thread = static_cast<int>(threadIdx.x);
  if constexpr (method == Method::shuffle) {
    const int warp = thread / warp_threads;
    const std::uint32_t inclusive = inclusive_of_warp(value);
    __syncthreads();  // The last call may still be reading.
    if (thread % warp_threads == warp_threads - 1) memory[warp] = inclusive;
    __syncthreads();
    if (warp == 0) {
      constexpr int warps = block_threads / warp_threads;
      memory[thread] = inclusive_of_warp(thread < warps ? memory[thread] : 0);
    }
    __syncthreads();
    const std::uint32_t of_warps = warp == 0 ? 0 : memory[warp - 1];
    return {of_warps + inclusive - value, memory[warp_threads - 1]};
  } else if constexpr (method == Method::hillis_steele) {
    std::uint32_t *from = memory, *to = memory + block_threads;
    __syncthreads();
    from[thread] = value;
    for (int distance = 1; distance < block_threads; distance *= 2) {
      __syncthreads();
      to[thread] = from[thread] + (thread >= distance ? from[thread - distance] : 0);
      std::uint32_t* const written = to;
      to = from;
      from = written;
    }
    __syncthreads();
    return {from[thread] - value, from[block_threads - 1]};
  } else {
    __syncthreads();
    memory[thread] = value;
    for (int distance = 1; distance < block_threads; distance *= 2) {  // Up: sums of pairs, of fours, of eights.
      __syncthreads();
      const int target = 2 * distance * (thread + 1) - 1;
      if (target < block_threads) memory[target] += memory[target - distance];
    }
    __syncthreads();
    if (thread == 0) {
      memory[block_threads] = memory[block_threads - 1];
      memory[block_threads - 1] = 0;
    }
    for (int distance = block_threads / 2; distance > 0; distance /= 2) {  // Down: the sum in front of each part.
      __syncthreads();
      const int target = 2 * distance * (thread + 1) - 1;
      if (target < block_threads) {
        const std::uint32_t left = memory[target - distance];
        memory[target - distance] = memory[target];
        memory[target] += left;
      }
    }
    __syncthreads();
    return {memory[thread], memory[block_threads]};
  }
}

__global__ void __launch_bounds__(block_threads) map_values(Plan plan, const std::uint32_t* in, std::uint32_t* out) {
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < plan.results) out[i] = mapped(plan, in, i);
}

template <Method method>
__global__ void __launch_bounds__(block_threads) sum_blocks(Plan plan, const std::uint32_t* in, std::uint32_t* sums) {
  __shared__ std::uint32_t memory[words_of(method)];
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  const Sums block = sums_of_block<method>(i < plan.count ? summand(plan, in[i]) : 0, memory);
  if (threadIdx.x == 0) sums[blockIdx.x] = block.total;
}

/// One block replaces the sums of blocks by those in front of them; the sum of all follows behind them.
template <Method method>
__global__ void __launch_bounds__(block_threads) add_sums(std::uint32_t* sums, std::uint32_t blocks) {
  __shared__ std::uint32_t memory[words_of(method)];
  std::uint32_t before = 0;
  for (std::uint32_t first = 0; first < blocks; first += block_threads) {
    const std::uint32_t i = first + threadIdx.x;
    const Sums part = sums_of_block<method>(i < blocks ? sums[i] : 0, memory);
    if (i < blocks) sums[i] = before + part.before;
    before += part.total;
  }
  if (threadIdx.x == 0) sums[blocks] = before;
}

template <Method method>
__global__ void __launch_bounds__(block_threads)
    store_values(Plan plan, const std::uint32_t* in, const std::uint32_t* sums, std::uint32_t* out) {
  __shared__ std::uint32_t memory[words_of(method)];
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  const std::uint32_t value = i < plan.count ? in[i] : 0;
  const Sums block = sums_of_block<method>(i < plan.count ? summand(plan, value) : 0, memory);
  if (i < plan.count) store(plan, value, i, sums[blockIdx.x] + block.before, sums[gridDim.x], out);
}

__global__ void __launch_bounds__(block_threads) zip_values(Plan plan, const std::uint32_t* in, std::uint32_t* out) {
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < plan.results) out[i] = zipped(plan, in, i);
}
__global__ void __launch_bounds__(block_threads) map_beside(Plan plan, const std::uint32_t* in, std::uint32_t* out) {
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < plan.results) out[i] = beside(plan, in, i);
}
__global__ void __launch_bounds__(block_threads)
    add_streams(std::uint32_t count, const std::uint32_t* a, const std::uint32_t* b, std::uint32_t* out) {
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < count) out[i] = a[i] + b[i];
}

constexpr unsigned blocks_for(std::uint32_t threads) {
  return (threads + block_threads - 1) / block_threads;
}

template <Method method>
void launch(const Plan& plan, const std::uint32_t* in, std::uint32_t* sums, std::uint32_t* out, CudaStream stream) {
  const unsigned blocks = blocks_for(plan.count);
  sum_blocks<method><<<blocks, block_threads, 0, stream>>>(plan, in, sums);
  TS_CUDA_LAUNCHED();
  add_sums<method><<<1, block_threads, 0, stream>>>(sums, blocks);
  TS_CUDA_LAUNCHED();
  store_values<method><<<blocks, block_threads, 0, stream>>>(plan, in, sums, out);
  TS_CUDA_LAUNCHED();
}

/// The kernels of the network. The map has a stream of the device to itself, on which it may run beside the zip.
void launch_network(const Plan& plan, const std::uint32_t* in, const DeviceRun& run, std::uint32_t* out) {
  std::uint32_t* const first = run.scratch->take<std::uint32_t>(plan.results).data();
  std::uint32_t* const second = run.scratch->take<std::uint32_t>(plan.results).data();
  const unsigned blocks = blocks_for(plan.results);
  gpu::Device& device = *run.stream.device;
  const gpu::Stream side(device);
  gpu::OrderEvent begun(device), mapped(device);
  begun.record(run.stream);
  begun.hold(side.get());
  map_beside<<<blocks, block_threads, 0, side.get()>>>(plan, in, second);
  TS_CUDA_LAUNCHED();
  mapped.record(side.get());
  zip_values<<<blocks, block_threads, 0, run.stream>>>(plan, in, first);
  TS_CUDA_LAUNCHED();
  mapped.hold(run.stream);
  add_streams<<<blocks, block_threads, 0, run.stream>>>(plan.results, first, second, out);
  TS_CUDA_LAUNCHED();
}

}  // namespace
}  // namespace streams

void Streams::cuda(const Params& params, const DeviceRun& run) {
  using namespace streams;
  const Plan plan = Streams::plan(params, run.in.shape);
  const auto* in = reinterpret_cast<const std::uint32_t*>(run.in.data);
  auto* out = reinterpret_cast<std::uint32_t*>(run.out.linear.data);
  if (plan.operation == Operation::network) return launch_network(plan, in, run, out);
  if (!scans(plan.operation)) {
    map_values<<<blocks_for(plan.results), block_threads, 0, run.stream>>>(plan, in, out);
    TS_CUDA_LAUNCHED();
    return;
  }
  std::uint32_t* const sums = run.scratch->take<std::uint32_t>(blocks_for(plan.count) + 1).data();
  switch (static_cast<Method>(run.variant)) {
    case Method::shuffle:
      return launch<Method::shuffle>(plan, in, sums, out, run.stream);
    case Method::hillis_steele:
      return launch<Method::hillis_steele>(plan, in, sums, out, run.stream);
    case Method::blelloch:
      return launch<Method::blelloch>(plan, in, sums, out, run.stream);
  }
}

}  // namespace threadscape

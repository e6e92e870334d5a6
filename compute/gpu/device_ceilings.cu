#include <algorithm>
#include <cstdint>

#include "compute/gpu/check.h"
#include "compute/gpu/device_ceilings.h"
#include "compute/gpu/executor.h"
#include "compute/gpu/matrix.cuh"

namespace threadscape::cuda {

namespace {

constexpr int block_threads = 256, warps_of_block = block_threads / 32;

// Each kernel writes what it has computed only if that has a value which it never has. The compiler does not know that,
// and so leaves nothing out.

/// Eight chains of fused multiply-adds for each thread hide their latency. `rounds` times 32 links of each chain.
__global__ void fused_multiply_adds(int rounds, float* sink) {
  constexpr int chains = 8, links = 32;
  float value[chains], sum = 0.0f;
  for (int i = 0; i < chains; ++i)
    value[i] = static_cast<float>(threadIdx.x * chains + i) * 1e-4f;
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int link = 0; link < links; ++link)
#pragma unroll
      for (int i = 0; i < chains; ++i)
        value[i] = fmaf(value[i], 0.999f, 0.001f);
  for (int i = 0; i < chains; ++i)
    sum += value[i];
  if (sum == -1.0f) *sink = sum;
}
constexpr double operations_of_round = 2.0 * 8 * 32;

/// Each warp multiplies matrices into four accumulators in turns, `rounds` times eight products into each.
__global__ void fp16_products(int rounds, float* sink) {
  constexpr int accumulators = 4, links = 8;
  // 1/1024 to 1/512 as fp16, so that the sums stay small.
  const std::uint32_t number = 0x1400u + threadIdx.x, word = number << 16 | number;
  const std::uint32_t a[4] = {word, word + 1, word + 2, word + 3}, b[2] = {word + 4, word + 5};
  FloatAccumulator c[accumulators] = {};
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int link = 0; link < links; ++link)
#pragma unroll
      for (int i = 0; i < accumulators; ++i)
        c[i] = multiply_add_fp16<2>(a, b, c[i]);
  const float sum = (c[0].at[0] + c[1].at[1]) + (c[2].at[2] + c[3].at[3]);
  if (sum == -1.0f) *sink = sum;
}
__global__ void byte_products(int rounds, float* sink) {
  constexpr int accumulators = 4, links = 8;
  const std::uint32_t word = threadIdx.x * 0x01010101u;
  const std::uint32_t a[4] = {word, word ^ 1, word ^ 2, word ^ 3}, b[2] = {word ^ 4, word ^ 5};
  IntAccumulator c[accumulators] = {};
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int link = 0; link < links; ++link)
#pragma unroll
      for (int i = 0; i < accumulators; ++i)
        c[i] = multiply_add<std::uint8_t, std::int8_t>(a, b, c[i]);
  const int sum = (c[0].at[0] ^ c[1].at[1]) + (c[2].at[2] ^ c[3].at[3]);
  if (sum == 0x7fffffff) *sink = 1.0f;
}
/// Multiplications and additions of a warp in a round, for products of 16 x `depth` and `depth` x 8 numbers.
constexpr double operations_of_products(int depth) {
  return 4.0 * 8 * 2 * 16 * 8 * depth;
}

/// The grid reads `count` vectors of 16 bytes `passes` times, through the L2 cache and past the L1 caches.
__global__ void read_global(const uint4* values, std::size_t count, int passes, float* sink) {
  const std::size_t threads = static_cast<std::size_t>(gridDim.x) * blockDim.x;
  std::uint32_t sum = 0;
  for (int pass = 0; pass < passes; ++pass)
#pragma unroll 4
    for (std::size_t i = static_cast<std::size_t>(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += threads) {
      const uint4 v = __ldcg(values + i);
      sum += (v.x ^ v.y) + (v.z ^ v.w);
    }
  if (sum == 1) *sink = 1.0f;  // The memory holds zeros.
}

/// Each thread reads `rounds` times 16 vectors of 16 bytes from shared memory, without conflicts of banks.
__global__ void read_shared(int rounds, float* sink) {
  constexpr int vectors = 1024, links = 16;
  __shared__ uint4 tile[vectors];
  for (int i = static_cast<int>(threadIdx.x); i < vectors; i += block_threads)
    tile[i] = make_uint4(0, 0, 0, 0);
  __syncthreads();
  std::uint32_t sum = 0;
  int at = static_cast<int>(threadIdx.x);
  for (int round = 0; round < rounds; ++round)
#pragma unroll
    for (int link = 0; link < links; ++link) {
      const uint4 v = tile[at];
      sum += (v.x ^ v.y) + (v.z ^ v.w);
      // The next place depends on what was read, so that no read can be left out: it is `block_threads` further on.
      at = static_cast<int>((static_cast<unsigned>(at) + block_threads + v.x) % vectors);
    }
  if (sum == 1) *sink = 1.0f;
}
constexpr double bytes_of_shared_round = 16.0 * sizeof(uint4);

/// The best rate of several launches. `launch` queues a kernel that does `done` operations or reads as many bytes.
template <class Launch>
double best_rate(CudaStream stream, double done, const Launch& launch) {
  constexpr int runs = 6;
  gpu::EventTimer timer(*stream.device);
  double best = 0.0;
  for (int run = 0; run < runs; ++run) {
    timer.start(stream);
    launch();
    TS_CUDA_LAUNCHED();
    timer.stop(stream);
    best = std::max(best, done / (timer.milliseconds() / 1e3));
  }
  return best;
}

MeasuredCeilings measure(const gpu::Executor& executor) {
  gpu::Device& gpu = executor.device();
  const gpu::DeviceInfo& device = gpu.info();
  const CudaStream stream = executor.stream();
  const auto l2_bytes = static_cast<std::size_t>(device.l2_bytes);
  // Far more than the L2 cache for memory; a quarter of it for the cache, whose halves may hold copies.
  const std::size_t far = std::min(std::max(std::size_t{256} << 20, 8 * l2_bytes), gpu.free_bytes() / 4);
  const std::size_t in_memory = far / 4096 * 4096, in_cache = l2_bytes / 4 / 4096 * 4096;
  gpu::DeviceArray values(gpu), sink_memory(gpu);
  values.reshape(Shape::image(Element::u8, 1, 4096, static_cast<std::int64_t>(std::max(in_memory, in_cache) / 4096)));
  sink_memory.reshape(Shape::image(Element::f32, 1, 1, 1));
  auto* const sink = reinterpret_cast<float*>(sink_memory.view().data);
  const auto* const vectors = reinterpret_cast<const uint4*>(values.view().data);
  TS_CUDA_CHECK(cudaMemsetAsync(values.view().data, 0, std::max(in_memory, in_cache), stream));

  const auto blocks = static_cast<unsigned>(8 * device.multiprocessors);  // 2048 threads for each multiprocessor.
  const double threads = static_cast<double>(blocks) * block_threads,
               warps = static_cast<double>(blocks) * warps_of_block;
  MeasuredCeilings ceilings;
  const auto read_rate = [&](std::size_t bytes, int passes) {
    return best_rate(stream, static_cast<double>(bytes) * passes, [&] {
      read_global<<<blocks, block_threads, 0, stream>>>(vectors, bytes / sizeof(uint4), passes, sink);
    });
  };
  ceilings.reading.push_back({"memory", read_rate(in_memory, 1)});
  if (in_cache > 0) ceilings.reading.push_back({"L2", read_rate(in_cache, 32)});
  constexpr int rounds = 256;
  ceilings.reading.push_back({"shared memory", best_rate(stream, threads * bytes_of_shared_round * rounds, [&] {
                                read_shared<<<blocks, block_threads, 0, stream>>>(rounds, sink);
                              })});
  ceilings.arithmetic.push_back({"FP32", best_rate(stream, threads * operations_of_round * rounds, [&] {
                                   fused_multiply_adds<<<blocks, block_threads, 0, stream>>>(rounds, sink);
                                 })});
  if (device.compute_major < min_mma_capability) return ceilings;
  ceilings.arithmetic.push_back({"tensor FP16", best_rate(stream, warps * operations_of_products(16) * rounds, [&] {
                                   fp16_products<<<blocks, block_threads, 0, stream>>>(rounds, sink);
                                 })});
  ceilings.arithmetic.push_back({"tensor INT8", best_rate(stream, warps * operations_of_products(32) * rounds, [&] {
                                   byte_products<<<blocks, block_threads, 0, stream>>>(rounds, sink);
                                 })});
  return ceilings;
}

}  // namespace

MeasuredCeilings device_ceilings(gpu::Device& device) {
  const gpu::Executor executor(device);
  if (!device.runs_kernels()) return {};
  return executor.guarded([&] { return measure(executor); });
}

}  // namespace threadscape::cuda

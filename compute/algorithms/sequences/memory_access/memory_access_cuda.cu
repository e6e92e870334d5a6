// Memory access on the GPU. The kernel of the first four patterns computes one word per thread and is limited by the
// memory alone, so its time shows how many lines of memory the loads of a warp touch. The kernels that read a table do
// so many times per thread, so that their times show what one such read costs. Compare with memory_access_serial.cpp.

#include <algorithm>

#include "compute/algorithms/sequences/memory_access/memory_access.h"
#include "compute/gpu/check.h"
#include "compute/gpu/word_texture.h"

namespace threadscape {
namespace memory_access {
namespace {

constexpr int block_threads = 256;
constexpr std::uint32_t texture_width = 4096;  ///< Words of a row of the two-dimensional texture.
/// Blocks of the kernels that read a table. Each block computes many words, so that loading the table costs little.
constexpr std::uint32_t max_table_blocks = 2048;

// ---- where a word is read from

struct FromGlobal {
  const std::uint32_t* in;
  __device__ std::uint32_t operator()(std::uint32_t place) const { return in[place]; }
};
struct FromLine {
  cudaTextureObject_t texture;
  __device__ std::uint32_t operator()(std::uint32_t place) const {
    return tex1Dfetch<unsigned>(texture, static_cast<int>(place));
  }
};
struct FromRows {
  cudaTextureObject_t texture;
  const std::uint32_t* in;
  std::uint32_t full;  ///< Words in full rows; those behind are no part of the texture.
  __device__ std::uint32_t operator()(std::uint32_t place) const {
    if (place >= full) return in[place];
    const auto x = static_cast<float>(place % texture_width), y = static_cast<float>(place / texture_width);
    return tex2D<unsigned>(texture, x + 0.5f, y + 0.5f);
  }
};

// ---- patterns without a table

/// coalesced, misaligned and random: thread i computes word i of the result.
template <Pattern pattern, class From>
__global__ void __launch_bounds__(block_threads) read_words(Plan plan, From from, std::uint32_t* out) {
  const std::uint32_t i = blockIdx.x * block_threads + threadIdx.x;
  if (i < plan.count) out[i] = from(place_of<pattern>(plan, i));
}

/// strided: a row of blocks computes a column of the matrix, so that no thread divides. One more row of blocks computes
/// the words behind the matrix, if there are any.
template <class From>
__global__ void __launch_bounds__(block_threads) read_columns(Plan plan, From from, std::uint32_t* out) {
  const std::uint32_t row = blockIdx.x * block_threads + threadIdx.x, column = blockIdx.y;
  const bool behind = column == plan.stride;
  if (row >= (behind ? plan.count - plan.rows * plan.stride : plan.rows)) return;
  const std::uint32_t i = column * plan.rows + row;
  out[i] = from(behind ? i : row * plan.stride + column);
}

template <class From>
void launch_direct(const Plan& plan, const From& from, std::uint32_t* out, CudaStream stream) {
  const auto blocks_for = [](std::uint32_t words) { return (words + block_threads - 1) / block_threads; };
  if (plan.pattern == Pattern::strided) {
    const std::uint32_t behind = plan.count - plan.rows * plan.stride;
    const dim3 grid(blocks_for(std::max(plan.rows, behind)), plan.stride + (behind > 0 ? 1 : 0));
    read_columns<From><<<grid, block_threads, 0, stream>>>(plan, from, out);
  } else {
    with_direct_pattern(plan.pattern, [&]<Pattern pattern>() {
      read_words<pattern, From><<<blocks_for(plan.count), block_threads, 0, stream>>>(plan, from, out);
    });
  }
  TS_CUDA_LAUNCHED();
}

// ---- patterns with a table

/// Writes the table, from which it is copied to the memory that the pattern reads.
__global__ void make_table(Plan plan, const std::uint32_t* in, std::uint32_t* table) {
  const std::uint32_t w = blockIdx.x * block_threads + threadIdx.x;
  if (w < table_words) table[w] = table_word(plan, in, w);
}

/// The rounds of a thread whose words are read by `read`. The reads of a round have constant distances to the first
/// one, so that a read needs no arithmetic.
template <class Read>
__device__ std::uint32_t read_rounds(const Plan& plan, std::uint32_t result, const Read& read) {
  const int lane = threadIdx.x % lanes;
  for (int round = 0; round < plan.rounds; ++round) {
    const int first = first_word(plan, lane, round);
#pragma unroll
    for (int j = 0; j < round_reads; ++j)
      result = fold(result, read(first + j));
  }
  return result;
}

/// Computes the words of a block, a grid of blocks apart.
template <class Read>
__device__ void compute_words(const Plan& plan, const std::uint32_t* in, std::uint32_t* out, const Read& read) {
  for (std::uint32_t i = blockIdx.x * block_threads + threadIdx.x; i < plan.count; i += gridDim.x * block_threads)
    out[i] = read_rounds(plan, in[i], read);
}

/// registers: a thread holds the words of a round in registers and reads them in every round.
__global__ void __launch_bounds__(block_threads)
    read_registers(Plan plan, const std::uint32_t* in, const std::uint32_t* table, std::uint32_t* out) {
  std::uint32_t words[round_reads];
#pragma unroll
  for (int j = 0; j < round_reads; ++j)
    words[j] = table[j];
  for (std::uint32_t i = blockIdx.x * block_threads + threadIdx.x; i < plan.count; i += gridDim.x * block_threads) {
    std::uint32_t result = in[i];
    for (int round = 0; round < plan.rounds; ++round) {
#pragma unroll
      for (int j = 0; j < round_reads; ++j)
        result = fold(result, words[j]);
    }
    out[i] = result;
  }
}

/// local: as registers, but the loop over the words is none of the compiler's, so that the array cannot lie in
/// registers, which have no addresses.
__global__ void __launch_bounds__(block_threads)
    read_local(Plan plan, const std::uint32_t* in, const std::uint32_t* table, std::uint32_t* out) {
  std::uint32_t words[round_reads];
#pragma unroll 1
  for (int j = 0; j < round_reads; ++j)
    words[j] = table[j];
  for (std::uint32_t i = blockIdx.x * block_threads + threadIdx.x; i < plan.count; i += gridDim.x * block_threads) {
    std::uint32_t result = in[i];
    for (int round = 0; round < plan.rounds; ++round) {
#pragma unroll 1
      for (int j = 0; j < round_reads; ++j)
        result = fold(result, words[j]);
    }
    out[i] = result;
  }
}

/// l1, l2: the table stays in global memory. A plain load of memory that no kernel writes meanwhile is cached in the
/// multiprocessor; one that is cached globally is not.
template <bool in_multiprocessor>
__global__ void __launch_bounds__(block_threads)
    read_cached(Plan plan, const std::uint32_t* in, const std::uint32_t* table, std::uint32_t* out) {
  compute_words(plan, in, out,
                [&](int place) { return in_multiprocessor ? __ldca(table + place) : __ldcg(table + place); });
}

// The table of `constant` and `constant_apart`: a single one for the whole program. It is written on the stream of the
// run, so runs on one stream follow each other, but runs on several streams at once would overwrite each other's table.
// The program runs this algorithm on one stream at a time.
__constant__ std::uint32_t constant_table[table_words];

/// constant, constant_apart: a warp reads one word at a time, which all lanes get that ask for it.
__global__ void __launch_bounds__(block_threads) read_constant(Plan plan, const std::uint32_t* in, std::uint32_t* out) {
  compute_words(plan, in, out, [](int place) { return constant_table[place]; });
}

/// shared, conflicts, struct_8, struct_5: a warp reads 32 words at a time if they lie in different banks.
__global__ void __launch_bounds__(block_threads)
    read_shared(Plan plan, const std::uint32_t* in, const std::uint32_t* table, std::uint32_t* out) {
  __shared__ std::uint32_t words[table_words];
  for (int w = threadIdx.x; w < table_words; w += block_threads)
    words[w] = table[w];
  __syncthreads();
  compute_words(plan, in, out, [&](int place) { return words[place]; });
}

void launch_table(const Plan& plan, const std::uint32_t* in, const DeviceRun& run, std::uint32_t* out) {
  std::uint32_t* table = run.scratch->take<std::uint32_t>(table_words).data();
  make_table<<<(table_words + block_threads - 1) / block_threads, block_threads, 0, run.stream>>>(plan, in, table);
  TS_CUDA_LAUNCHED();
  const std::uint32_t blocks = std::min((plan.count + block_threads - 1) / block_threads, max_table_blocks);
  switch (plan.pattern) {
    case Pattern::registers:
      read_registers<<<blocks, block_threads, 0, run.stream>>>(plan, in, table, out);
      break;
    case Pattern::local:
      read_local<<<blocks, block_threads, 0, run.stream>>>(plan, in, table, out);
      break;
    case Pattern::l1:
      read_cached<true><<<blocks, block_threads, 0, run.stream>>>(plan, in, table, out);
      break;
    case Pattern::l2:
      read_cached<false><<<blocks, block_threads, 0, run.stream>>>(plan, in, table, out);
      break;
    case Pattern::constant:
    case Pattern::constant_apart:
      TS_CUDA_CHECK(cudaMemcpyToSymbolAsync(constant_table, table, table_words * sizeof(std::uint32_t), 0,
                                            cudaMemcpyDeviceToDevice, run.stream));
      read_constant<<<blocks, block_threads, 0, run.stream>>>(plan, in, out);
      break;
    default:
      read_shared<<<blocks, block_threads, 0, run.stream>>>(plan, in, table, out);
      break;
  }
  TS_CUDA_LAUNCHED();
}

}  // namespace
}  // namespace memory_access

void MemoryAccess::cuda(const Params& params, const DeviceRun& run) {
  using namespace memory_access;
  const Plan plan = MemoryAccess::plan(params, run.in.shape);
  const auto* in = reinterpret_cast<const std::uint32_t*>(run.in.data);
  auto* out = reinterpret_cast<std::uint32_t*>(run.out.linear.data);
  if (reads_table(plan.pattern)) return launch_table(plan, in, run, out);
  const std::uint32_t full_rows = plan.count / texture_width;
  gpu::Device& device = *run.stream.device;
  if (run.variant == 1)
    launch_direct(plan, FromLine{cuda::word_texture(in, plan.count, 0, device)}, out, run.stream);
  else if (run.variant == 2 && full_rows > 0)
    launch_direct(plan,
                  FromRows{cuda::word_texture(in, texture_width, full_rows, device), in, full_rows * texture_width},
                  out, run.stream);
  else
    launch_direct(plan, FromGlobal{in}, out, run.stream);
}

}  // namespace threadscape

// Radix sort from the least to the most significant digit, after Adinets and Merrill, "Onesweep", 2022: one kernel
// counts the digits of all passes; then each pass reads and writes every key once. The tiles of a pass compute their
// prefix sums by decoupled look-back: each tile publishes the number of its keys with every digit (its aggregate), and
// then adds the aggregates of the tiles before it, until it meets a tile that has published its inclusive prefix.
//
//   block = tile of 8064 keys = 12 warps x 21 rows x 32 lanes         thread: 21 keys in registers
//
//     warp 0   row 0   | lane 0 | lane 1 | .. | lane 31 |             key of (warp, row, lane) has the place
//              row 1   | lane 0 | lane 1 | .. | lane 31 |             warp * 672 + row * 32 + lane in the tile
//               ..
//     counts[warp][digit], in shared memory:    keys of the digit in the warp, then the next place for one
//     lanes[warp][digit], in shared memory:     mask of the lanes whose key of the present row has the digit
//     status[tile][digit], in global memory:    0 | aggregate of the tile | inclusive prefix, with flags in bits 30, 31

#include "compute/algorithms/sequences/sorting/cuda/sorting_cuda.h"
#include "compute/gpu/check.h"

namespace threadscape::sorting {

namespace {

using namespace radix;  // NOLINT: the dimensions of a tile

constexpr int warp_threads = 32, histogram_threads = 512, keys_per_load = 4;
constexpr unsigned all_lanes = 0xffffffffu;
constexpr std::uint32_t has_aggregate = 1u << 30, has_inclusive_prefix = 1u << 31, count_mask = has_aggregate - 1;

__device__ std::uint32_t digit_of(std::uint32_t key, int pass) {
  return key >> (pass * digit_bits) & (digits - 1);
}

/// Makes the compiler forget what a word was computed from, and what it has computed from it, which it would keep in
/// further registers.
__device__ __forceinline__ void forget_origin([[maybe_unused]] std::uint32_t& word) {
#ifdef __CUDA_ARCH__
  asm volatile("" : "+r"(word));
#endif
}

/// What a thread keeps for each of its keys until the values follow them: small numbers, `bits` for each, of which
/// several lie in a register.
template <int bits>
class Packed {
 public:
  __device__ __forceinline__ void set(int i, std::uint32_t value) {
    std::uint32_t& word = words_[i / in_word];
    word = i % in_word == 0 ? value : word | value << i % in_word * bits;
    forget_origin(word);
  }
  __device__ __forceinline__ std::uint32_t operator[](int i) const {
    return words_[i / in_word] >> i % in_word * bits & ((1u << bits) - 1);
  }

 private:
  static constexpr int in_word = 32 / bits;
  std::uint32_t words_[(keys_per_thread + in_word - 1) / in_word];
};
using Places = Packed<16>;
static_assert(tile_keys <= 1 << 16);

// ---- counting of the digits of all passes

__global__ void __launch_bounds__(histogram_threads)
    count_digits(const std::uint32_t* bits, std::int64_t count, KeyOrder order, Counters* counters) {
  __shared__ std::uint32_t counts[passes][digits];
  for (int i = threadIdx.x; i < passes * digits; i += histogram_threads)
    counts[i / digits][i % digits] = 0;
  __syncthreads();
  const auto add = [&](std::uint32_t one) {
    const std::uint32_t key = encode(one, order);
    for (int pass = 0; pass < passes; ++pass)
      atomicAdd(&counts[pass][digit_of(key, pass)], 1u);
  };
  const std::int64_t stride = std::int64_t{gridDim.x} * histogram_threads * keys_per_load;
  for (std::int64_t i = (std::int64_t{blockIdx.x} * histogram_threads + threadIdx.x) * keys_per_load; i < count;
       i += stride) {
    if (i + keys_per_load <= count) {
      const uint4 four = *reinterpret_cast<const uint4*>(bits + i);
      add(four.x);
      add(four.y);
      add(four.z);
      add(four.w);
    } else {
      for (std::int64_t k = i; k < count; ++k)
        add(bits[k]);
    }
  }
  __syncthreads();
  for (int i = threadIdx.x; i < passes * digits; i += histogram_threads)
    if (const std::uint32_t own = counts[i / digits][i % digits]; own > 0)
      atomicAdd(&counters->histogram[i / digits][i % digits], own);
}

/// The exclusive prefix sum of the values of the first `digits` threads. All threads of the block have to call it.
__device__ std::uint32_t exclusive_prefix_sum(std::uint32_t value) {
  __shared__ std::uint32_t warp_totals[digits / warp_threads];
  const int warp = threadIdx.x / warp_threads, lane = threadIdx.x % warp_threads;
  std::uint32_t sum = value;
  for (int lanes = 1; lanes < warp_threads; lanes *= 2) {
    const std::uint32_t lower = __shfl_up_sync(all_lanes, sum, lanes);
    if (lane >= lanes) sum += lower;
  }
  if (lane == warp_threads - 1 && warp < digits / warp_threads) warp_totals[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp && w < digits / warp_threads; ++w)
    sum += warp_totals[w];
  return sum - value;
}

/// Replaces the counts of the digits of a pass by the places of the first key of each digit. Block p works on pass p.
__global__ void __launch_bounds__(digits) scan_digits(Counters* counters) {
  std::uint32_t* counts = counters->histogram[blockIdx.x];
  const std::uint32_t before = exclusive_prefix_sum(counts[threadIdx.x]);
  counts[threadIdx.x] = before;
}

// ---- a pass

/// The arguments of one pass. Keys are encoded when the first pass reads them and decoded when the last pass writes
/// them. If values_in is null, the value of a key is its place in the input.
struct Pass {
  const std::uint32_t* keys_in;
  const std::uint32_t* values_in;
  std::uint32_t* keys_out;
  std::uint32_t* values_out;
  std::int64_t count;
  int number;
  KeyOrder order_in, order_out;
  const std::uint32_t* digit_offsets;  ///< Place in the result of the first key of each digit.
  std::uint32_t* next_tile;            ///< Counter of the tiles that have started.
  volatile std::uint32_t* status;      ///< What tiles have published, indexed [tile][digit].
};

/// Number of keys with the digit in all tiles before this one. Four tiles are read at a time, so that their reads
/// overlap.
__device__ std::uint32_t look_back(volatile std::uint32_t* status, std::uint32_t tile, int digit) {
  constexpr std::uint32_t ahead = 4;
  std::uint32_t before = 0;
  while (tile > 0) {
    std::uint32_t published[ahead];
#pragma unroll
    for (std::uint32_t i = 0; i < ahead; ++i)
      published[i] =
          i < tile ? status[std::size_t{tile - 1 - i} * digits + digit] : std::uint32_t{has_inclusive_prefix};
    // What lies behind a tile that has published nothing yet is read again.
    std::uint32_t passed = 0;
    bool stop = false;
#pragma unroll
    for (std::uint32_t i = 0; i < ahead; ++i) {
      if (stop || published[i] == 0) {
        stop = true;
        continue;
      }
      before += published[i] & count_mask;
      ++passed;
      if ((published[i] & has_inclusive_prefix) != 0) return before;
    }
    tile -= passed;
  }
  return before;
}

/// Mask of the lanes of the warp whose key has the same digit, by a ballot for each bit of the digit.
__device__ unsigned match_by_ballots(std::uint32_t digit) {
  unsigned same = all_lanes;
#pragma unroll
  for (int bit = 0; bit < digit_bits; ++bit) {
    const bool set = (digit >> bit & 1) != 0;
    const unsigned lanes = __ballot_sync(all_lanes, set);
    same &= set ? lanes : ~lanes;
  }
  return same;
}

/// Moves the keys of a thread to their places in the tile: after the keys with the same digit in earlier rows of the
/// warp, and in lower lanes of the same row. next_places[digit] is the next free place of the warp for the digit. Lanes
/// find those with the same digit by setting their bit in lanes_of[digit], which is 0 before: an atomic in shared
/// memory takes the place of the 32 instructions of eight ballots. With `Ballots`, lanes_of is not used. `places` gets
/// the places if there are values that have to follow.
template <bool WithValues, bool Ballots>
__device__ __forceinline__ void place_keys(const std::uint32_t (&keys)[keys_per_thread], int pass, int lane,
                                           std::uint32_t* next_places, [[maybe_unused]] volatile unsigned* lanes_of,
                                           std::uint32_t* staged, Places& places) {
#pragma unroll
  for (int i = 0; i < keys_per_thread; ++i) {
    const std::uint32_t of_key = digit_of(keys[i], pass);
    unsigned same;
    if constexpr (Ballots) {
      same = match_by_ballots(of_key);
    } else {
      atomicOr(const_cast<unsigned*>(&lanes_of[of_key]), 1u << lane);
      __syncwarp();
      same = lanes_of[of_key];
    }
    const int leader = __ffs(static_cast<int>(same)) - 1;
    std::uint32_t next = 0;
    if (lane == leader) {
      next = next_places[of_key];
      next_places[of_key] = next + __popc(same);
    }
    const std::uint32_t place = __shfl_sync(all_lanes, next, leader) + __popc(same & ((1u << lane) - 1));
    __syncwarp();  // All lanes have read the mask, and another lane may lead the same digit in the next row.
    if constexpr (!Ballots) {
      if (lane == leader) lanes_of[of_key] = 0;
      __syncwarp();
    }
    staged[place] = keys[i];
    if constexpr (WithValues) places.set(i, place);
  }
}

/// Moves the values of a tile to the targets of their keys, through `staged`, in which they have the same places.
/// `sorted_digits` are those of the keys that the thread has written.
__device__ __forceinline__ void write_values(const Pass& pass, std::int64_t tile_begin, int valid, int warp_begin,
                                             const Places& places, const Packed<digit_bits>& sorted_digits,
                                             const std::uint32_t* offset_to_result, std::uint32_t* staged) {
  __syncthreads();
#pragma unroll
  for (int i = 0; i < keys_per_thread; ++i) {
    const int at = warp_begin + i * warp_threads;
    if (at >= valid) continue;
    const std::int64_t place = tile_begin + at;
    staged[places[i]] = pass.values_in ? pass.values_in[place] : static_cast<std::uint32_t>(place);
  }
  __syncthreads();
#pragma unroll
  for (int i = 0; i < keys_per_thread; ++i)
    if (const int at = i * threads + threadIdx.x; at < valid)
      pass.values_out[offset_to_result[sorted_digits[i]] + at] = staged[at];
}

/// The arrays of a block in shared memory, 56.5 KiB.
struct TileMemory {
  std::uint32_t counts[warps][digits];     ///< Keys of the digit in the warp; then the next place for one.
  unsigned lanes_of[warps][digits];        ///< Masks of lanes, see place_keys().
  std::uint32_t staged[tile_keys];         ///< Keys, then values, in the order of the tile.
  std::uint32_t offset_to_result[digits];  ///< From a place in the tile to the place in the result.
};

/// Keys are moved to `staged` as soon as their places are known, so that a thread holds nothing but its keys, or half a
/// register for the place of each: then 56 registers suffice, and three blocks run on a multiprocessor at the same
/// time.
constexpr int blocks_at_once = 3;

/// One pass for one tile, with the values of the keys or without.
template <bool WithValues, bool Ballots>
__global__ void __launch_bounds__(threads, blocks_at_once) sort_tile(Pass pass) {
  extern __shared__ std::uint32_t block_memory[];
  __shared__ std::uint32_t own_tile;
  auto& [counts, all_lanes_of, staged, offset_to_result] = *reinterpret_cast<TileMemory*>(block_memory);
  const int warp = threadIdx.x / warp_threads, lane = threadIdx.x % warp_threads;
  auto* const lanes_of = all_lanes_of[warp];

  // Tiles are numbered in the order in which blocks start, so the tiles that a block waits for are already running.
  if (threadIdx.x == 0) own_tile = atomicAdd(pass.next_tile, 1u);
  for (int i = lane; i < digits; i += warp_threads) {
    counts[warp][i] = 0;
    if constexpr (!Ballots) lanes_of[i] = 0;
  }
  __syncthreads();
  const std::uint32_t tile = own_tile;
  const std::int64_t tile_begin = std::int64_t{tile} * tile_keys;
  const int valid = static_cast<int>(min(std::int64_t{tile_keys}, pass.count - tile_begin));

  // A warp has contiguous keys, in rows of 32, so its order is that of the sequence. Places beyond the end of the
  // sequence get the maximum key and stay after all others.
  const int warp_begin = warp * warp_threads * keys_per_thread + lane;
  std::uint32_t keys[keys_per_thread];
#pragma unroll
  for (int i = 0; i < keys_per_thread; ++i) {
    const int at = warp_begin + i * warp_threads;
    keys[i] = at < valid ? encode(pass.keys_in[tile_begin + at], pass.order_in) : ~0u;
  }
#pragma unroll
  for (int i = 0; i < keys_per_thread; ++i)
    atomicAdd(&counts[warp][digit_of(keys[i], pass.number)], 1u);
  __syncthreads();
  // Digits are computed again where they are needed: kept from here on, they would take one more register for each key.
#pragma unroll
  for (int i = 0; i < keys_per_thread; ++i)
    forget_origin(keys[i]);

  // Thread d has digit d. The counts of the warps become exclusive prefix sums over the warps, and the aggregate of the
  // tile is published as early as possible, since other tiles may wait for it.
  const int digit = threadIdx.x;
  std::uint32_t own = 0;
  if (digit < digits) {
    for (int w = 0; w < warps; ++w) {
      const std::uint32_t of_warp = counts[w][digit];
      counts[w][digit] = own;
      own += of_warp;
    }
    pass.status[std::size_t{tile} * digits + digit] = (tile == 0 ? has_inclusive_prefix : has_aggregate) | own;
  }
  const std::uint32_t first = exclusive_prefix_sum(own);
  if (digit < digits)
    for (int w = 0; w < warps; ++w)
      counts[w][digit] += first;
  __syncthreads();

  Places places;
  place_keys<WithValues, Ballots>(keys, pass.number, lane, counts[warp], lanes_of, staged, places);

  if (digit < digits) {
    const std::uint32_t before = look_back(pass.status, tile, digit);
    if (tile > 0) pass.status[std::size_t{tile} * digits + digit] = has_inclusive_prefix | (before + own);
    offset_to_result[digit] = pass.digit_offsets[digit] + before - first;
  }
  __syncthreads();

  // Keys with the same digit are now contiguous in the tile, as they are in the result, so they are written in runs.
  Packed<digit_bits> sorted_digits;
#pragma unroll
  for (int i = 0; i < keys_per_thread; ++i) {
    const int at = i * threads + threadIdx.x;
    if (at >= valid) continue;
    const std::uint32_t key = staged[at], of_key = digit_of(key, pass.number);
    pass.keys_out[offset_to_result[of_key] + at] = decode(key, pass.order_out);
    if constexpr (WithValues) sorted_digits.set(i, of_key);
  }
  if constexpr (WithValues)
    write_values(pass, tile_begin, valid, warp_begin, places, sorted_digits, offset_to_result, staged);
}

}  // namespace

void sort_radix(const Sorting::Params& params, const DeviceRun& run, bool ballots) {
  const std::int64_t count = run.in.shape.width;
  const auto words = static_cast<std::size_t>(count);
  auto* out = reinterpret_cast<std::uint32_t*>(run.out.linear.data);
  auto* other_keys = run.scratch->take<std::uint32_t>(words).data();
  auto* other_values = params.pairs ? run.scratch->take<std::uint32_t>(words).data() : nullptr;
  Counters* counters = run.scratch->take<Counters>(1).data();
  const std::span<std::uint32_t> status = run.scratch->take<std::uint32_t>(status_words(count));
  TS_CUDA_CHECK(cudaMemsetAsync(counters, 0, sizeof(Counters), run.stream));
  TS_CUDA_CHECK(cudaMemsetAsync(status.data(), 0, status.size_bytes(), run.stream));

  const auto* in = reinterpret_cast<const std::uint32_t*>(run.in.data);
  constexpr std::int64_t max_blocks = 1024, keys_per_block = std::int64_t{histogram_threads} * keys_per_load;
  const auto blocks = static_cast<unsigned>(std::min(max_blocks, (count + keys_per_block - 1) / keys_per_block));
  count_digits<<<blocks, histogram_threads, 0, run.stream>>>(in, count, params.type, counters);
  TS_CUDA_LAUNCHED();
  scan_digits<<<passes, digits, 0, run.stream>>>(counters);
  TS_CUDA_LAUNCHED();

  const auto tiles = static_cast<unsigned>(tiles_of(count));
  for (int number = 0; number < passes; ++number) {
    const bool last = number == passes - 1, to_out = number % 2 == 1;  // the last of the four passes writes the result
    const Pass pass{.keys_in = number == 0 ? in
                               : to_out    ? other_keys
                                           : out,
                    .values_in = number == 0 ? nullptr
                                 : to_out    ? other_values
                                             : out + count,
                    .keys_out = to_out ? out : other_keys,
                    .values_out = to_out ? out + count : other_values,
                    .count = count,
                    .number = number,
                    .order_in = number == 0 ? params.type : KeyOrder::uint32,
                    .order_out = last ? params.type : KeyOrder::uint32,
                    .digit_offsets = counters->histogram[number],
                    .next_tile = &counters->next_tile[number],
                    .status = status.data() + std::size_t{tiles} * digits * static_cast<std::size_t>(number)};
    auto* const kernel = params.pairs ? (ballots ? sort_tile<true, true> : sort_tile<true, false>)
                                      : (ballots ? sort_tile<false, true> : sort_tile<false, false>);
    TS_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                       cudaFuncAttributeMaxDynamicSharedMemorySize, sizeof(TileMemory)));
    kernel<<<tiles, threads, sizeof(TileMemory), run.stream>>>(pass);
    TS_CUDA_LAUNCHED();
  }
}

}  // namespace threadscape::sorting

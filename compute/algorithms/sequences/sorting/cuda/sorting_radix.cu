// Radix sort from the lowest digit to the highest, after Adinets and Merrill, "Onesweep", 2022: one kernel counts the
// digits of all passes; then each pass reads and writes every key once. A tile learns where its keys go while the tiles
// before it are still at work: each publishes how many keys of every digit it has, and looks back over what the others
// have published until it meets one that knows the sum of all before it.

#include "compute/algorithms/sequences/sorting/cuda/sorting_cuda.h"
#include "compute/cuda/check.h"

namespace threadscape::sorting {

namespace {

using namespace radix;  // NOLINT: the tile's shape

constexpr int warp_threads = 32, histogram_threads = 512, keys_per_load = 4;
constexpr unsigned all_lanes = 0xffffffffu;
constexpr std::uint32_t has_own = 1u << 30, has_all_before = 1u << 31, count_mask = has_own - 1;

__device__ std::uint32_t digit_of(std::uint32_t key, int pass) {
  return key >> (pass * digit_bits) & (digits - 1);
}

// ---- The digits of all passes, counted in one go.

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

/// The sum of the values of all threads with lower numbers. The whole block calls it; the answer is good for its first
/// `digits` threads.
__device__ std::uint32_t sum_before(std::uint32_t value) {
  __shared__ std::uint32_t of_warps[digits / warp_threads];
  const int warp = threadIdx.x / warp_threads, lane = threadIdx.x % warp_threads;
  std::uint32_t sum = value;
  for (int lanes = 1; lanes < warp_threads; lanes *= 2) {
    const std::uint32_t lower = __shfl_up_sync(all_lanes, sum, lanes);
    if (lane >= lanes) sum += lower;
  }
  if (lane == warp_threads - 1 && warp < digits / warp_threads) of_warps[warp] = sum;
  __syncthreads();
  for (int w = 0; w < warp && w < digits / warp_threads; ++w)
    sum += of_warps[w];
  return sum - value;
}

/// Of every pass (a block each): from counts to the place where the first key of the digit goes.
__global__ void __launch_bounds__(digits) place_digits(Counters* counters) {
  std::uint32_t* counts = counters->histogram[blockIdx.x];
  const std::uint32_t before = sum_before(counts[threadIdx.x]);
  counts[threadIdx.x] = before;
}

// ---- A pass.

/// From where to where, and what of it. Keys are encoded when they are read first and decoded when they are written
/// last. Without `values_in` a key's value is its place.
struct Pass {
  const std::uint32_t* keys_in;
  const std::uint32_t* values_in;
  std::uint32_t* keys_out;
  std::uint32_t* values_out;
  std::int64_t count;
  int number;
  KeyOrder order_in, order_out;
  const std::uint32_t* first_places;  ///< by digit
  std::uint32_t* next_tile;
  volatile std::uint32_t* status;  ///< by tile and digit
};

/// How many keys of the digit all tiles before this one have.
__device__ std::uint32_t look_back(volatile std::uint32_t* status, std::uint32_t tile, int digit) {
  std::uint32_t before = 0;
  while (tile-- > 0) {
    std::uint32_t said;
    do
      said = status[std::size_t{tile} * digits + digit];
    while (said == 0);
    before += said & count_mask;
    if ((said & has_all_before) != 0) break;
  }
  return before;
}

/// The lanes of the warp whose key has the same digit.
__device__ unsigned lanes_with_same(std::uint32_t digit) {
  unsigned same = all_lanes;
#pragma unroll
  for (int bit = 0; bit < digit_bits; ++bit) {
    const bool set = (digit >> bit & 1) != 0;
    const unsigned lanes = __ballot_sync(all_lanes, set);
    same &= set ? lanes : ~lanes;
  }
  return same;
}

template <bool WithValues>
__global__ void __launch_bounds__(threads) sort_tile(Pass pass) {
  __shared__ std::uint32_t counts[warps][digits];  // of each warp; then where its next key of the digit goes
  __shared__ std::uint32_t staged[tile_keys];      // keys, then values, in the order of the tile
  __shared__ std::uint32_t moved_by[digits];       // from a place in the tile to the place in the result
  __shared__ std::uint32_t own_tile;
  const int warp = threadIdx.x / warp_threads, lane = threadIdx.x % warp_threads;

  // Tiles are numbered in the order in which blocks start: those that a block will wait for are at work already.
  if (threadIdx.x == 0) own_tile = atomicAdd(pass.next_tile, 1u);
  for (int i = lane; i < digits; i += warp_threads)
    counts[warp][i] = 0;
  __syncthreads();
  const std::uint32_t tile = own_tile;
  const std::int64_t tile_begin = std::int64_t{tile} * tile_keys;
  const int valid = static_cast<int>(min(std::int64_t{tile_keys}, pass.count - tile_begin));

  // A warp has neighbouring keys, one row of 32 after the other: its order is that of the sequence. Places behind the
  // end hold the largest key, and stay behind all others.
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

  // Thread d has digit d: its counts become the places of each warp's first key, and the tile's count is published
  // before anything else is done, for the tiles that wait for it.
  const int digit = threadIdx.x;
  std::uint32_t own = 0;
  if (digit < digits) {
    for (int w = 0; w < warps; ++w) {
      const std::uint32_t of_warp = counts[w][digit];
      counts[w][digit] = own;
      own += of_warp;
    }
    pass.status[std::size_t{tile} * digits + digit] = (tile == 0 ? has_all_before : has_own) | own;
  }
  const std::uint32_t first = sum_before(own);
  if (digit < digits)
    for (int w = 0; w < warps; ++w)
      counts[w][digit] += first;
  __syncthreads();

  // A key's place in the tile: behind the keys of its digit in earlier rows, and in lower lanes of its own.
  std::uint32_t places[keys_per_thread];
#pragma unroll
  for (int i = 0; i < keys_per_thread; ++i) {
    const std::uint32_t of_key = digit_of(keys[i], pass.number);
    const unsigned same = lanes_with_same(of_key);
    const int leader = __ffs(static_cast<int>(same)) - 1;
    std::uint32_t next = 0;
    if (lane == leader) {
      next = counts[warp][of_key];
      counts[warp][of_key] = next + __popc(same);
    }
    places[i] = __shfl_sync(all_lanes, next, leader) + __popc(same & ((1u << lane) - 1));
    __syncwarp();  // another lane may lead the same digit in the next row
  }
#pragma unroll
  for (int i = 0; i < keys_per_thread; ++i)
    staged[places[i]] = keys[i];

  if (digit < digits) {
    const std::uint32_t before = look_back(pass.status, tile, digit);
    if (tile > 0) pass.status[std::size_t{tile} * digits + digit] = has_all_before | (before + own);
    moved_by[digit] = pass.first_places[digit] + before - first;
  }
  __syncthreads();

  // Keys of one digit are neighbours now, here and in the result: they leave in runs.
  std::uint32_t targets[WithValues ? keys_per_thread : 1];
#pragma unroll
  for (int i = 0; i < keys_per_thread; ++i) {
    const int at = i * threads + threadIdx.x;
    if (at >= valid) continue;
    const std::uint32_t key = staged[at], target = moved_by[digit_of(key, pass.number)] + at;
    pass.keys_out[target] = decode(key, pass.order_out);
    if constexpr (WithValues) targets[i] = target;
  }
  if constexpr (WithValues) {
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
      if (const int at = i * threads + threadIdx.x; at < valid) pass.values_out[targets[i]] = staged[at];
  }
}

}  // namespace

void sort_radix(const Sorting::Params& params, const DeviceRun& run) {
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
  constexpr std::int64_t most_blocks = 1024, keys_per_block = std::int64_t{histogram_threads} * keys_per_load;
  const auto blocks = static_cast<unsigned>(std::min(most_blocks, (count + keys_per_block - 1) / keys_per_block));
  count_digits<<<blocks, histogram_threads, 0, run.stream>>>(in, count, params.type, counters);
  TS_CUDA_LAUNCHED();
  place_digits<<<passes, digits, 0, run.stream>>>(counters);
  TS_CUDA_LAUNCHED();

  const auto tiles = static_cast<unsigned>(tiles_of(count));
  for (int number = 0; number < passes; ++number) {
    const bool last = number == passes - 1, to_out = number % 2 == 1;  // the last of four writes the result
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
                    .first_places = counters->histogram[number],
                    .next_tile = &counters->next_tile[number],
                    .status = status.data() + std::size_t{tiles} * digits * static_cast<std::size_t>(number)};
    if (params.pairs)
      sort_tile<true><<<tiles, threads, 0, run.stream>>>(pass);
    else
      sort_tile<false><<<tiles, threads, 0, run.stream>>>(pass);
    TS_CUDA_LAUNCHED();
  }
}

}  // namespace threadscape::sorting

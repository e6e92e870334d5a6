// The bitonic network on the GPU, with a thread per comparison or per key. Compare with run_network() in
// sorting_serial.cpp.
//
//   compare_global:    thread i    items[lower], items[upper] of comparison i in global memory; one stage per launch
//   compare_shared:    block       2048 items in shared memory, 1024 threads; all stages within the tile per launch
//   element_global:    thread i    item i and its partner in global memory, unless the partner comes first
//   elements_shared:   block       up to 512 items in shared memory, a thread for each; all stages in one launch

#include "compute/algorithms/sequences/sorting/cuda/sorting_cuda.h"
#include "compute/gpu/check.h"

namespace threadscape::sorting {

namespace {

constexpr int block_threads = 256, max_block_items = 512;
constexpr int tile_merges = 11, tile_items = 1 << tile_merges, tile_threads = tile_items / 2;

template <class Item>
__global__ void make_items(const std::uint32_t* bits, std::int64_t count, KeyOrder order, Item* items) {
  const std::int64_t i = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
  if (i < count) items[i] = make_item<Item>(bits[i], i, order);
}

template <class Item>
__global__ void write_items(const Item* items, std::int64_t count, KeyOrder order, std::uint32_t* out) {
  const std::int64_t i = std::int64_t{blockIdx.x} * block_threads + threadIdx.x;
  if (i >= count) return;
  const Item item = items[i];
  out[i] = decode(key_of(item), order);
  if constexpr (sizeof(Item) == sizeof(Pair)) out[count + i] = static_cast<std::uint32_t>(item);
}

/// Performs one stage for the whole sequence. Each of up to 465 stages reads and writes every item once.
template <class Item>
__global__ void compare_global(Item* items, std::int64_t count, Stage stage) {
  const Comparison at = stage.comparison(std::int64_t{blockIdx.x} * block_threads + threadIdx.x);
  if (at.upper < count) compare_exchange(items[at.lower], items[at.upper], at.descending);
}

/// Performs, for a tile in shared memory, the stages from (merge, distance) to the last one of last_merge. All of them
/// compare places within the tile.
template <class Item>
__global__ void __launch_bounds__(tile_threads)
    compare_shared(Item* items, std::int64_t count, Network network, int merge, int distance, int last_merge) {
  __shared__ Item tile[tile_items];
  const std::int64_t begin = std::int64_t{blockIdx.x} * tile_items;
  for (int i = threadIdx.x; i < tile_items; i += tile_threads)
    if (begin + i < count) tile[i] = items[begin + i];
  for (; merge <= last_merge; ++merge, distance = merge - 1)
    for (; distance >= 0; --distance) {
      __syncthreads();
      const Stage stage = stage_of(network, count, merge, distance);
      const Comparison at = stage.comparison(threadIdx.x);
      if (begin + at.upper < count) compare_exchange(tile[at.lower], tile[at.upper], stage.descends(begin + at.lower));
    }
  __syncthreads();
  for (int i = threadIdx.x; i < tile_items; i += tile_threads)
    if (begin + i < count) items[begin + i] = tile[i];
}

/// The comparison of a stage that the thread of `place` makes: none if its partner comes first, which makes it then.
template <class Item>
__device__ void compare_element(Item* items, std::int64_t count, const Stage& stage, std::int64_t place) {
  const std::int64_t partner = stage.partner(place);
  if (partner > place && partner < count) compare_exchange(items[place], items[partner], stage.descends(place));
}

/// Performs one stage for the whole sequence with a thread for each item.
template <class Item>
__global__ void element_global(Item* items, std::int64_t count, Stage stage) {
  compare_element(items, count, stage, std::int64_t{blockIdx.x} * block_threads + threadIdx.x);
}

/// Performs the first `stages` stages for a sequence of as many items as the block has threads.
template <class Item>
__global__ void __launch_bounds__(max_block_items) elements_shared(Item* items, Network network, int stages) {
  __shared__ Item tile[max_block_items];
  const int count = static_cast<int>(blockDim.x), place = static_cast<int>(threadIdx.x);
  tile[place] = items[place];
  int merge = 1, distance = 0;
  for (int number = 0; number < stages; ++number) {
    __syncthreads();
    compare_element(tile, count, stage_of(network, count, merge, distance), place);
    if (distance-- == 0) distance = merge++;
  }
  __syncthreads();
  items[place] = tile[place];
}

unsigned blocks_for(std::int64_t work, int per_block) {
  return static_cast<unsigned>((work + per_block - 1) / per_block);
}

template <class Item>
void run_global(Item* items, std::int64_t count, Network network, int stages, cudaStream_t stream) {
  for (int number = 0; number < stages; ++number) {
    compare_global<<<blocks_for(comparisons_for(count), block_threads), block_threads, 0, stream>>>(
        items, count, stage_at(network, count, number));
    TS_CUDA_LAUNCHED();
  }
}

/// A sequence that one block can hold is sorted in its shared memory, a longer one in global memory.
template <class Item>
void run_elements(Item* items, std::int64_t count, Network network, int stages, cudaStream_t stream) {
  if (count <= max_block_items) {
    elements_shared<<<1, static_cast<unsigned>(count), 0, stream>>>(items, network, stages);
    TS_CUDA_LAUNCHED();
    return;
  }
  for (int number = 0; number < stages; ++number) {
    element_global<<<blocks_for(count, block_threads), block_threads, 0, stream>>>(items, count,
                                                                                   stage_at(network, count, number));
    TS_CUDA_LAUNCHED();
  }
}

/// First every tile is sorted in shared memory. Every later merge makes its comparisons over long distances in global
/// memory and the others in tiles.
template <class Item>
void run_shared(Item* items, std::int64_t count, Network network, cudaStream_t stream) {
  const unsigned tiles = blocks_for(count, tile_items);
  const auto in_tiles = [&](int merge, int distance, int last_merge) {
    compare_shared<<<tiles, tile_threads, 0, stream>>>(items, count, network, merge, distance, last_merge);
    TS_CUDA_LAUNCHED();
  };
  in_tiles(1, 0, std::min(merges_for(count), tile_merges));
  for (int merge = tile_merges + 1; merge <= merges_for(count); ++merge) {
    for (int distance = merge - 1; distance >= tile_merges; --distance) {
      compare_global<<<blocks_for(comparisons_for(count), block_threads), block_threads, 0, stream>>>(
          items, count, stage_of(network, count, merge, distance));
      TS_CUDA_LAUNCHED();
    }
    in_tiles(merge, tile_merges - 1, merge);
  }
}

template <class Item>
void sort_items(const Sorting::Params& params, const DeviceRun& run, Item* items, int stages, Method method) {
  const std::int64_t count = run.in.shape.width;
  const auto* in = reinterpret_cast<const std::uint32_t*>(run.in.data);
  const unsigned blocks = blocks_for(count, block_threads);
  make_items<<<blocks, block_threads, 0, run.stream>>>(in, count, params.type, items);
  TS_CUDA_LAUNCHED();
  if (method == Method::bitonic_shared)
    run_shared(items, count, params.network, run.stream);
  else if (method == Method::bitonic_elements)
    run_elements(items, count, params.network, stages, run.stream);
  else
    run_global(items, count, params.network, stages, run.stream);
  auto* out = reinterpret_cast<std::uint32_t*>(run.out.linear.data);
  write_items<<<blocks, block_threads, 0, run.stream>>>(items, count, params.type, out);
  TS_CUDA_LAUNCHED();
}

}  // namespace

void sort_bitonic(const Sorting::Params& params, const DeviceRun& run, int stages, Method method) {
  if (params.pairs)
    sort_items(params, run, run.scratch->take<Pair>(static_cast<std::size_t>(run.in.shape.width)).data(), stages,
               method);
  else
    sort_items(params, run, reinterpret_cast<Key*>(run.out.linear.data), stages, method);
}

}  // namespace threadscape::sorting

// The bitonic network on the GPU, with a thread per comparison. Compare with run_network() in sorting_serial.cpp.
//
//   compare_global:   thread i    items[lower], items[upper] of comparison i in global memory; one stage per launch
//   compare_shared:   block       2048 items in shared memory, 1024 threads; all stages within the tile per launch

#include "compute/algorithms/sequences/sorting/cuda/sorting_cuda.h"
#include "compute/gpu/check.h"

namespace threadscape::sorting {

namespace {

constexpr int block_threads = 256;
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
  if (at.upper < count) compare_exchange(items[at.lower], items[at.upper]);
}

/// Performs, for a tile in shared memory, the stages from (merge, distance) to the last one of last_merge. All of them
/// compare places within the tile.
template <class Item>
__global__ void __launch_bounds__(tile_threads)
    compare_shared(Item* items, std::int64_t count, int merge, int distance, int last_merge) {
  __shared__ Item tile[tile_items];
  const std::int64_t begin = std::int64_t{blockIdx.x} * tile_items;
  for (int i = threadIdx.x; i < tile_items; i += tile_threads)
    tile[i] = begin + i < count ? items[begin + i] : static_cast<Item>(~Item{0});  // padding that never moves
  for (; merge <= last_merge; ++merge, distance = merge - 1)
    for (; distance >= 0; --distance) {
      __syncthreads();
      const Comparison at = Stage{merge, distance, distance == merge - 1}.comparison(threadIdx.x);
      compare_exchange(tile[at.lower], tile[at.upper]);
    }
  __syncthreads();
  for (int i = threadIdx.x; i < tile_items; i += tile_threads)
    if (begin + i < count) items[begin + i] = tile[i];
}

unsigned blocks_for(std::int64_t work, int per_block) {
  return static_cast<unsigned>((work + per_block - 1) / per_block);
}

template <class Item>
void run_global(Item* items, std::int64_t count, int stages, cudaStream_t stream) {
  for (int number = 0; number < stages; ++number) {
    compare_global<<<blocks_for(comparisons_for(count), block_threads), block_threads, 0, stream>>>(items, count,
                                                                                                    stage_at(number));
    TS_CUDA_LAUNCHED();
  }
}

/// First every tile is sorted in shared memory. Every later merge makes its comparisons over long distances in global
/// memory and the others in tiles.
template <class Item>
void run_shared(Item* items, std::int64_t count, cudaStream_t stream) {
  const unsigned tiles = blocks_for(count, tile_items);
  const auto in_tiles = [&](int merge, int distance, int last_merge) {
    compare_shared<<<tiles, tile_threads, 0, stream>>>(items, count, merge, distance, last_merge);
    TS_CUDA_LAUNCHED();
  };
  in_tiles(1, 0, std::min(merges_for(count), tile_merges));
  for (int merge = tile_merges + 1; merge <= merges_for(count); ++merge) {
    for (int distance = merge - 1; distance >= tile_merges; --distance) {
      const Stage stage{merge, distance, distance == merge - 1};
      compare_global<<<blocks_for(comparisons_for(count), block_threads), block_threads, 0, stream>>>(items, count,
                                                                                                      stage);
      TS_CUDA_LAUNCHED();
    }
    in_tiles(merge, tile_merges - 1, merge);
  }
}

template <class Item>
void sort_items(const Sorting::Params& params, const DeviceRun& run, Item* items, int stages, bool shared) {
  const std::int64_t count = run.in.shape.width;
  const auto* in = reinterpret_cast<const std::uint32_t*>(run.in.data);
  const unsigned blocks = blocks_for(count, block_threads);
  make_items<<<blocks, block_threads, 0, run.stream>>>(in, count, params.type, items);
  TS_CUDA_LAUNCHED();
  if (shared)
    run_shared(items, count, run.stream);
  else
    run_global(items, count, stages, run.stream);
  auto* out = reinterpret_cast<std::uint32_t*>(run.out.linear.data);
  write_items<<<blocks, block_threads, 0, run.stream>>>(items, count, params.type, out);
  TS_CUDA_LAUNCHED();
}

}  // namespace

void sort_bitonic(const Sorting::Params& params, const DeviceRun& run, int stages, bool shared) {
  if (params.pairs)
    sort_items(params, run, run.scratch->take<Pair>(static_cast<std::size_t>(run.in.shape.width)).data(), stages,
               shared);
  else
    sort_items(params, run, reinterpret_cast<Key*>(run.out.linear.data), stages, shared);
}

}  // namespace threadscape::sorting

// Reconstruction by dilation on the GPU in one launch. The picture is cut into tiles, which wait in a queue. A block
// takes a tile, grows it in shared memory until nothing changes in it, and enqueues those neighbouring tiles that its
// changed border pixels can reach. When no tile waits and no block works, the reconstruction is complete.
//
//  32 x 32 tile of 32 x 8 threads, with one pixel around it in shared memory (34 x 34):
//
//    . . . . . . .      thread (x, y) holds limit[r] and before[r] of the pixels (x, y + 8 r), r = 0..3
//    . o o o o o .      a changed pixel at the border sets a bit of `reached` for each tile it touches:
//    . o o o o o .          1  2  4
//    . o o o o o .          8  .  32
//    . . . . . . .         64 128 256
//
// No tile is grown by two blocks at once: a block that requests a tile that is being grown marks it, and its block
// enqueues it again when it is done. Blocks read a tile's state before its values and change it after writing them,
// with fences between, so a block that has read old values of a neighbour is requested to look again. Values only
// grow, and their limit is unique: the order of the blocks does not matter.

#include "compute/algorithms/morphology/morphology/cuda/morphology_cuda.h"
#include "compute/algorithms/morphology/morphology/cuda/morphology_words.h"
#include "compute/gpu/check.h"

namespace threadscape::morphology {
namespace {

constexpr int block_height = 8, rows_per_thread = reconstruction_tile / block_height;
constexpr int max_blocks = 1056;  // 8 per multiprocessor of a large GPU. Smaller GPUs run them one after another.
enum Counter { taken, added, pending };
enum State { idle, queued, growing, growing_and_requested };

template <class Word>
__global__ void prepare_reconstruction(WordPicture<Word> original, WordPicture<Word> marker,
                                       ReconstructionQueue queue) {
  const int x = blockIdx.x * reconstruction_tile + threadIdx.x, word = blockIdx.z;
  const int tile = (word * queue.down + blockIdx.y) * queue.across + blockIdx.x;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    queue.slots[tile] = tile + 1;
    queue.state[tile] = queued;
    if (tile == 0) {
      queue.counters[taken] = 0;
      queue.counters[added] = queue.counters[pending] = queue.tiles;
    }
  }
  const std::uint32_t flip = flip_mask<Word>(true);
  for (int r = 0; r < rows_per_thread; ++r) {
    const int y = blockIdx.y * reconstruction_tile + threadIdx.y + r * block_height;
    if (x >= marker.width || y >= marker.height) continue;
    const std::uint32_t limit = original.load(x, y, word), own = marker.load(x, y, word);
    marker.store(x, y, word, Word::max(limit ^ flip, own ^ flip) ^ flip);  // The minimum of both.
  }
}

/// Takes the next tile from the queue, -1 when all is done. One thread of a block calls this.
__device__ int dequeue_tile(const ReconstructionQueue& queue) {
  const int place = atomicAdd(&queue.counters[taken], 1) % queue.tiles;
  while (true) {
    if (const int tile = atomicExch(&queue.slots[place], 0); tile > 0) return tile - 1;
    if (atomicAdd(&queue.counters[pending], 0) == 0) return -1;
  }
}
__device__ void enqueue(const ReconstructionQueue& queue, int tile) {
  atomicAdd(&queue.counters[pending], 1);
  const int place = atomicAdd(&queue.counters[added], 1) % queue.tiles;
  // The slot may still hold a tile that another block is about to take.
  while (atomicCAS(&queue.slots[place], 0, tile + 1) != 0) {
  }
}
__device__ void request_tile(const ReconstructionQueue& queue, int tile) {
  int* state = &queue.state[tile];
  while (true) {
    const int before = atomicCAS(state, idle, queued);
    if (before == idle) return enqueue(queue, tile);
    if (before != growing) return;
    if (atomicCAS(state, growing, growing_and_requested) != idle) return;
  }
}
__device__ void finish_tile(const ReconstructionQueue& queue, int tile) {
  if (atomicCAS(&queue.state[tile], growing, idle) != growing) {
    atomicExch(&queue.state[tile], queued);
    enqueue(queue, tile);
  }
  atomicSub(&queue.counters[pending], 1);
}

/// Reads past the first-level cache: other blocks write these values while this kernel runs.
template <class Word>
__device__ std::uint32_t load_fresh(const WordPicture<Word>& picture, int x, int y, int word) {
  const volatile typename Word::Stored* at = picture.data + y * picture.pitch + x * picture.words + word;
  return Word::load(*at);
}

constexpr int padded_side = reconstruction_tile + 2;  ///< Side of a tile with the pixel around it.

using TileValues = std::uint32_t[padded_side][padded_side];  ///< In shared memory, with the pixels around the tile.
using ThreadValues = std::uint32_t[rows_per_thread];         ///< In registers: those of a thread's pixels.

/// The value of this thread's pixel number r.
__device__ __forceinline__ std::uint32_t& own_value(TileValues& value, int r) {
  return value[threadIdx.y + r * block_height + 1][threadIdx.x + 1];
}

/// Loads a tile with the pixels around it. All threads of the block call this.
template <class Word>
__device__ __forceinline__ void load_tile(TileValues& value, ThreadValues& limit, ThreadValues& before, int left,
                                          int top, int word, const WordPicture<Word>& original,
                                          const WordPicture<Word>& marker) {
  const int first = threadIdx.y * reconstruction_tile + threadIdx.x;
  for (int i = first; i < padded_side * padded_side; i += reconstruction_tile * block_height) {
    const int x = left + i % padded_side - 1, y = top + i / padded_side - 1;
    const bool inside = x >= 0 && y >= 0 && x < marker.width && y < marker.height;
    value[i / padded_side][i % padded_side] = inside ? load_fresh(marker, x, y, word) : Word::lowest;
  }
  __syncthreads();
  TS_UNROLL
  for (int r = 0; r < rows_per_thread; ++r) {
    const int x = left + threadIdx.x, y = top + threadIdx.y + r * block_height;
    const bool inside = x < marker.width && y < marker.height;
    limit[r] = inside ? original.load(x, y, word) : Word::lowest;
    before[r] = own_value(value, r);
  }
}

/// Lets the values of a tile grow until a round changes nothing. All threads of the block call this.
template <class Word>
__device__ __forceinline__ void grow_tile(TileValues& value, const ThreadValues& limit) {
  const std::uint32_t flip = flip_mask<Word>(true);
  for (bool changed = true; __syncthreads_or(changed);) {
    changed = false;
    std::uint32_t grown[rows_per_thread];
    TS_UNROLL
    for (int r = 0; r < rows_per_thread; ++r) {
      const std::uint32_t* own = &own_value(value, r);
      std::uint32_t largest = *own;
      TS_UNROLL
      for (int i = 0; i < 9; ++i)
        if (i != 4) largest = Word::max(largest, *(own + (i / 3 - 1) * padded_side + i % 3 - 1));
      grown[r] = Word::max(largest ^ flip, limit[r] ^ flip) ^ flip;
    }
    __syncthreads();
    TS_UNROLL
    for (int r = 0; r < rows_per_thread; ++r) {
      std::uint32_t& own = own_value(value, r);
      if (grown[r] == own) continue;
      own = grown[r];
      changed = true;
    }
  }
}

/// Writes this thread's changed values, and sets a bit in `reached`, in shared memory, for each of the 3 x 3 tiles that
/// these changes can reach; bit 4 is the tile itself.
template <class Word>
__device__ __forceinline__ void store_tile(TileValues& value, const ThreadValues& before, int left, int top, int word,
                                           const WordPicture<Word>& marker, int& reached) {
  TS_UNROLL
  for (int r = 0; r < rows_per_thread; ++r) {
    const int row = threadIdx.y + r * block_height, column = threadIdx.x;
    const std::uint32_t now = value[row + 1][column + 1];
    if (now == before[r]) continue;
    marker.store(left + column, top + row, word, now);
    const int up = row == 0, down = row == reconstruction_tile - 1;
    const int west = column == 0, east = column == reconstruction_tile - 1;
    int bits = 0;
    for (int dy = -up; dy <= down; ++dy)
      for (int dx = -west; dx <= east; ++dx)
        bits |= 1 << (3 * (dy + 1) + dx + 1);
    if (bits & ~(1 << 4)) atomicOr(&reached, bits);
  }
}

template <class Word>
__global__ void __launch_bounds__(reconstruction_tile* block_height)
    reconstruct_tiles(WordPicture<Word> original, WordPicture<Word> marker, ReconstructionQueue queue) {
  __shared__ TileValues value;
  __shared__ int shared_tile, shared_reached;
  const bool is_first_thread = threadIdx.x == 0 && threadIdx.y == 0;

  while (true) {
    __syncthreads();
    if (is_first_thread) {
      shared_tile = dequeue_tile(queue);
      shared_reached = 0;
      if (shared_tile >= 0) atomicExch(&queue.state[shared_tile], growing);
      __threadfence();
    }
    __syncthreads();
    const int index = shared_tile;
    if (index < 0) return;
    const int word = index / (queue.across * queue.down), place = index % (queue.across * queue.down);
    const int left = place % queue.across * reconstruction_tile, top = place / queue.across * reconstruction_tile;
    ThreadValues limit, before;
    load_tile(value, limit, before, left, top, word, original, marker);
    grow_tile<Word>(value, limit);
    store_tile(value, before, left, top, word, marker, shared_reached);
    __threadfence();
    __syncthreads();
    if (is_first_thread) {
      const int row = place / queue.across, column = place % queue.across;
      for (int i = 0; i < 9; ++i) {
        const int y = row + i / 3 - 1, x = column + i % 3 - 1;
        if (i == 4 || !(shared_reached >> i & 1) || x < 0 || y < 0 || x >= queue.across || y >= queue.down) continue;
        request_tile(queue, (word * queue.down + y) * queue.across + x);
      }
      finish_tile(queue, index);
    }
  }
}

}  // namespace

void launch_reconstruction(const DeviceRun& run, DevicePicture marker_picture, std::byte* memory) {
  const Shape& shape = run.in.shape;
  ReconstructionQueue queue;
  queue.tiles = reconstruction_tiles(shape);
  queue.counters = reinterpret_cast<int*>(memory);
  queue.slots = queue.counters + 3;
  queue.state = queue.slots + queue.tiles;
  queue.across = static_cast<int>((shape.width + reconstruction_tile - 1) / reconstruction_tile);
  queue.down = static_cast<int>((shape.height + reconstruction_tile - 1) / reconstruction_tile);
  with_words(shape, [&](auto words) {
    using Word = decltype(words);
    const auto original = words_of<Word>(run.in.data, run.in.pitch, shape);
    const auto marker = words_of<Word>(marker_picture.data, marker_picture.pitch, shape);
    const dim3 block(reconstruction_tile, block_height);
    prepare_reconstruction<Word>
        <<<dim3(queue.across, queue.down, marker.words), block, 0, run.stream>>>(original, marker, queue);
    TS_CUDA_LAUNCHED();
    const int blocks = queue.tiles < max_blocks ? queue.tiles : max_blocks;
    reconstruct_tiles<Word><<<blocks, block, 0, run.stream>>>(original, marker, queue);
    TS_CUDA_LAUNCHED();
  });
}

}  // namespace threadscape::morphology

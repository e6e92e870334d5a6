// Reconstruction by dilation on the GPU, in one launch. The picture is cut into squares, which wait in a queue. A block
// takes one, grows it in shared memory until nothing changes there, and puts those neighbours into the queue that its
// changed border can reach. When nothing waits and nobody works, all is done.
//
// No square is grown by two blocks at once: who wants to add one that is being grown leaves a note, and it is put back
// into the queue at the end. Blocks read a square's state before its values and change it after writing, with fences
// between, so a block that has read a neighbour's old values is told to look again. Values only grow, and where they
// end is unique: the order of blocks does not matter.

#include "compute/algorithms/morphology/morphology/cuda/morphology_cuda.h"
#include "compute/algorithms/morphology/morphology/cuda/morphology_words.h"
#include "compute/cuda/check.h"

namespace threadscape::morphology {
namespace {

constexpr int block_height = 8, rows_per_thread = grow_tile / block_height;
constexpr int most_blocks = 1056;  // 8 on each of the processors of a large GPU; fewer are no mistake
enum Counter { taken, added, pending };
enum State { idle, queued, growing, growing_and_called };

template <class Word>
__global__ void prepare_growth(WordPicture<Word> original, WordPicture<Word> marker, GrowQueue queue) {
  const int x = blockIdx.x * grow_tile + threadIdx.x, word = blockIdx.z;
  const int square = (word * queue.down + blockIdx.y) * queue.across + blockIdx.x;
  if (threadIdx.x == 0 && threadIdx.y == 0) {
    queue.slots[square] = square + 1;
    queue.state[square] = queued;
    if (square == 0) {
      queue.counters[taken] = 0;
      queue.counters[added] = queue.counters[pending] = queue.squares;
    }
  }
  const std::uint32_t flip = flip_mask<Word>(true);
  for (int r = 0; r < rows_per_thread; ++r) {
    const int y = blockIdx.y * grow_tile + threadIdx.y + r * block_height;
    if (x >= marker.width || y >= marker.height) continue;
    const std::uint32_t limit = original.load(x, y, word), own = marker.load(x, y, word);
    marker.store(x, y, word, Word::max(limit ^ flip, own ^ flip) ^ flip);  // the minimum
  }
}

/// The next square, or -1 when all is done. One thread of the block.
__device__ int take_square(const GrowQueue& queue) {
  const int place = atomicAdd(&queue.counters[taken], 1) % queue.squares;
  while (true) {
    if (const int square = atomicExch(&queue.slots[place], 0); square > 0) return square - 1;
    if (atomicAdd(&queue.counters[pending], 0) == 0) return -1;
  }
}
__device__ void enqueue(const GrowQueue& queue, int square) {
  atomicAdd(&queue.counters[pending], 1);
  const int place = atomicAdd(&queue.counters[added], 1) % queue.squares;
  // The slot may still hold what another block is about to take.
  while (atomicCAS(&queue.slots[place], 0, square + 1) != 0) {
  }
}
__device__ void call_square(const GrowQueue& queue, int square) {
  int* state = &queue.state[square];
  while (true) {
    const int before = atomicCAS(state, idle, queued);
    if (before == idle) return enqueue(queue, square);
    if (before != growing) return;
    if (atomicCAS(state, growing, growing_and_called) != idle) return;
  }
}
__device__ void leave_square(const GrowQueue& queue, int square) {
  if (atomicCAS(&queue.state[square], growing, idle) != growing) {
    atomicExch(&queue.state[square], queued);
    enqueue(queue, square);
  }
  atomicSub(&queue.counters[pending], 1);
}

/// Read past the first-level cache: other blocks write these values while this kernel runs.
template <class Word>
__device__ std::uint32_t load_fresh(const WordPicture<Word>& picture, int x, int y, int word) {
  const volatile typename Word::Stored* at = picture.data + y * picture.pitch + x * picture.words + word;
  return Word::load(*at);
}

template <class Word>
__global__ void __launch_bounds__(grow_tile* block_height)
    grow(WordPicture<Word> original, WordPicture<Word> marker, GrowQueue queue) {
  __shared__ std::uint32_t value[grow_tile + 2][grow_tile + 2];
  __shared__ int shared_square, reached;  // `reached`: a bit for each of the 3 x 3 squares around
  const std::uint32_t flip = flip_mask<Word>(true);
  const int first = threadIdx.y * grow_tile + threadIdx.x;

  while (true) {
    __syncthreads();
    if (first == 0) {
      shared_square = take_square(queue);
      reached = 0;
      if (shared_square >= 0) atomicExch(&queue.state[shared_square], growing);
      __threadfence();
    }
    __syncthreads();
    const int square = shared_square;
    if (square < 0) return;
    const int word = square / (queue.across * queue.down), place = square % (queue.across * queue.down);
    const int left = place % queue.across * grow_tile, top = place / queue.across * grow_tile;

    constexpr int side = grow_tile + 2;
    for (int i = first; i < side * side; i += grow_tile * block_height) {
      const int x = left + i % side - 1, y = top + i / side - 1;
      const bool inside = x >= 0 && y >= 0 && x < marker.width && y < marker.height;
      value[i / side][i % side] = inside ? load_fresh(marker, x, y, word) : Word::lowest;
    }
    std::uint32_t limit[rows_per_thread], before[rows_per_thread];
    __syncthreads();
    TS_UNROLL
    for (int r = 0; r < rows_per_thread; ++r) {
      const int x = left + threadIdx.x, y = top + threadIdx.y + r * block_height;
      const bool inside = x < marker.width && y < marker.height;
      limit[r] = inside ? original.load(x, y, word) : Word::lowest;
      before[r] = value[threadIdx.y + r * block_height + 1][threadIdx.x + 1];
    }

    // Rounds go on until one of them changes nothing.
    for (bool changed = true; __syncthreads_or(changed);) {
      changed = false;
      std::uint32_t grown[rows_per_thread];
      TS_UNROLL
      for (int r = 0; r < rows_per_thread; ++r) {
        const std::uint32_t* own = &value[threadIdx.y + r * block_height + 1][threadIdx.x + 1];
        std::uint32_t largest = *own;
        TS_UNROLL
        for (int i = 0; i < 9; ++i)
          if (i != 4) largest = Word::max(largest, *(own + (i / 3 - 1) * side + i % 3 - 1));
        grown[r] = Word::max(largest ^ flip, limit[r] ^ flip) ^ flip;
      }
      __syncthreads();
      TS_UNROLL
      for (int r = 0; r < rows_per_thread; ++r) {
        std::uint32_t& own = value[threadIdx.y + r * block_height + 1][threadIdx.x + 1];
        if (grown[r] == own) continue;
        own = grown[r];
        changed = true;
      }
    }

    TS_UNROLL
    for (int r = 0; r < rows_per_thread; ++r) {
      const int row = threadIdx.y + r * block_height, column = threadIdx.x;
      const std::uint32_t now = value[row + 1][column + 1];
      if (now == before[r]) continue;
      marker.store(left + column, top + row, word, now);
      const int up = row == 0, down = row == grow_tile - 1, west = column == 0, east = column == grow_tile - 1;
      int bits = 0;
      for (int dy = -up; dy <= down; ++dy)
        for (int dx = -west; dx <= east; ++dx)
          bits |= 1 << (3 * (dy + 1) + dx + 1);
      if (bits & ~(1 << 4)) atomicOr(&reached, bits);
    }
    __threadfence();
    __syncthreads();
    if (first == 0) {
      const int row = place / queue.across, column = place % queue.across;
      for (int i = 0; i < 9; ++i) {
        const int y = row + i / 3 - 1, x = column + i % 3 - 1;
        if (i == 4 || !(reached >> i & 1) || x < 0 || y < 0 || x >= queue.across || y >= queue.down) continue;
        call_square(queue, (word * queue.down + y) * queue.across + x);
      }
      leave_square(queue, square);
    }
  }
}

}  // namespace

void launch_grow(const DeviceRun& run, DevicePicture marker_picture, std::byte* memory) {
  const Shape& shape = run.in.shape;
  GrowQueue queue;
  queue.squares = grow_squares(shape);
  queue.counters = reinterpret_cast<int*>(memory);
  queue.slots = queue.counters + 3;
  queue.state = queue.slots + queue.squares;
  queue.across = static_cast<int>((shape.width + grow_tile - 1) / grow_tile);
  queue.down = static_cast<int>((shape.height + grow_tile - 1) / grow_tile);
  with_words(shape, [&](auto words) {
    using Word = decltype(words);
    const auto original = words_of<Word>(run.in.data, run.in.pitch, shape);
    const auto marker = words_of<Word>(marker_picture.data, marker_picture.pitch, shape);
    const dim3 block(grow_tile, block_height);
    prepare_growth<Word>
        <<<dim3(queue.across, queue.down, marker.words), block, 0, run.stream>>>(original, marker, queue);
    TS_CUDA_LAUNCHED();
    const int blocks = queue.squares < most_blocks ? queue.squares : most_blocks;
    grow<Word><<<blocks, block, 0, run.stream>>>(original, marker, queue);
    TS_CUDA_LAUNCHED();
  });
}

}  // namespace threadscape::morphology

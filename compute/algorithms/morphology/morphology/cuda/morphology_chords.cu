// Flat elements of any form on the GPU (Urbach and Wilkinson). A tile of the picture in shared memory becomes, level by
// level, a table of maxima over 1, 2, 4, ... pixels of a row. At each level two entries of the table make any chord of
// that length up to twice it:
//
//  pixels of a row       a b c d e f g h        a chord of 5 pixels from b on:
//  level 0 (1 pixel)     a b c d e f g h
//  level 1 (2 pixels)    ab bc cd de ef ...
//  level 2 (4 pixels)    abcd bcde cdef ...     max(level2[b], level2[c]) = max(b..e, c..f)
//
// A block of 64 x 8 threads makes a tile of 64 x 64 results; a thread holds eight results of one column, one below the
// other. Where neighbouring rows of the element have the same chord (a ChordRun), the thread reads each entry once for
// all results that need it. The tile of a tall element does not fit into shared memory: it is loaded for some rows of
// the element at a time (an ElementSlice).

#include <cstring>

#include "compute/algorithms/morphology/morphology/cuda/morphology_lines.cuh"

namespace threadscape::morphology {
namespace {

constexpr int tile_width = chord_tile_width, tile_height = chord_tile_height;
constexpr int block_width = 64, block_height = 8, rows_per_thread = tile_height / block_height;

/// Converts 32 bits to a word as it is stored; smaller words are the low bits.
template <class Stored>
__device__ Stored bit_cast_word(std::uint32_t word) {
  if constexpr (sizeof(Stored) == 4)
    return __builtin_bit_cast(Stored, word);
  else
    return static_cast<Stored>(word);
}

/// Loads `rows` rows of a tile with all threads of a block. The first word is (left, top); `left` and `width` are
/// multiples of four.
template <class Word>
__device__ void load_tile(const WordPicture<Word>& from, int left, int top, int word, int width, int rows,
                          Border border, std::uint32_t flip, int me, int threads, std::uint32_t* tile) {
  const bool inside = left >= 0 && left + width <= from.width && top >= 0 && top + rows <= from.height;
  const bool in_fours = sizeof(typename Word::Stored) == 4 && from.words == 1 && from.pitch % 4 == 0 &&
                        reinterpret_cast<std::uintptr_t>(from.data) % 16 == 0;
  // Four words at a time. The threads advance from row to row without a division.
  const int fours = width / 4, further_rows = threads / fours, further_fours = threads % fours;
  int row = me / fours, four = me % fours;
  while (row < rows) {
    const int x = left + 4 * four, y = top + row;
    WordGroup<4> words;
    if (inside && in_fours) {
      words = load_words<4>(from.data + y * from.pitch + x);
      TS_UNROLL
      for (int j = 0; j < 4; ++j)
        words.word[j] = Word::load(bit_cast_word<typename Word::Stored>(words.word[j])) ^ flip;
    } else {
      TS_UNROLL
      for (int j = 0; j < 4; ++j)
        words.word[j] = inside ? from.load(x + j, y, word) ^ flip : from.load_any(x + j, y, word, border, flip);
    }
    *reinterpret_cast<WordGroup<4>*>(tile + row * width + 4 * four) = words;
    row += further_rows;
    four += further_fours;
    if (four >= fours) {
      four -= fours;
      ++row;
    }
  }
}

__device__ inline WordGroup<4> read_four(const std::uint32_t* from) {
  return *reinterpret_cast<const WordGroup<4>*>(from);
}

/// Makes the next level of the table: maxima over `span` pixels become maxima over twice as many. The ends of rows,
/// which lack a neighbour at that distance, are in no chord of that level.
template <class Word>
__device__ void double_span(const std::uint32_t* level, std::uint32_t* next, int count, int span, int me, int threads) {
  for (int i = 4 * me; i < count; i += 4 * threads) {
    const WordGroup<4> here = read_four(level + i);
    WordGroup<4> there = read_four(level + i + (span < 4 ? 4 : span));
    if (span == 1)
      there = {here.word[1], here.word[2], here.word[3], there.word[0]};
    else if (span == 2)
      there = {here.word[2], here.word[3], there.word[0], there.word[1]};
    WordGroup<4> max_key;
    TS_UNROLL
    for (int j = 0; j < 4; ++j)
      max_key.word[j] = Word::max(here.word[j], there.word[j]);
    *reinterpret_cast<WordGroup<4>*>(next + i) = max_key;
  }
}

/// Adds a run of `rows` equal chords to the eight results. `at` is the place of the thread's first result in the first
/// row of the run.
template <class Word, int rows>
__device__ void add_run(typename Word::Key (&result)[rows_per_thread], const std::uint32_t* at, const ChordRun& run,
                        int width) {
  constexpr int count = rows_per_thread + rows - 1;
  typename Word::Key chord[count];
  TS_UNROLL
  for (int i = 0; i < count; ++i)
    chord[i] = Word::unpack(at[i * width + run.first]);
  if (run.second != run.first) {
    TS_UNROLL
    for (int i = 0; i < count; ++i)
      chord[i] = Word::max_key(chord[i], Word::unpack(at[i * width + run.second]));
  }
  if constexpr (rows > 2) {
    TS_UNROLL
    for (int i = 0; i + 1 < count; ++i)
      chord[i] = Word::max_key(chord[i], chord[i + 1]);
  }
  TS_UNROLL
  for (int r = 0; r < rows_per_thread; ++r) {
    if constexpr (rows == 1)
      result[r] = Word::max_key(result[r], chord[r]);
    else
      result[r] = Word::max_key(result[r], chord[r], chord[r + (rows > 2 ? rows - 2 : 1)]);
  }
}

template <class Word, class Store>
__global__ void __launch_bounds__(block_width* block_height, 2)
    maxima_of_chords(WordPicture<Word> from, Store store, WordPicture<Word> original, const ElementSlice* slices,
                     int slice_count, const ChordRun* runs, int width, int level_words, int left, bool erode,
                     Border border) {
  extern __shared__ uint4 shared_memory[];
  std::uint32_t* const tile = reinterpret_cast<std::uint32_t*>(shared_memory);
  const int me = threadIdx.y * block_width + threadIdx.x, word = blockIdx.z;
  const int x0 = blockIdx.x * tile_width, y0 = blockIdx.y * tile_height;
  const int first_row = threadIdx.y * rows_per_thread;
  const std::uint32_t flip = flip_mask<Word>(erode);

  typename Word::Key result[rows_per_thread];
  TS_UNROLL
  for (int r = 0; r < rows_per_thread; ++r)
    result[r] = Word::unpack(Word::lowest);

  for (int s = 0; s < slice_count; ++s) {
    const ElementSlice slice = slices[s];
    const int rows = tile_height + slice.rows - 1;
    std::uint32_t *level = tile, *next = tile + level_words;
    __syncthreads();
    load_tile<Word>(from, x0 + left, y0 + slice.top, word, width, rows, border, flip, me, block_width * block_height,
                    level);
    __syncthreads();

    for (int l = 0; l < table_levels; ++l) {
      for (int i = slice.begin[l]; i < slice.begin[l + 1]; ++i) {
        const ChordRun run = runs[i];
        const std::uint32_t* at = level + (first_row + run.row) * width + threadIdx.x;
        switch (run.rows) {
          case 1:
            add_run<Word, 1>(result, at, run, width);
            break;
          case 2:
            add_run<Word, 2>(result, at, run, width);
            break;
          case 3:
            add_run<Word, 3>(result, at, run, width);
            break;
          default:
            add_run<Word, max_run_rows>(result, at, run, width);
        }
      }
      if (slice.begin[l + 1] == slice.begin[table_levels]) break;
      double_span<Word>(level, next, rows * width, 1 << l, me, block_width * block_height);
      __syncthreads();
      std::uint32_t* last = level;
      level = next;
      next = last;
    }
  }
  const int x = x0 + threadIdx.x;
  if (x < from.width)
    store_column<Word, rows_per_thread, rows_per_thread>(
        store, x, y0 + first_row, from.height, word, result, flip,
        OriginalAlpha<Word, Store>{original.column(x, y0 + first_row, word)});
}

}  // namespace

void launch_chords(const DevicePass& pass, std::byte* memory, const DeviceRun* result) {
  const ChordTable table = chord_table(*pass.step.window);
  std::vector<std::byte> packed(table.bytes());
  std::memcpy(packed.data(), table.slices.data(), table.slice_bytes());
  std::memcpy(packed.data() + table.slice_bytes(), table.runs.data(), packed.size() - table.slice_bytes());
  // From pageable memory, which CUDA has copied when the call returns.
  TS_CUDA_CHECK(cudaMemcpyAsync(memory, packed.data(), packed.size(), cudaMemcpyHostToDevice, pass.stream));
  const auto* slices = reinterpret_cast<const ElementSlice*>(memory);
  const auto* runs = reinterpret_cast<const ChordRun*>(memory + table.slice_bytes());
  const std::size_t bytes = table.shared_bytes();
  with_words(pass.shape, [&](auto words) {
    using Word = decltype(words);
    const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
    const dim3 grid((from.width + tile_width - 1) / tile_width, (from.height + tile_height - 1) / tile_height,
                    from.words);
    const auto original = result ? words_of<Word>(result->in.data, result->in.pitch, pass.shape) : from;
    with_store<Word>(pass, result, [&](const auto& store) {
      using Store = std::remove_cvref_t<decltype(store)>;
      allow_shared<maxima_of_chords<Word, Store>>(*pass.stream.device, bytes);
      maxima_of_chords<Word><<<grid, dim3(block_width, block_height), bytes, pass.stream>>>(
          from, store, original, slices, static_cast<int>(table.slices.size()), runs, table.width, table.level_words(),
          table.left, pass.step.erode, pass.border);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::morphology

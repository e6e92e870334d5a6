// Flat elements of any form on the GPU: a tile of the picture in shared memory becomes, level by level, a table of
// maxima over 1, 2, 4, ... pixels; at each level two entries make every chord of that length or up to twice it (Urbach
// and Wilkinson). The tile of a tall element does not fit: it is taken some rows of the element at a time.

#include "compute/morphology/morphology_cuda.h"
#include "compute/morphology/morphology_launch.cuh"
#include "compute/morphology/morphology_words.h"

namespace threadscape::morphology {
namespace {

constexpr int tile_width = chord_tile_width, tile_height = chord_tile_height;
constexpr int block_width = 64, block_height = 4, rows_per_thread = tile_height / block_height;

template <class Word>
__global__ void __launch_bounds__(block_width* block_height)
    maxima_of_chords(WordPicture<Word> from, WordPicture<Word> to, const Slice* slices, int slice_count,
                     const Entries* entries, int width, int left, bool erode, Border border) {
  extern __shared__ std::uint32_t tile[];
  const int me = threadIdx.y * block_width + threadIdx.x, word = blockIdx.z;
  const int x0 = blockIdx.x * tile_width, y0 = blockIdx.y * tile_height;
  const std::uint32_t flip = flip_mask<Word>(erode);

  typename Word::Key result[rows_per_thread];
  TS_UNROLL
  for (int r = 0; r < rows_per_thread; ++r)
    result[r] = Word::spread(Word::lowest);

  for (int s = 0; s < slice_count; ++s) {
    const Slice slice = slices[s];
    const int rows = tile_height + slice.rows - 1, count = rows * width;
    std::uint32_t *level = tile, *next = tile + count;
    __syncthreads();
    for (int row = threadIdx.y; row < rows; row += block_height)
      for (int column = threadIdx.x; column < width; column += block_width)
        level[row * width + column] = from.load_any(x0 + left + column, y0 + slice.top + row, word, border, flip);
    __syncthreads();

    for (int l = 0; l < table_levels; ++l) {
      for (int i = slice.begin[l]; i < slice.begin[l + 1]; ++i) {
        const Entries chord = entries[i];
        const std::uint32_t* at = level + (threadIdx.y + chord.row) * width + threadIdx.x;
        TS_UNROLL
        for (int r = 0; r < rows_per_thread; ++r) {
          const std::uint32_t* row = at + r * block_height * width;
          result[r] = Word::larger(result[r], Word::spread(row[chord.first]), Word::spread(row[chord.second]));
        }
      }
      if (slice.begin[l + 1] == slice.begin[table_levels]) break;
      // The ends of rows, which have no neighbour that far, are in no chord of the next level.
      const int reach = 1 << l;
      for (int i = me; i < count; i += block_width * block_height)
        next[i] = Word::max(level[i], level[i + reach < count ? i + reach : i]);
      __syncthreads();
      std::uint32_t* last = level;
      level = next;
      next = last;
    }
  }
  const int x = x0 + threadIdx.x;
  TS_UNROLL
  for (int r = 0; r < rows_per_thread; ++r) {
    const int y = y0 + threadIdx.y + r * block_height;
    if (x < from.width && y < from.height) to.store(x, y, word, Word::pack(result[r]) ^ flip);
  }
}

}  // namespace

void launch_chords(const DevicePass& pass, std::byte* memory) {
  const ChordTable table = chord_table(*pass.step.window);
  const std::size_t slice_bytes = table.slices.size() * sizeof(Slice);
  auto* slices = reinterpret_cast<Slice*>(memory);
  auto* entries = reinterpret_cast<Entries*>(memory + DeviceScratch::padded(slice_bytes));
  TS_CUDA_CHECK(cudaMemcpyAsync(slices, table.slices.data(), slice_bytes, cudaMemcpyHostToDevice, pass.stream));
  TS_CUDA_CHECK(cudaMemcpyAsync(entries, table.entries.data(), table.entries.size() * sizeof(Entries),
                                cudaMemcpyHostToDevice, pass.stream));
  const std::size_t bytes = table.shared_bytes();
  with_words(pass.shape, [&](auto words) {
    using Word = decltype(words);
    const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
    const auto to = words_of<Word>(pass.to.data, pass.to.pitch, pass.shape);
    const dim3 grid((from.width + tile_width - 1) / tile_width, (from.height + tile_height - 1) / tile_height,
                    from.words);
    allow_shared(maxima_of_chords<Word>, bytes);
    maxima_of_chords<Word><<<grid, dim3(block_width, block_height), bytes, pass.stream>>>(
        from, to, slices, static_cast<int>(table.slices.size()), entries, table.width, pass.step.window->left,
        pass.step.erode, pass.border);
    TS_CUDA_LAUNCHED();
  });
}

}  // namespace threadscape::morphology

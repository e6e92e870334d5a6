// Rectangles of 3, 5, 7, 9 and 11 pixels on the GPU. Every thread reads all that its windows reach, mostly from the
// cache, so there is neither shared memory nor a barrier. Compare with morphology_lines.cu.
//
// Registers of a thread, for windows of 5 pixels:
//
//  along columns   value[0 .. 19]: 16 rows and the 4 rows that their windows reach beyond them, results in 0 .. 15
//  along rows      words read   |. . h h h h x ... x h h h h . .|     whole groups of four words
//                  value            |h h h h x ... x h h h h|         8 pixels and the halo of both windows
//                  first window         |h h x ... x h h|             maxima for the second window
//                  results                  |x ... x|                 8 pixels

#include "compute/algorithms/morphology/morphology/cuda/morphology_lines.cuh"

namespace threadscape::morphology {
namespace {

template <int size>
using Length = std::integral_constant<int, size>;

// ---- Along columns

constexpr int column_threads = 64, column_rows = 16;

template <class Word, int size, class Store>
__global__ void __launch_bounds__(column_threads)
    maxima_of_short_columns(WordPicture<Word> from, LineLaunch lines, Store store) {
  cuda::begin();
  const int x = blockIdx.x * column_threads + threadIdx.x, word = blockIdx.z;
  const int first = lines.place(blockIdx.y, gridDim.y) * column_rows;
  if (x >= from.width) return;
  const LineWindow line = lines.line[0];
  const std::uint32_t flip = flip_mask<Word>(line.erode);
  const int top = first + line.left;
  typename Word::Key value[column_rows + size - 1];
  if (top >= 0 && top + column_rows + size - 1 <= from.height) {
    const auto rows = from.column(x, top, word);
    TS_UNROLL
    for (int j = 0; j < column_rows + size - 1; ++j)
      value[j] = Word::unpack(Word::load(rows[j]) ^ flip);
  } else {
    TS_UNROLL
    for (int j = 0; j < column_rows + size - 1; ++j)
      value[j] = Word::unpack(from.load_any(x, top + j, word, lines.border, flip));
  }
  Alpha<Word, column_rows> alpha;
  alpha.take(flip, [&](int j) { return Word::top_byte(value[j + size / 2]); });
  short_windows<Word, size>(value);
  store_column<Word, column_rows + size - 1, column_rows>(store, x, first, from.height, word, value, flip, alpha);
}

// ---- Along rows: the windows of an opening or closing, one after the other

constexpr int row_threads = 128, row_results = 8;

/// Centred windows of one size, for pixels of one 32-bit word. A thread's first result and the first word that it reads
/// are at multiples of four words.
template <class Word, int size>
__global__ void __launch_bounds__(row_threads)
    maxima_of_short_rows(WordPicture<Word> from, LineLaunch lines, WordPicture<Word> to) {
  using Stored = typename Word::Stored;
  constexpr int reach = size - 1;  // The halo on either side, of both windows together.
  constexpr int before = (reach + 3) / 4 * 4, skipped = before - reach;
  constexpr int read = (before + row_results + reach + 3) / 4 * 4, count = row_results + 2 * reach;
  cuda::begin();
  const int place = lines.place(blockIdx.x, gridDim.x), y = lines.row(place), block = place - y * lines.blocks;
  const int x = (block * row_threads + static_cast<int>(threadIdx.x)) * row_results;
  if (x >= from.width) return;
  const std::uint32_t flip = flip_mask<Word>(lines.line[0].erode), flip_change = flip_mask<Word>(true);
  const bool inside = x >= before && x - before + read <= from.width;

  typename Word::Key value[count];
  const Stored* row = from.data + y * from.pitch + (x - before);
  if (inside) {
    std::uint32_t words[read];
    TS_UNROLL
    for (int j = 0; j < read; j += 4) {
      const WordGroup<4> four = load_words<4>(row + j);
      TS_UNROLL
      for (int k = 0; k < 4; ++k)
        words[j + k] = four.word[k];
    }
    TS_UNROLL
    for (int j = 0; j < count; ++j)
      value[j] = Word::unpack(Word::load(__builtin_bit_cast(Stored, words[skipped + j])) ^ flip);
  } else {
    TS_UNROLL
    for (int j = 0; j < count; ++j)
      value[j] = Word::unpack(from.load_any(x - reach + j, y, 0, lines.border, flip));
  }
  Alpha<Word, row_results> alpha;
  alpha.take(flip, [&](int j) { return Word::top_byte(value[j + reach]); });
  short_windows<Word, size>(value);
  typename Word::Key last[count - reach];
  TS_UNROLL
  for (int j = 0; j < count - reach; ++j)
    last[j] = Word::flipped(value[j], flip_change);
  if (!inside) {
    TS_UNROLL
    for (int j = 0; j < count - reach; ++j) {
      const int column = x - reach / 2 + j;
      if (column < 0 || column >= from.width) last[j] = Word::unpack(Word::lowest);
    }
  }
  short_windows<Word, size>(last);

  Stored* out = to.data + y * to.pitch + x;
  const auto result = [&, back = flip ^ flip_change](int j) {
    return alpha.merged(j, Word::pack(last[j]) ^ back, alpha.old(j));
  };
  if (x + row_results <= to.width) {
    TS_UNROLL
    for (int j = 0; j < row_results; j += 4) {
      WordGroup<4> four;
      TS_UNROLL
      for (int k = 0; k < 4; ++k)
        four.word[k] = __builtin_bit_cast(std::uint32_t, Word::store(result(j + k)));
      *reinterpret_cast<WordGroup<4>*>(out + j) = four;
    }
  } else {
    TS_UNROLL
    for (int j = 0; j < row_results; ++j)
      if (x + j < to.width) out[j] = Word::store(result(j));
  }
}

/// Calls f(Length<size>) if there is a kernel for the size, and returns whether there is.
template <class F>
bool with_short_length(int size, const F& f) {
  if (size == 3) return f(Length<3>{}), true;
  if (size == 5) return f(Length<5>{}), true;
  if (size == 7) return f(Length<7>{}), true;
  if (size == 9) return f(Length<9>{}), true;
  if (size == 11) return f(Length<11>{}), true;
  return false;
}

template <class Stored>
bool in_groups_of_four(const Stored* data, std::ptrdiff_t pitch) {
  return reinterpret_cast<std::uintptr_t>(data) % 16 == 0 && pitch % 4 == 0;
}

}  // namespace

bool launch_short_columns(const DevicePass& pass, const LineLaunch& lines, const DeviceRun* result) {
  bool done = false;
  const LineWindow& line = lines.line[0];
  if (line.left != -(line.size - 1) / 2) return done;
  with_words(pass.shape, [&](auto words) {
    using Word = decltype(words);
    with_store<Word>(pass, result, [&](const auto& store) {
      done = with_short_length(lines.line[0].size, [&](auto length) {
        const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
        const dim3 grid((from.width + column_threads - 1) / column_threads,
                        (from.height + column_rows - 1) / column_rows, from.words);
        cuda::launch(maxima_of_short_columns<Word, length(), std::decay_t<decltype(store)>>, grid, column_threads, 0,
                     pass.stream, from, lines, store);
      });
    });
  });
  return done;
}

bool launch_short_rows(const DevicePass& pass, const LineLaunch& lines) {
  const LineWindow &first = lines.line[0], &second = lines.line[1];
  const int reach = first.size - 1;
  const bool fits = lines.count == 2 && first.size == second.size && first.erode != second.erode &&
                    first.left == -reach / 2 && second.left == first.left;
  bool done = false;
  if (!fits) return done;
  with_words(pass.shape, [&](auto words) {
    using Word = decltype(words);
    if constexpr (sizeof(typename Word::Stored) == sizeof(std::uint32_t)) {
      const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
      const auto to = words_of<Word>(pass.to.data, pass.to.pitch, pass.shape);
      if (from.words != 1 || !in_groups_of_four(from.data, from.pitch) || !in_groups_of_four(to.data, to.pitch)) return;
      done = with_short_length(first.size, [&](auto length) {
        constexpr int step = row_threads * row_results;
        LineLaunch all = lines;
        all.cut_rows((from.width + step - 1) / step);
        cuda::launch(maxima_of_short_rows<Word, length()>, from.height * all.blocks, row_threads, 0, pass.stream, from,
                     all, to);
      });
    }
  });
  return done;
}

}  // namespace threadscape::morphology

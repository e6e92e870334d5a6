// Rectangles on the GPU: van Herk / Gil-Werman along columns and along rows, with packed bytes.
//
// A line of the picture is cut into groups of 8 or 16 neighbouring values, one thread each. A window that is longer
// than a group begins in one group, covers some whole ones and ends in another: so its maximum is that of a group's
// values from some place to its end (kept in registers), of whole groups, and of values from a group's start to some
// place (in shared memory). That is two reads per value and a few per group, for windows of any length.
//
// Under a neutral border an opening is columns, rows, rows, columns: the erosion and the dilation along rows are one
// launch, so the whole picture moves three times for any size of the element.

#include "compute/cuda/store.cuh"
#include "compute/morphology/morphology_cuda.h"
#include "compute/morphology/morphology_launch.cuh"
#include "compute/morphology/morphology_words.h"

namespace threadscape::morphology {
namespace {

struct Line {
  int left = 0, size = 1;  ///< result(i) is the maximum of values i + left .. i + left + size - 1
  bool erode = true;
};
struct Lines {
  Line line[2];
  int count = 1;
  int step = 1;  ///< results of a block along rows
  Border border = Border::zero;

  __device__ int left() const { return line[0].left + (count == 2 ? line[1].left : 0); }
};

/// Windows up to this length are written out; no group is shorter.
constexpr int longest_unrolled = 8;

/// f(std::integral_constant) of a window's length, 2 to longest_unrolled.
template <class F>
__device__ void with_length(int size, const F& f) {
  switch (size) {
    case 2:
      return f(std::integral_constant<int, 2>{});
    case 3:
      return f(std::integral_constant<int, 3>{});
    case 4:
      return f(std::integral_constant<int, 4>{});
    case 5:
      return f(std::integral_constant<int, 5>{});
    case 6:
      return f(std::integral_constant<int, 6>{});
    case 7:
      return f(std::integral_constant<int, 7>{});
    default:
      return f(std::integral_constant<int, 8>{});
  }
}

/// all[j] becomes the maximum of all[j .. j + size - 1], for the first count - size + 1 values.
template <class Word, int size, int count>
__device__ void short_windows(typename Word::Key (&all)[count]) {
  // Maxima over 1, 2, 4 values, in place; two of the last ones cover the window.
  constexpr int longest = size >= 8 ? 8 : size >= 4 ? 4 : 2;
  TS_UNROLL
  for (int reach = 1; reach < longest; reach *= 2) {
    TS_UNROLL
    for (int j = 0; j + reach < count; ++j)
      all[j] = Word::larger(all[j], all[j + reach]);
  }
  if constexpr (size != longest) {
    TS_UNROLL
    for (int j = 0; j + size <= count; ++j)
      all[j] = Word::larger(all[j], all[j + size - longest]);
  }
}

/// The values of one thread after the window, which is short or longer than a group. `starts` is shared memory: for
/// place j of group g, the maximum of the group's values up to there, at [j * stride + g * lanes + lane].
template <class Word, int group>
__device__ void window_maxima(typename Word::Key (&value)[group], int size, typename Word::Key* starts, int stride,
                              int lanes, int place, int groups_after) {
  if (size == 1) return;
  __syncthreads();  // everyone has read what was there
  if (size <= longest_unrolled)
    return with_length(size, [&](auto length) {
      // All that a window reaches beyond the group is the beginning of the next one.
      constexpr int beyond = length() - 1;
      typename Word::Key all[group + beyond];
      TS_UNROLL
      for (int j = 0; j < group; ++j) {
        all[j] = value[j];
        if (j < beyond) starts[j * stride + place] = value[j];
      }
      __syncthreads();
      TS_UNROLL
      for (int j = 0; j < beyond; ++j)
        all[group + j] = groups_after > 0 ? starts[j * stride + place + lanes] : Word::spread(Word::lowest);
      short_windows<Word, length()>(all);
      TS_UNROLL
      for (int j = 0; j < group; ++j)
        value[j] = all[j];
    });
  auto up_to = value[0];
  starts[place] = up_to;
  TS_UNROLL
  for (int j = 1; j < group; ++j) {
    up_to = Word::larger(up_to, value[j]);
    starts[j * stride + place] = up_to;
  }
  __syncthreads();
  TS_UNROLL
  for (int j = group - 2; j >= 0; --j)
    value[j] = Word::larger(value[j], value[j + 1]);
  const int whole = (size - 1) / group;
  auto between = value[group - 1];
  const auto* maxima = starts + (group - 1) * stride + place;
  for (int g = 1; g < whole; ++g)
    if (g <= groups_after) between = Word::larger(between, maxima[g * lanes]);
  const auto one_more = whole <= groups_after ? Word::larger(between, maxima[whole * lanes]) : between;
  TS_UNROLL
  for (int j = 0; j < group; ++j) {
    const int end = j + size - 1 - whole * group, further = end >= group;
    const int last = whole + further;
    const auto& middle = further ? one_more : between;
    value[j] = last <= groups_after
                   ? Word::larger(value[j], middle, starts[(end - further * group) * stride + place + last * lanes])
                   : Word::larger(value[j], middle);
  }
}

/// The first of `value` to (x, first), and so on, above row `last`.
template <class Word, int count, int rows, class Store>
__device__ void store_column(const Store& store, int x, int first, int last, int word,
                             const typename Word::Key (&value)[count], std::uint32_t flip) {
  static_assert(rows <= count);
  std::uint32_t kept[rows];
  TS_UNROLL
  for (int j = 0; j < rows; ++j)
    kept[j] = first + j < last ? store.kept(x, first + j) : 0;  // all before the first store: they take their time
  TS_UNROLL
  for (int j = 0; j < rows; ++j)
    if (first + j < last) store(x, first + j, word, Word::pack(value[j]) ^ flip, kept[j]);
}

// ---- Along columns, short windows: every thread reads what it needs, most of it from the cache
// ---------------------

constexpr int short_columns = 64, short_rows = 16;

template <class Word, int size, class Store>
__global__ void __launch_bounds__(short_columns)
    maxima_of_short_columns(WordPicture<Word> from, Lines lines, Store store) {
  const int x = blockIdx.x * short_columns + threadIdx.x, first = blockIdx.y * short_rows, word = blockIdx.z;
  if (x >= from.width) return;
  const Line line = lines.line[0];
  const std::uint32_t flip = flip_mask<Word>(line.erode);
  const int top = first + line.left;
  typename Word::Key value[short_rows + size - 1];
  if (top >= 0 && top + short_rows + size - 1 <= from.height) {
    TS_UNROLL
    for (int j = 0; j < short_rows + size - 1; ++j)
      value[j] = Word::spread(from.load(x, top + j, word) ^ flip);
  } else {
    TS_UNROLL
    for (int j = 0; j < short_rows + size - 1; ++j)
      value[j] = Word::spread(from.load_any(x, top + j, word, lines.border, flip));
  }
  short_windows<Word, size>(value);
  store_column<Word, short_rows + size - 1, short_rows>(store, x, first, from.height, word, value, flip);
}

// ---- Along columns: 32 columns side by side, one warp per group
// -----------------------------------------------------

constexpr int column_lanes = 32, column_groups = 32;

template <class Word, int group, class Store>
__global__ void __launch_bounds__(column_lanes* column_groups)
    maxima_of_columns(WordPicture<Word> from, Lines lines, Store store) {
  using Key = typename Word::Key;
  extern __shared__ uint2 shared_memory[];
  Key* const starts = reinterpret_cast<Key*>(shared_memory);
  const Line line = lines.line[0];
  const int step = group * column_groups - (line.size - 1);  // results of a block
  const int x = blockIdx.x * column_lanes + threadIdx.x, word = blockIdx.z;
  const int first = blockIdx.y * step + threadIdx.y * group;  // row of this thread's first result
  const std::uint32_t flip = flip_mask<Word>(line.erode);

  Key value[group];
  const int top = first + line.left;
  if (x < from.width && top >= 0 && top + group <= from.height) {
    TS_UNROLL
    for (int j = 0; j < group; ++j)
      value[j] = Word::spread(from.load(x, top + j, word) ^ flip);
  } else {
    TS_UNROLL
    for (int j = 0; j < group; ++j)
      value[j] = Word::spread(x < from.width ? from.load_any(x, top + j, word, lines.border, flip) : Word::lowest);
  }
  window_maxima<Word>(value, line.size, starts, column_lanes * column_groups, column_lanes,
                      threadIdx.y * column_lanes + threadIdx.x, column_groups - 1 - threadIdx.y);
  const int last = min(from.height, static_cast<int>(blockIdx.y + 1) * step);
  if (x < from.width) store_column<Word, group, group>(store, x, first, last, word, value, flip);
}

// ---- Along rows: one row per block
// ------------------------------------------------------------------------------------

constexpr int row_threads = 256;
/// Key i of a row lies at [i % group][i / group]; this stride keeps both ways of going through them free of bank
/// conflicts.
template <class Word, int group>
constexpr int row_stride = row_threads + 128 / (static_cast<int>(sizeof(typename Word::Key)) * group);

/// `count` neighbouring words from column x on, as keys.
template <class Word, int count>
__device__ void load_row(const WordPicture<Word>& from, int x, int y, int word, Border border, std::uint32_t flip,
                         typename Word::Key (&value)[count]) {
  const bool inside = x >= 0 && x + count <= from.width;
  if constexpr (sizeof(typename Word::Stored) == 4) {
    const auto* at = from.data + y * from.pitch + x;
    if (inside && from.words == 1 && reinterpret_cast<std::uintptr_t>(at) % 16 == 0) {
      TS_UNROLL
      for (int j = 0; j < count; j += 4) {
        const WordGroup<4> four = load_words<4>(at + j);
        TS_UNROLL
        for (int k = 0; k < 4; ++k)
          value[j + k] = Word::spread(Word::load(__builtin_bit_cast(typename Word::Stored, four.word[k])) ^ flip);
      }
      return;
    }
  }
  TS_UNROLL
  for (int j = 0; j < count; ++j)
    value[j] = Word::spread(inside ? from.load(x + j, y, word) ^ flip : from.load_any(x + j, y, word, border, flip));
}

template <class Word, int group>
__global__ void __launch_bounds__(row_threads)
    maxima_of_rows(WordPicture<Word> from, Lines lines, WordPicture<Word> to) {
  using Key = typename Word::Key;
  extern __shared__ uint2 shared_memory[];
  Key* const starts = reinterpret_cast<Key*>(shared_memory);
  constexpr int length = group * row_threads, stride = row_stride<Word, group>;
  const int y = blockIdx.x, word = blockIdx.z, me = threadIdx.x;  // of grids only x may be as long as a picture is high
  const int begin = static_cast<int>(blockIdx.y) * lines.step;
  // The first value is `skipped` columns before the first that is needed, so that threads read whole groups of words.
  const int first = (begin + lines.left()) & ~3, skipped = begin + lines.left() - first;
  std::uint32_t flip = flip_mask<Word>(lines.line[0].erode);
  Key value[group];
  load_row<Word>(from, first + me * group, y, word, lines.border, flip, value);

  window_maxima<Word>(value, lines.line[0].size, starts, stride, 1, me, row_threads - 1 - me);
  if (lines.count == 2) {
    const bool turn = lines.line[0].erode != lines.line[1].erode;
    const std::uint32_t turned = flip_mask<Word>(turn);
    const int column = first - lines.line[0].left;
    const bool inside = column >= 0 && column + length <= from.width;  // the whole block
    TS_UNROLL
    for (int j = 0; j < group; ++j) {
      const int x = column + me * group + j;
      value[j] = inside || (x >= 0 && x < from.width) ? Word::flipped(value[j], turned) : Word::spread(Word::lowest);
    }
    flip ^= turned;
    window_maxima<Word>(value, lines.line[1].size, starts, stride, 1, me, row_threads - 1 - me);
  }

  __syncthreads();
  TS_UNROLL
  for (int j = 0; j < group; ++j)
    starts[j * stride + me] = value[j];
  __syncthreads();
  const int count = min(lines.step, from.width - begin);
  for (int i = me; i < count; i += row_threads) {
    const int at = i + skipped;
    to.store(begin + i, y, word, Word::pack(starts[at % group * stride + at / group]) ^ flip);
  }
}

// ---- Stores
// ------------------------------------------------------------------------------------------------------------------

template <class Word>
struct ToPicture {
  WordPicture<Word> to;
  __device__ static std::uint32_t kept(int, int) { return 0; }
  __device__ void operator()(int x, int y, int word, std::uint32_t value, std::uint32_t) const {
    to.store(x, y, word, value);
  }
};

/// Straight to the result, which may be a surface; with the alpha of the input.
template <class Word, class Pixel>
struct ToResult {
  cuda::EitherStore<Pixel> store;
  WordPicture<Word> original;

  __device__ std::uint32_t kept(int x, int y) const {
    return std::is_same_v<Pixel, Rgba8> ? original.load(x, y, 0) : 0;
  }
  __device__ void operator()(int x, int y, int, std::uint32_t value, std::uint32_t kept) const {
    if constexpr (std::is_same_v<Pixel, Rgba8>) value = (value & 0x00ffffff) | (kept & 0xff000000);
    const typename Word::Stored stored = Word::store(value);
    Pixel pixel;
    memcpy(&pixel, &stored, sizeof pixel);
    store.store(x, y, pixel);
  }
};

template <class Word, int group, class Store>
void launch_columns(const DevicePass& pass, const Lines& lines, const Store& store) {
  const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
  const int step = group * column_groups - (lines.line[0].size - 1);
  const dim3 grid((from.width + column_lanes - 1) / column_lanes, (from.height + step - 1) / step, from.words);
  const std::size_t bytes = sizeof(typename Word::Key) * group * column_lanes * column_groups;
  allow_shared(maxima_of_columns<Word, group, Store>, bytes);
  maxima_of_columns<Word, group><<<grid, dim3(column_lanes, column_groups), bytes, pass.stream>>>(from, lines, store);
  TS_CUDA_LAUNCHED();
}

template <class Word, int size, class Store>
void launch_short_columns(const DevicePass& pass, const Lines& lines, const Store& store) {
  const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
  const dim3 grid((from.width + short_columns - 1) / short_columns, (from.height + short_rows - 1) / short_rows,
                  from.words);
  maxima_of_short_columns<Word, size><<<grid, short_columns, 0, pass.stream>>>(from, lines, store);
  TS_CUDA_LAUNCHED();
}

template <class Word, int group>
void launch_rows(const DevicePass& pass, Lines lines) {
  const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
  const auto to = words_of<Word>(pass.to.data, pass.to.pitch, pass.shape);
  lines.step = group * row_threads - 3;  // see `skipped`
  for (int i = 0; i < lines.count; ++i)
    lines.step -= lines.line[i].size - 1;
  const dim3 grid(from.height, (from.width + lines.step - 1) / lines.step, from.words);
  const std::size_t bytes = sizeof(typename Word::Key) * group * row_stride<Word, group>;
  allow_shared(maxima_of_rows<Word, group>, bytes);
  maxima_of_rows<Word, group><<<grid, row_threads, bytes, pass.stream>>>(from, lines, to);
  TS_CUDA_LAUNCHED();
}

/// Long groups for long windows: more of a block's values are results then.
constexpr int short_group = 8, long_group = 16, longest_of_short = 33;

template <class Word, class Store>
void launch_columns(const DevicePass& pass, const Lines& lines, const Store& store) {
  const int size = lines.line[0].size;
  if (size == 3) return launch_short_columns<Word, 3>(pass, lines, store);
  if (size == 5) return launch_short_columns<Word, 5>(pass, lines, store);
  if (size == 7) return launch_short_columns<Word, 7>(pass, lines, store);
  if (lines.line[0].size <= longest_of_short)
    launch_columns<Word, short_group>(pass, lines, store);
  else
    launch_columns<Word, long_group>(pass, lines, store);
}

Line line_of(const Step& step, Axis axis) {
  const Window& window = *step.window;
  return axis == Axis::rows ? Line{window.left, window.width, step.erode} : Line{window.top, window.height, step.erode};
}

}  // namespace

void launch_lines(const DevicePass& pass, const LinePass& wanted, const DeviceRun* result) {
  Lines lines;
  lines.border = pass.border;
  lines.line[0] = line_of(*wanted.first, wanted.axis);
  if (wanted.second) {
    lines.line[1] = line_of(*wanted.second, wanted.axis);
    lines.count = 2;
  }
  with_words(pass.shape, [&](auto words) {
    using Word = decltype(words);
    if (wanted.axis == Axis::rows) {
      const int shortest = lines.count == 2 ? std::min(lines.line[0].size, lines.line[1].size) : lines.line[0].size;
      if (shortest <= longest_of_short)
        launch_rows<Word, short_group>(pass, lines);
      else
        launch_rows<Word, long_group>(pass, lines);
      return;
    }
    if constexpr (!std::is_same_v<Word, Halves>) {
      using Pixel = std::conditional_t<std::is_same_v<Word, Bytes>, Rgba8, typename Word::Stored>;
      if (result) {
        const ToResult<Word, Pixel> store{cuda::EitherStore<Pixel>(result->out),
                                          words_of<Word>(result->in.data, result->in.pitch, pass.shape)};
        return launch_columns<Word>(pass, lines, store);
      }
    }
    launch_columns<Word>(pass, lines, ToPicture<Word>{words_of<Word>(pass.to.data, pass.to.pitch, pass.shape)});
  });
}

}  // namespace threadscape::morphology

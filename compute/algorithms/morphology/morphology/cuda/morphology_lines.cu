// Rectangles on the GPU: van Herk / Gil-Werman along columns and along rows, with packed bytes.
//
// A line of the picture is cut into groups of 8 or 16 neighbouring values, one thread each. A window that is longer
// than a group begins in one group, covers some whole ones and ends in another: so its maximum is that of a group's
// values from some place to its end (kept in registers), of whole groups, and of values from a group's start to some
// place (in shared memory). That is one write and one read per value and a few per group, for windows of any length.
//
// Under a neutral border an opening is columns, rows, rows, columns: the erosion and the dilation along rows are one
// launch, so the whole picture moves three times for any size of the element. Short windows of odd lengths have kernels
// of their own, morphology_short_lines.cu.
//
// The windows of a block's last values reach beyond what the block has read. Those values are nobody's results: they
// are made of whatever lies there in the block's memory, and not stored.

#include <algorithm>

#include "compute/algorithms/morphology/morphology/cuda/morphology_lines.cuh"

namespace threadscape::morphology {
namespace {

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

/// f(std::integral_constant) of a number from `least` to `most`, found by halving.
template <int most, int least = 1, class F>
__device__ void with_number(int number, const F& f) {
  if constexpr (most == least) {
    f(std::integral_constant<int, most>{});
  } else {
    constexpr int middle = (least + most) / 2;
    if (number <= middle)
      with_number<middle, least>(number, f);
    else
      with_number<most, middle + 1>(number, f);
  }
}

/// The values of one thread after a window of `size` values. `Places` says where in shared memory the maxima of a
/// group's first values lie: mine(j) for this thread's group, ahead(j) for the group and the place where the window of
/// value j ends, whole(n) for all values of the n-th group from here on. Threads that are not `wanted` only
/// help: they may reach beyond that memory. The `first` user of that memory need not wait for others that read it.
template <class Word, bool first, int group, class Places>
__device__ void window_maxima(typename Word::Key (&value)[group], int size, const Places& places, bool wanted) {
  using Key = typename Word::Key;
  if (!first || size == 1) __syncthreads();  // everyone has read what was there
  if (size == 1) return;
  if (size <= longest_unrolled)
    return with_length(size, [&](auto length) {
      // All that a window reaches beyond the group is the beginning of the next one.
      constexpr int beyond = length() - 1;
      Key all[group + beyond];
      TS_UNROLL
      for (int j = 0; j < group; ++j) {
        all[j] = value[j];
        if (j < beyond) places.mine(j) = value[j];
      }
      __syncthreads();
      TS_UNROLL
      for (int j = 0; j < beyond; ++j)
        all[group + j] = places.next(j);
      short_windows<Word, length()>(all);
      TS_UNROLL
      for (int j = 0; j < group; ++j)
        value[j] = all[j];
    });
  Key up_to = value[0];
  places.mine(0) = up_to;
  TS_UNROLL
  for (int j = 1; j < group; ++j) {
    up_to = Word::larger(up_to, value[j]);
    places.mine(j) = up_to;
  }
  __syncthreads();
  if (!wanted) return;
  TS_UNROLL
  for (int j = group - 2; j >= 0; --j)
    value[j] = Word::larger(value[j], value[j + 1]);
  const int groups = (size - 1) / group, further = group - (size - 1) % group;  // the first value that ends one later
  Key between = value[group - 1];
#pragma unroll 1
  for (int n = 1; n < groups; ++n)  // few: code for many at once takes longer to get into than these take
    between = Word::larger(between, places.whole(n));
  const Key one_more = Word::larger(between, places.whole(groups));
  const auto ahead = places.ahead(size - 1);
  with_number<group>(further, [&](auto known) {
    TS_UNROLL
    for (int j = 0; j < group; ++j) {
      const bool later = j >= known();
      value[j] = Word::larger(value[j], later ? one_more : between, ahead(j, later));
    }
  });
}

/// What lies in shared memory behind the places: alpha.
template <class Places>
__device__ std::uint32_t* behind(void* shared_memory) {
  return reinterpret_cast<std::uint32_t*>(static_cast<char*>(shared_memory) + Places::bytes);
}

// ---- Along columns: 16 columns side by side, half a warp per group
// --------------------------------------------------------------------

constexpr int column_lanes = 16, column_groups = 32, column_threads = column_lanes * column_groups;

/// Place j of a group is row j of the group's rows.
template <class Key, int group>
struct ColumnPlaces {
  Key* start;  ///< of this thread's group

  __device__ Key& mine(int j) const { return start[j * column_lanes]; }
  __device__ Key next(int j) const { return start[(group + j) * column_lanes]; }
  __device__ Key whole(int n) const { return start[(n * group + group - 1) * column_lanes]; }
  __device__ auto ahead(int distance) const {
    return [from = start + distance * column_lanes](int j, bool) { return from[j * column_lanes]; };
  }
  /// With one more group: the last results' own group has values behind them.
  static constexpr int rows = group * (column_groups + 1);
  static constexpr std::size_t bytes = sizeof(Key) * column_lanes * rows;
};

template <class Word, int group, class Store>
__global__ void __launch_bounds__(column_threads, group == 8 ? 3 : 2)
    maxima_of_columns(WordPicture<Word> from, Lines lines, Store store) {
  using Key = typename Word::Key;
  extern __shared__ uint2 shared_memory[];
  cuda::begin();
  using Places = ColumnPlaces<Key, group>;
  const Places places{reinterpret_cast<Key*>(shared_memory) + threadIdx.y * group * column_lanes + threadIdx.x};
  const Line line = lines.line[0];
  const int step = group * column_groups - (line.size - 1);  // results of a block
  const int x = blockIdx.x * column_lanes + threadIdx.x, word = blockIdx.z, begin = threadIdx.y * group;
  const int block = lines.place(blockIdx.y, gridDim.y);
  const int first = block * step + begin;  // row of this thread's first result
  const std::uint32_t flip = flip_mask<Word>(line.erode);

  Key value[group];
  const int top = first + line.left;
  if (x < from.width && top >= 0 && top + group <= from.height) {
    const auto rows = from.column(x, top, word);
    TS_UNROLL
    for (int j = 0; j < group; ++j)
      value[j] = Word::spread(Word::load(rows[j]) ^ flip);
  } else {
    TS_UNROLL
    for (int j = 0; j < group; ++j)
      value[j] = Word::spread(x < from.width ? from.load_any(x, top + j, word, lines.border, flip) : Word::lowest);
  }
  Alpha<Word, group> alpha;
  alpha.take(flip, [&](int j) { return Word::top_byte(value[j]); });
  std::uint32_t* const alpha_words =
      behind<Places>(shared_memory) + threadIdx.y * alpha.words * column_lanes + threadIdx.x;
  if constexpr (alpha.any) alpha.put(alpha_words, column_lanes);
  window_maxima<Word, true>(value, line.size, places, begin < step);
  if (x >= from.width || begin >= step) return;
  if constexpr (alpha.any) alpha.get(alpha_words, column_lanes, lines.origin());
  store_column<Word, group, group>(store, x, first, min(from.height, (block + 1) * step), word, value, flip, alpha);
}

// ---- Along rows: one row per block
// ------------------------------------------------------------------------------------

constexpr int most_row_threads = 256;
/// Windows of the last threads reach at most this many groups beyond the block's values.
constexpr int row_groups_beyond = 34;

/// Place j of group g is at [j][g]: both ways of going through a row are free of bank conflicts.
template <class Key, int group>
struct RowPlaces {
  static constexpr int stride = most_row_threads + 128 / (static_cast<int>(sizeof(Key)) * group);
  static constexpr std::size_t bytes = sizeof(Key) * (group * stride + row_groups_beyond);
  Key* start;  ///< place 0 of this thread's group

  __device__ Key& mine(int j) const { return start[j * stride]; }
  __device__ Key next(int j) const { return start[j * stride + 1]; }
  __device__ Key whole(int n) const { return start[(group - 1) * stride + n]; }
  __device__ auto ahead(int distance) const {
    const Key* const same = start + distance % group * stride + distance / group;
    return [same, later = same - group * stride + 1](int j, bool is_later) {
      return (is_later ? later : same)[j * stride];
    };
  }
};

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
  if (inside) {
    TS_UNROLL
    for (int j = 0; j < count; ++j)
      value[j] = Word::spread(from.load(x + j, y, word) ^ flip);
  } else {
    TS_UNROLL
    for (int j = 0; j < count; ++j)
      value[j] = Word::spread(from.load_any(x + j, y, word, border, flip));
  }
}

template <class Word, int group>
__global__ void __launch_bounds__(most_row_threads, group == 8 ? 6 : 4)
    maxima_of_rows(WordPicture<Word> from, Lines lines, WordPicture<Word> to) {
  using Key = typename Word::Key;
  extern __shared__ uint2 shared_memory[];
  const int threads = static_cast<int>(blockDim.x);
  cuda::begin();
  const int place = lines.place(blockIdx.x, gridDim.x), y = lines.row(place);
  const int word = blockIdx.z, me = threadIdx.x;
  using Places = RowPlaces<Key, group>;
  const Places places{reinterpret_cast<Key*>(shared_memory) + me};
  const int begin = (place - y * lines.blocks) * lines.step;
  // The first value is `skipped` columns before the first that is needed, so that threads read whole groups of words.
  const int first = (begin + lines.left()) & ~3, skipped = begin + lines.left() - first;
  std::uint32_t flip = flip_mask<Word>(lines.line[0].erode);
  Key value[group];
  load_row<Word>(from, first + me * group, y, word, lines.border, flip, value);

  Alpha<Word, group> alpha;
  alpha.take(flip, [&](int j) { return Word::top_byte(value[j]); });
  std::uint32_t* const alpha_words = behind<Places>(shared_memory) + me * alpha.words;
  if constexpr (alpha.any) alpha.put(alpha_words, 1);
  window_maxima<Word, true>(value, lines.line[0].size, places, true);
  if (lines.count == 2) {
    const std::uint32_t turned = flip_mask<Word>(lines.line[0].erode != lines.line[1].erode);
    const int column = first - lines.line[0].left;
    const bool inside = column >= 0 && column + group * threads <= from.width;  // the whole block
    TS_UNROLL
    for (int j = 0; j < group; ++j)
      value[j] = Word::flipped(value[j], turned);
    if (!inside) {
      TS_UNROLL
      for (int j = 0; j < group; ++j) {
        const int x = column + me * group + j;
        if (x < 0 || x >= from.width) value[j] = Word::spread(Word::lowest);
      }
    }
    flip ^= turned;
    window_maxima<Word, false>(value, lines.line[1].size, places, true);
  }

  if constexpr (alpha.any) alpha.get(alpha_words, 1, lines.origin());
  // Through shared memory once more, so that neighbouring threads write neighbouring words.
  __syncthreads();
  auto* const packed = reinterpret_cast<std::uint32_t*>(shared_memory);
  TS_UNROLL
  for (int j = 0; j < group; j += 4) {
    WordGroup<4> four;
    TS_UNROLL
    for (int k = 0; k < 4; ++k)
      four.word[k] = alpha.merged(j + k, Word::pack(value[j + k]) ^ flip, alpha.old(j + k));
    *reinterpret_cast<WordGroup<4>*>(packed + me * group + j) = four;
  }
  __syncthreads();
  const int left = min(lines.step, from.width - begin) - me;
  auto* const start = to.data + y * to.pitch + (begin + me) * to.words + word;
  const Strided<typename Word::Stored> out{start, threads * to.words * static_cast<int>(sizeof *start)};
  const std::uint32_t* const in = packed + skipped + me;
  TS_UNROLL
  for (int j = 0; j < group; ++j)
    if (j * threads < left) out[j] = Word::store(in[j * threads]);
}

constexpr int divide_up(int a, int b) {
  return (a + b - 1) / b;
}

template <class Word, int group, class Store>
void launch_columns(const DevicePass& pass, const Lines& lines, const Store& store) {
  const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
  const int step = group * column_groups - (lines.line[0].size - 1);
  const dim3 grid(divide_up(from.width, column_lanes), divide_up(from.height, step), from.words);
  constexpr std::size_t bytes =
      ColumnPlaces<typename Word::Key, group>::bytes +
      sizeof(std::uint32_t) * column_lanes * (Alpha<Word, group>::words * (column_groups + 1) + 1);
  allow_shared<maxima_of_columns<Word, group, Store>>(bytes);
  cuda::launch(maxima_of_columns<Word, group, Store>, grid, dim3(column_lanes, column_groups), bytes, pass.stream, from,
               lines, store);
}

template <class Word, int group>
void launch_rows(const DevicePass& pass, Lines lines) {
  const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
  const auto to = words_of<Word>(pass.to.data, pass.to.pitch, pass.shape);
  int around = 3;  // see `skipped`
  for (int i = 0; i < lines.count; ++i)
    around += lines.line[i].size - 1;
  // As few blocks as can be, all with the same number of results and no more threads than these need.
  lines.cut_rows(divide_up(from.width, group * most_row_threads - around));
  lines.step = divide_up(from.width, lines.blocks);
  const int threads = divide_up(divide_up(lines.step + around, group), 32) * 32;
  const dim3 grid(from.height * lines.blocks, 1, from.words);  // of grids only x may be as long as a picture is high
  constexpr std::size_t bytes =
      RowPlaces<typename Word::Key, group>::bytes +
      sizeof(std::uint32_t) * Alpha<Word, group>::words * (most_row_threads + 2 * row_groups_beyond);
  allow_shared<maxima_of_rows<Word, group>>(bytes);
  cuda::launch(maxima_of_rows<Word, group>, grid, threads, bytes, pass.stream, from, lines, to);
}

/// Long groups for long windows: more of a block's values are results then. Blocks along rows are long anyway.
constexpr int short_group = 8, long_group = 16, longest_of_short = 63;

Line line_of(const Step& step, Axis axis) {
  const Window& window = *step.window;
  return axis == Axis::rows ? Line{window.left, window.width, step.erode} : Line{window.top, window.height, step.erode};
}

}  // namespace

void launch_lines(const DevicePass& pass, const LinePass& wanted, const DeviceRun* result) {
  Lines lines;
  lines.border = pass.border;
  lines.backwards = pass.backwards;
  lines.line[0] = line_of(*wanted.first, wanted.axis);
  if (wanted.second) {
    lines.line[1] = line_of(*wanted.second, wanted.axis);
    lines.count = 2;
  }
  const bool along_rows = wanted.axis == Axis::rows;
  if (along_rows ? launch_short_rows(pass, lines) : launch_short_columns(pass, lines, result)) return;
  const int shortest = lines.count == 2 ? std::min(lines.line[0].size, lines.line[1].size) : lines.line[0].size;
  with_words(pass.shape, [&](auto words) {
    using Word = decltype(words);
    const auto with_group = [&](auto group) {
      if (along_rows) return launch_rows<Word, group()>(pass, lines);
      with_store<Word>(pass, result, [&](const auto& store) { launch_columns<Word, group()>(pass, lines, store); });
    };
    if (shortest <= longest_of_short)
      with_group(std::integral_constant<int, short_group>{});
    else
      with_group(std::integral_constant<int, long_group>{});
  });
}

}  // namespace threadscape::morphology

// Rectangles on the GPU by van Herk / Gil-Werman: along columns and along rows, with packed bytes.
//
// A line of the picture is cut into groups of 8 or 16 neighbouring values, one group per thread. A window longer than a
// group begins in one group, covers some whole groups and ends in another:
//
//  thread            t                   t + 1               t + 2
//  values    | a b c d e f g h |  | i j k l m n o p |  | q r s t u v w x |
//  window                [ f g h    i j k l m n o p      q r ]
//                         suffix     whole groups        prefix
//                        registers  shared memory       shared memory
//
// Its maximum is that of a suffix of the thread's own group (kept in registers), of whole groups, and of a prefix of
// another group (in shared memory). That is one write and one read of shared memory per value and a few per group, for
// windows of any length.
//
// Under a neutral border an opening is columns, rows, rows, columns: the erosion and the dilation along rows share a
// launch, so the whole picture is read and written three times for any size of the element. Short windows of odd
// lengths have kernels of their own, morphology_short_lines.cu.
//
// The windows of a block's last values extend beyond what the block has read. These values are computed from whatever
// lies there in the block's memory, and are not stored.

#include <algorithm>

#include "compute/algorithms/morphology/morphology/cuda/morphology_lines.cuh"

namespace threadscape::morphology {
namespace {

/// Windows up to this length are unrolled; groups are at least as long.
constexpr int max_unrolled = 8;

/// Calls f(std::integral_constant) with a window's length, 2 to max_unrolled.
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

/// Calls f(std::integral_constant) with a number from `min` to `max`, found by bisection.
template <int max, int min = 1, class F>
__device__ void with_number(int number, const F& f) {
  if constexpr (max == min) {
    f(std::integral_constant<int, max>{});
  } else {
    constexpr int middle = (min + max) / 2;
    if (number <= middle)
      with_number<middle, min>(number, f);
    else
      with_number<max, middle + 1>(number, f);
  }
}

/// Replaces the values of one thread by the maxima of the windows of `size` values that begin at them. `Layout` maps
/// the prefix maxima of groups to shared memory: own(j) is that of this thread's values 0..j, ahead(j) that of the
/// group in which the window of value j ends, up to its end, next(j) that of the next group, and whole(n) is the
/// maximum of the n-th group from here on. Threads that are not `wanted` only write their prefixes: their windows may
/// exceed the memory. The `first` use of the memory needs no barrier before it.
template <class Word, bool first, int group, class Layout>
__device__ void window_maxima(typename Word::Key (&value)[group], int size, const Layout& layout, bool wanted) {
  using Key = typename Word::Key;
  if (!first || size == 1) __syncthreads();  // All threads have read what was there.
  if (size == 1) return;
  if (size <= max_unrolled)
    return with_length(size, [&](auto length) {
      // What a window covers beyond the group is the begin of the next group.
      constexpr int beyond = length() - 1;
      Key all[group + beyond];
      TS_UNROLL
      for (int j = 0; j < group; ++j) {
        all[j] = value[j];
        if (j < beyond) layout.own(j) = value[j];
      }
      __syncthreads();
      TS_UNROLL
      for (int j = 0; j < beyond; ++j)
        all[group + j] = layout.next(j);
      short_windows<Word, length()>(all);
      TS_UNROLL
      for (int j = 0; j < group; ++j)
        value[j] = all[j];
    });
  Key up_to = value[0];
  layout.own(0) = up_to;
  TS_UNROLL
  for (int j = 1; j < group; ++j) {
    up_to = Word::max_key(up_to, value[j]);
    layout.own(j) = up_to;
  }
  __syncthreads();
  if (!wanted) return;
  TS_UNROLL
  for (int j = group - 2; j >= 0; --j)
    value[j] = Word::max_key(value[j], value[j + 1]);
  // `further` is the first value whose window ends one group later.
  const int groups = (size - 1) / group, further = group - (size - 1) % group;
  Key inner_groups = value[group - 1];
#pragma unroll 1
  for (int n = 1; n < groups; ++n)  // Few iterations: entering unrolled code would take longer than they do.
    inner_groups = Word::max_key(inner_groups, layout.whole(n));
  const Key one_more = Word::max_key(inner_groups, layout.whole(groups));
  const auto ahead = layout.ahead(size - 1);
  with_number<group>(further, [&](auto known) {
    TS_UNROLL
    for (int j = 0; j < group; ++j) {
      const bool later = j >= known();
      value[j] = Word::max_key(value[j], later ? one_more : inner_groups, ahead(j, later));
    }
  });
}

/// The alpha words, which follow the prefixes in shared memory.
template <class Layout>
__device__ std::uint32_t* after_layout(void* shared_memory) {
  return reinterpret_cast<std::uint32_t*>(static_cast<char*>(shared_memory) + Layout::bytes);
}

// ---- Along columns: 16 columns side by side, half a warp per group

constexpr int column_lanes = 16, column_groups = 32, column_threads = column_lanes * column_groups;

/// Value j of a group is row j of the group's rows.
template <class Key, int group>
struct ColumnLayout {
  Key* start;  ///< Row 0 of this thread's group.

  __device__ Key& own(int j) const { return start[j * column_lanes]; }
  __device__ Key next(int j) const { return start[(group + j) * column_lanes]; }
  __device__ Key whole(int n) const { return start[(n * group + group - 1) * column_lanes]; }
  __device__ auto ahead(int distance) const {
    return [from = start + distance * column_lanes](int j, bool) { return from[j * column_lanes]; };
  }
  /// One additional group, because the windows of the last results extend into it.
  static constexpr int rows = group * (column_groups + 1);
  static constexpr std::size_t bytes = sizeof(Key) * column_lanes * rows;
};

template <class Word, int group, class Store>
__global__ void __launch_bounds__(column_threads, group == 8 ? 3 : 2)
    maxima_of_columns(WordPicture<Word> from, LineLaunch lines, Store store) {
  using Key = typename Word::Key;
  extern __shared__ uint2 shared_memory[];
  cuda::begin();
  using Layout = ColumnLayout<Key, group>;
  const Layout layout{reinterpret_cast<Key*>(shared_memory) + threadIdx.y * group * column_lanes + threadIdx.x};
  const LineWindow line = lines.line[0];
  const int step = group * column_groups - (line.size - 1);  // Results of a block.
  const int x = blockIdx.x * column_lanes + threadIdx.x, word = blockIdx.z, begin = threadIdx.y * group;
  const int block = lines.place(blockIdx.y, gridDim.y);
  const int first = block * step + begin;  // Row of this thread's first result.
  const std::uint32_t flip = flip_mask<Word>(line.erode);

  Key value[group];
  const int top = first + line.left;
  if (x < from.width && top >= 0 && top + group <= from.height) {
    const auto rows = from.column(x, top, word);
    TS_UNROLL
    for (int j = 0; j < group; ++j)
      value[j] = Word::unpack(Word::load(rows[j]) ^ flip);
  } else {
    TS_UNROLL
    for (int j = 0; j < group; ++j)
      value[j] = Word::unpack(x < from.width ? from.load_any(x, top + j, word, lines.border, flip) : Word::lowest);
  }
  Alpha<Word, group> alpha;
  alpha.take(flip, [&](int j) { return Word::top_byte(value[j]); });
  std::uint32_t* const alpha_words =
      after_layout<Layout>(shared_memory) + threadIdx.y * alpha.words * column_lanes + threadIdx.x;
  if constexpr (alpha.any) alpha.put(alpha_words, column_lanes);
  window_maxima<Word, true>(value, line.size, layout, begin < step);
  if (x >= from.width || begin >= step) return;
  if constexpr (alpha.any) alpha.get(alpha_words, column_lanes, lines.origin());
  store_column<Word, group, group>(store, x, first, min(from.height, (block + 1) * step), word, value, flip, alpha);
}

// ---- Along rows: one row per block

constexpr int max_row_threads = 256;
/// Windows of the last threads extend at most this many groups beyond the block's values.
constexpr int row_padding_groups = 34;

/// Value j of group g is at [j][g], so that neither way of going through a row has bank conflicts.
template <class Key, int group>
struct RowLayout {
  static constexpr int stride = max_row_threads + 128 / (static_cast<int>(sizeof(Key)) * group);
  static constexpr std::size_t bytes = sizeof(Key) * (group * stride + row_padding_groups);
  Key* start;  ///< Value 0 of this thread's group.

  __device__ Key& own(int j) const { return start[j * stride]; }
  __device__ Key next(int j) const { return start[j * stride + 1]; }
  __device__ Key whole(int n) const { return start[(group - 1) * stride + n]; }
  __device__ auto ahead(int distance) const {
    const Key* const same = start + distance % group * stride + distance / group;
    return [same, later = same - group * stride + 1](int j, bool is_later) {
      return (is_later ? later : same)[j * stride];
    };
  }
};

/// Loads `count` neighbouring words from column x on, as keys.
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
          value[j + k] = Word::unpack(Word::load(__builtin_bit_cast(typename Word::Stored, four.word[k])) ^ flip);
      }
      return;
    }
  }
  if (inside) {
    TS_UNROLL
    for (int j = 0; j < count; ++j)
      value[j] = Word::unpack(from.load(x + j, y, word) ^ flip);
  } else {
    TS_UNROLL
    for (int j = 0; j < count; ++j)
      value[j] = Word::unpack(from.load_any(x + j, y, word, border, flip));
  }
}

template <class Word, int group>
__global__ void __launch_bounds__(max_row_threads, group == 8 ? 6 : 4)
    maxima_of_rows(WordPicture<Word> from, LineLaunch lines, WordPicture<Word> to) {
  using Key = typename Word::Key;
  extern __shared__ uint2 shared_memory[];
  const int threads = static_cast<int>(blockDim.x);
  cuda::begin();
  const int place = lines.place(blockIdx.x, gridDim.x), y = lines.row(place);
  const int word = blockIdx.z, me = threadIdx.x;
  using Layout = RowLayout<Key, group>;
  const Layout layout{reinterpret_cast<Key*>(shared_memory) + me};
  const int begin = (place - y * lines.blocks) * lines.step;
  // The first value is `skipped` columns before the first that is needed, so that threads read whole groups of words.
  const int first = (begin + lines.left()) & ~3, skipped = begin + lines.left() - first;
  std::uint32_t flip = flip_mask<Word>(lines.line[0].erode);
  Key value[group];
  load_row<Word>(from, first + me * group, y, word, lines.border, flip, value);

  Alpha<Word, group> alpha;
  alpha.take(flip, [&](int j) { return Word::top_byte(value[j]); });
  std::uint32_t* const alpha_words = after_layout<Layout>(shared_memory) + me * alpha.words;
  if constexpr (alpha.any) alpha.put(alpha_words, 1);
  window_maxima<Word, true>(value, lines.line[0].size, layout, true);
  if (lines.count == 2) {
    const std::uint32_t flip_change = flip_mask<Word>(lines.line[0].erode != lines.line[1].erode);
    const int column = first - lines.line[0].left;
    // Whether the whole block is inside the picture.
    const bool inside = column >= 0 && column + group * threads <= from.width;
    TS_UNROLL
    for (int j = 0; j < group; ++j)
      value[j] = Word::flipped(value[j], flip_change);
    if (!inside) {
      TS_UNROLL
      for (int j = 0; j < group; ++j) {
        const int x = column + me * group + j;
        if (x < 0 || x >= from.width) value[j] = Word::unpack(Word::lowest);
      }
    }
    flip ^= flip_change;
    window_maxima<Word, false>(value, lines.line[1].size, layout, true);
  }

  if constexpr (alpha.any) alpha.get(alpha_words, 1, lines.origin());
  // Exchange through shared memory, so that neighbouring threads write neighbouring words.
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

constexpr int ceil_div(int a, int b) {
  return (a + b - 1) / b;
}

template <class Word, int group, class Store>
void launch_columns(const DevicePass& pass, const LineLaunch& lines, const Store& store) {
  const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
  const int step = group * column_groups - (lines.line[0].size - 1);
  const dim3 grid(ceil_div(from.width, column_lanes), ceil_div(from.height, step), from.words);
  constexpr std::size_t bytes =
      ColumnLayout<typename Word::Key, group>::bytes +
      sizeof(std::uint32_t) * column_lanes * (Alpha<Word, group>::words * (column_groups + 1) + 1);
  allow_shared<maxima_of_columns<Word, group, Store>>(*pass.stream.device, bytes);
  cuda::launch(maxima_of_columns<Word, group, Store>, grid, dim3(column_lanes, column_groups), bytes, pass.stream, from,
               lines, store);
}

template <class Word, int group>
void launch_rows(const DevicePass& pass, LineLaunch lines) {
  const auto from = words_of<Word>(pass.from.data, pass.from.pitch, pass.shape);
  const auto to = words_of<Word>(pass.to.data, pass.to.pitch, pass.shape);
  int around = 3;  // Starts with the columns that may be `skipped`.
  for (int i = 0; i < lines.count; ++i)
    around += lines.line[i].size - 1;
  // There are as few blocks as possible, all with the same number of results and no more threads than they need.
  lines.cut_rows(ceil_div(from.width, group * max_row_threads - around));
  lines.step = ceil_div(from.width, lines.blocks);
  const int threads = ceil_div(ceil_div(lines.step + around, group), 32) * 32;
  // Only the x extent of a grid can be as large as a picture is high.
  const dim3 grid(from.height * lines.blocks, 1, from.words);
  constexpr std::size_t bytes =
      RowLayout<typename Word::Key, group>::bytes +
      sizeof(std::uint32_t) * Alpha<Word, group>::words * (max_row_threads + 2 * row_padding_groups);
  allow_shared<maxima_of_rows<Word, group>>(*pass.stream.device, bytes);
  cuda::launch(maxima_of_rows<Word, group>, grid, threads, bytes, pass.stream, from, lines, to);
}

/// Long groups for long windows, because more of a block's values are results then. Blocks along rows are long anyway.
constexpr int short_group = 8, long_group = 16, max_short_size = 63;

LineWindow line_of(const Step& step, Axis axis) {
  const Window& window = *step.window;
  return axis == Axis::rows ? LineWindow{window.left, window.width, step.erode}
                            : LineWindow{window.top, window.height, step.erode};
}

}  // namespace

void launch_lines(const DevicePass& pass, const LinePass& wanted, const DeviceRun* result) {
  LineLaunch lines;
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
    if (shortest <= max_short_size)
      with_group(std::integral_constant<int, short_group>{});
    else
      with_group(std::integral_constant<int, long_group>{});
  });
}

}  // namespace threadscape::morphology

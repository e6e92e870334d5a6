#pragma once
// What the kernels of rectangles share: windows along a line, unrolled short windows, and storing of results.

#include <type_traits>

#include "compute/algorithms/morphology/morphology/cuda/morphology_cuda.h"
#include "compute/algorithms/morphology/morphology/cuda/morphology_launch.cuh"
#include "compute/algorithms/morphology/morphology/cuda/morphology_words.h"
#include "compute/gpu/launch.cuh"
#include "compute/gpu/store.cuh"

namespace threadscape::morphology {

/// A window along a line of the picture.
struct LineWindow {
  int left = 0, size = 1;  ///< result(i) is the maximum of values i + left .. i + left + size - 1.
  bool erode = true;
};
/// How a launch treats the lines of a picture: one window, or two in succession. Along rows a row is cut into blocks:
///
///   first        |-- halo --|------- step results -------|-- halo --|
///   next block                            |-- halo --|------- step results -------|-- halo --|
struct LineLaunch {
  LineWindow line[2];
  int count = 1;
  int step = 1;                                           ///< Results per block, along rows.
  int blocks = 1;                                         ///< Blocks per row.
  std::uint64_t rows_per_block = std::uint64_t{1} << 32;  ///< 1 / blocks in units of 2^-32.
  Border border = Border::zero;
  bool backwards = false;  ///< See DevicePass::backwards.

  /// The i-th of `count` blocks in the order in which they are to be processed.
  [[nodiscard]] __device__ int place(unsigned i, unsigned count) const {
    return static_cast<int>(backwards ? count - 1 - i : i);
  }
  void cut_rows(int into) {
    blocks = into;
    rows_per_block = ((std::uint64_t{1} << 32) + into - 1) / into;
  }
  /// place / blocks without a division: exact as long as place * blocks < 2^32.
  [[nodiscard]] __device__ int row(int place) const {
    return static_cast<int>(static_cast<std::uint64_t>(static_cast<unsigned>(place)) * rows_per_block >> 32);
  }
  [[nodiscard]] __host__ __device__ int left() const { return line[0].left + (count == 2 ? line[1].left : 0); }
  /// Place of a result's own pixel relative to the first value of its window; the nearest place if the window does not
  /// hold it.
  [[nodiscard]] __device__ int origin() const {
    const int last = line[0].size - 1 + (count == 2 ? line[1].size - 1 : 0);
    return min(max(0, -left()), last);
  }
};

/// The alpha of `count` neighbouring pixels of one thread, packed four to a word: word[i] = | a(4i+3) | .. | a(4i) |.
/// Every pass hands on the alpha of its own input, which it has read anyway, so the last pass does not need the
/// original picture. This is empty for pixels without alpha or of more than one word: of those the last pass along
/// columns does not write the result, see can_finish().
template <class Word, int count>
struct Alpha {
  static constexpr bool any = false;
  static constexpr int words = 0;
  template <class Of>
  __device__ void take(std::uint32_t, const Of&) {}
  __device__ std::uint32_t old(int) const { return 0; }
  __device__ static std::uint32_t merged(int, std::uint32_t value, std::uint32_t) { return value; }
};
template <int count>
struct Alpha<Bytes, count> {
  static constexpr bool any = true;
  static constexpr int words = count / 4;
  std::uint32_t word[words];

  /// Takes the alpha of the pixels of(j), which are complemented by `flip`.
  template <class Of>
  __device__ void take(std::uint32_t flip, const Of& of) {
    TS_UNROLL
    for (int i = 0; i < words; ++i)
      word[i] = pick_bytes(pick_bytes(of(4 * i), of(4 * i + 1), 0x0073),
                           pick_bytes(of(4 * i + 2), of(4 * i + 3), 0x0073), 0x5410) ^
                flip;
  }
  /// put() and get() exchange alpha through shared memory. This thread's words start at `place` and are `stride` apart;
  /// get() reads the alpha of the pixels from `distance` on, counted from this thread's first pixel.
  __device__ void put(std::uint32_t* place, int stride) const {
    TS_UNROLL
    for (int i = 0; i < words; ++i)
      place[i * stride] = word[i];
  }
  __device__ void get(const std::uint32_t* place, int stride, int distance) {
    place += distance / 4 * stride;
    std::uint32_t low = *place;
    TS_UNROLL
    for (int i = 0; i < words; ++i) {
      const std::uint32_t high = place[(i + 1) * stride];
      word[i] = pick_bytes(low, high, 0x3210 + 0x1111 * (distance % 4));
      low = high;
    }
  }
  __device__ std::uint32_t old(int j) const { return word[j / 4]; }
  __device__ static std::uint32_t merged(int j, std::uint32_t value, std::uint32_t old) {
    return pick_bytes(value, old, 0x4210 + (j % 4 << 12));
  }
};

/// Replaces all[j] by the maximum of all[j .. j + size - 1], for the first count - size + 1 values.
template <class Word, int size, int count>
__device__ void short_windows(typename Word::Key (&all)[count]) {
  // A maximum of 3 values takes one instruction, as one of 2 does.
  constexpr int first = size >= 3 ? 3 : 2;
  TS_UNROLL
  for (int j = 0; j + first <= count; ++j)
    all[j] = first == 3 ? Word::max_key(all[j], all[j + 1], all[j + 2]) : Word::max_key(all[j], all[j + 1]);
  static_assert(size <= 11);
  if constexpr (size > 6) {  // Three maxima of `first` values cover a window of up to 9.
    constexpr int nine = size < 9 ? size : 9, middle = (nine - first) / 2;
    TS_UNROLL
    for (int j = 0; j + nine <= count; ++j)
      all[j] = Word::max_key(all[j], all[j + middle], all[j + nine - first]);
    if constexpr (size > nine) {
      TS_UNROLL
      for (int j = 0; j + size <= count; ++j)
        all[j] = Word::max_key(all[j], all[j + size - nine]);
    }
  } else if constexpr (size > 3) {
    TS_UNROLL
    for (int j = 0; j + size <= count; ++j)
      all[j] = Word::max_key(all[j], all[j + size - first]);
  }
}

/// Stores the results of a pass along columns in a picture. write(put) is called with a function that takes a row,
/// relative to `first`, and its value.
template <class Word>
struct ToPicture {
  WordPicture<Word> to;

  template <class Write>
  __device__ void column(int x, int first, int word, const Write& write) const {
    const auto rows = to.column(x, first, word);
    write([&](int j, std::uint32_t value) { rows[j] = Word::store(value); });
  }
};

/// Stores the results of a pass along columns as the result of the run, which may be a surface.
template <class Word, class Pixel>
struct ToResult {
  cuda::EitherStore<Pixel> store;

  template <class Write>
  __device__ void column(int x, int first, int, const Write& write) const {
    if (store.to_surface) {
      write([&](int j, std::uint32_t value) { store.surface.store(x, first + j, pixel(value)); });
    } else {
      const auto& out = store.linear.out;
      const Strided<Pixel> rows{out.data + first * out.pitch + x,
                                static_cast<int>(out.pitch * static_cast<int>(sizeof(Pixel)))};
      write([&](int j, std::uint32_t value) { rows[j] = pixel(value); });
    }
  }
  __device__ static Pixel pixel(std::uint32_t value) {
    const typename Word::Stored stored = Word::store(value);
    Pixel pixel;
    memcpy(&pixel, &stored, sizeof pixel);
    return pixel;
  }
};

/// Stores the rows first, first + 1, ... of column x that are above row `last`. `alpha` is an Alpha or an
/// OriginalAlpha.
template <class Word, int count, int rows, class Store, class Kept>
__device__ void store_column(const Store& store, int x, int first, int last, int word,
                             const typename Word::Key (&value)[count], std::uint32_t flip, const Kept& alpha) {
  constexpr int at_once = 8;
  static_assert(rows <= count && rows % at_once == 0);
  store.column(x, first, word, [&](const auto& put) {
    const auto store_rows = [&](auto all) {
      TS_UNROLL
      for (int begin = 0; begin < rows; begin += at_once) {
        std::uint32_t old[at_once];
        TS_UNROLL
        for (int j = 0; j < at_once; ++j)  // All loads before the first store, to overlap their latencies.
          old[j] = all() || first + begin + j < last ? alpha.old(begin + j) : 0;
        TS_UNROLL
        for (int j = 0; j < at_once; ++j)
          if (all() || first + begin + j < last)
            put(begin + j, Kept::merged(begin + j, Word::pack(value[begin + j]) ^ flip, old[j]));
      }
    };
    if (first + rows <= last)
      store_rows(std::true_type{});
    else
      store_rows(std::false_type{});
  });
}

/// The alpha of the picture that a run started from, for kernels that do not hand it on.
template <class Word, class Store>
struct OriginalAlpha {
  static constexpr bool any = std::is_same_v<Store, ToResult<Word, Rgba8>>;
  Strided<typename Word::Stored> rows;

  __device__ std::uint32_t old(int j) const { return any ? Word::load(rows[j]) : 0u; }
  __device__ static std::uint32_t merged(int, std::uint32_t value, std::uint32_t old) {
    return any ? (value & 0x00ffffff) | (old & 0xff000000) : value;
  }
};

/// Calls f(store) with the destination of the last pass along columns: the result of the run if given, otherwise
/// pass.to.
template <class Word, class F>
void with_store(const DevicePass& pass, const DeviceRun* result, const F& f) {
  if constexpr (!std::is_same_v<Word, U16x2>) {
    using Pixel = std::conditional_t<std::is_same_v<Word, Bytes>, Rgba8, typename Word::Stored>;
    if (result) return f(ToResult<Word, Pixel>{cuda::EitherStore<Pixel>(result->out)});
  }
  f(ToPicture<Word>{words_of<Word>(pass.to.data, pass.to.pitch, pass.shape)});
}

/// Launches a kernel for centred windows of 3, 5, 7, 9 or 11 values without shared memory (morphology_short_lines.cu).
/// Returns false for all other windows.
bool launch_short_columns(const DevicePass& pass, const LineLaunch& lines, const DeviceRun* result);
bool launch_short_rows(const DevicePass& pass, const LineLaunch& lines);

}  // namespace threadscape::morphology

#pragma once
// What the kernels of rectangles share: lines of windows, short windows written out, and where results go.

#include <type_traits>

#include "compute/cuda/launch.cuh"
#include "compute/cuda/store.cuh"
#include "compute/morphology/morphology_cuda.h"
#include "compute/morphology/morphology_launch.cuh"
#include "compute/morphology/morphology_words.h"

namespace threadscape::morphology {

struct Line {
  int left = 0, size = 1;  ///< result(i) is the maximum of values i + left .. i + left + size - 1
  bool erode = true;
};
struct Lines {
  Line line[2];
  int count = 1;
  int step = 1;    ///< results of a block along rows
  int blocks = 1;  ///< of a row
  Border border = Border::zero;
  bool backwards = false;  ///< see DevicePass

  /// Number `i` of `count` blocks, in the order in which they are to be done.
  [[nodiscard]] __device__ int place(unsigned i, unsigned count) const {
    return static_cast<int>(backwards ? count - 1 - i : i);
  }
  [[nodiscard]] __host__ __device__ int left() const { return line[0].left + (count == 2 ? line[1].left : 0); }
};

/// all[j] becomes the maximum of all[j .. j + size - 1], for the first count - size + 1 values.
template <class Word, int size, int count>
__device__ void short_windows(typename Word::Key (&all)[count]) {
  // Maxima over 3 values take one instruction, as those over 2 do.
  constexpr int first = size >= 3 ? 3 : 2;
  TS_UNROLL
  for (int j = 0; j + first <= count; ++j)
    all[j] = first == 3 ? Word::larger(all[j], all[j + 1], all[j + 2]) : Word::larger(all[j], all[j + 1]);
  static_assert(size <= 9);
  if constexpr (size > 6) {  // three of those cover the window
    constexpr int middle = (size - first) / 2;
    TS_UNROLL
    for (int j = 0; j + size <= count; ++j)
      all[j] = Word::larger(all[j], all[j + middle], all[j + size - first]);
  } else if constexpr (size > 3) {
    TS_UNROLL
    for (int j = 0; j + size <= count; ++j)
      all[j] = Word::larger(all[j], all[j + size - first]);
  }
}

/// Where a pass along columns puts its results: write(put, kept) is called with functions of a row's distance from the
/// first one.
template <class Word>
struct ToPicture {
  WordPicture<Word> to;

  template <class Write>
  __device__ void column(int x, int first, int word, const Write& write) const {
    const auto rows = to.column(x, first, word);
    write([&](int j, std::uint32_t value, std::uint32_t) { rows[j] = Word::store(value); }, [](int) { return 0u; });
  }
};

/// Straight to the result, which may be a surface; with the alpha of the input.
template <class Word, class Pixel>
struct ToResult {
  cuda::EitherStore<Pixel> store;
  WordPicture<Word> original;

  template <class Write>
  __device__ void column(int x, int first, int, const Write& write) const {
    const auto before = original.column(x, first, 0);
    const auto kept = [&](int j) { return std::is_same_v<Pixel, Rgba8> ? Word::load(before[j]) : 0u; };
    if (store.to_surface) {
      write(
          [&](int j, std::uint32_t value, std::uint32_t old) { store.surface.store(x, first + j, pixel(value, old)); },
          kept);
    } else {
      const auto& out = store.linear.out;
      const Strided<Pixel> rows{out.data + first * out.pitch + x,
                                static_cast<int>(out.pitch * static_cast<int>(sizeof(Pixel)))};
      write([&](int j, std::uint32_t value, std::uint32_t old) { rows[j] = pixel(value, old); }, kept);
    }
  }
  __device__ static Pixel pixel(std::uint32_t value, std::uint32_t old) {
    if constexpr (std::is_same_v<Pixel, Rgba8>) value = (value & 0x00ffffff) | (old & 0xff000000);
    const typename Word::Stored stored = Word::store(value);
    Pixel pixel;
    memcpy(&pixel, &stored, sizeof pixel);
    return pixel;
  }
};

/// Rows first, first + 1, ... of column x, as far as they are above row `last`.
template <class Word, int count, int rows, class Store>
__device__ void store_column(const Store& store, int x, int first, int last, int word,
                             const typename Word::Key (&value)[count], std::uint32_t flip) {
  constexpr int at_once = 8;
  static_assert(rows <= count && rows % at_once == 0);
  store.column(x, first, word, [&](const auto& put, const auto& kept) {
    const auto store_rows = [&](auto all) {
      TS_UNROLL
      for (int begin = 0; begin < rows; begin += at_once) {
        std::uint32_t old[at_once];
        TS_UNROLL
        for (int j = 0; j < at_once; ++j)  // all before the first store: they take their time
          old[j] = all() || first + begin + j < last ? kept(begin + j) : 0;
        TS_UNROLL
        for (int j = 0; j < at_once; ++j)
          if (all() || first + begin + j < last) put(begin + j, Word::pack(value[begin + j]) ^ flip, old[j]);
      }
    };
    if (first + rows <= last)
      store_rows(std::true_type{});
    else
      store_rows(std::false_type{});
  });
}

/// Calls f(store) with what the last pass along columns writes to: the result of the run, or else pass.to.
template <class Word, class F>
void with_store(const DevicePass& pass, const DeviceRun* result, const F& f) {
  if constexpr (!std::is_same_v<Word, Halves>) {
    using Pixel = std::conditional_t<std::is_same_v<Word, Bytes>, Rgba8, typename Word::Stored>;
    if (result)
      return f(ToResult<Word, Pixel>{cuda::EitherStore<Pixel>(result->out),
                                     words_of<Word>(result->in.data, result->in.pitch, pass.shape)});
  }
  f(ToPicture<Word>{words_of<Word>(pass.to.data, pass.to.pitch, pass.shape)});
}

/// morphology_short_lines.cu: windows of 3, 5 and 7 values without shared memory. False for anything else.
bool launch_short_columns(const DevicePass& pass, const Lines& lines, const DeviceRun* result);
bool launch_short_rows(const DevicePass& pass, const Lines& lines);

}  // namespace threadscape::morphology

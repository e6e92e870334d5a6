#pragma once
// The CUDA kernel of separable filters for any radius, picture and plan; the kernels before it in the table of
// separable.h are faster where they can be used. Compare with separable_serial.cpp.
//
// A block of 256 threads computes a tile of 128 columns x 32 rows (16 rows for several planes or wide pixels). In both
// passes a thread computes several sums at a time, so that a value or a weight is read once for all of them:
//
//   picture, global memory          column sums, shared memory             results, registers
//   . . . . . . . .                 +------+---------------+------+        +---------------+
//   . v v v v . . .                 | halo | 128 columns   | halo |        | 128 columns   |
//   . v v v v . . .   a thread:     |      |               |      |        |               |  a thread: 4 neighbouring
//   . v v v v . . .   4 columns x   |      |   c c c c     |      |        |   r r r r     |  results in each of
//   . v v v v . . .   4 rows        |      |   c c c c     |      | -----> |   r r r r     |  `lines` rows, 2 or 4
//   . . . . . . . .   of sums       |      |   c c c c     |      |        |               |
//   2 radius + 4 rows of v ------>  |      |   c c c c     |      |        |               |
//   for 4 rows of c                 +------+---------------+------+        +---------------+

#include <algorithm>
#include <type_traits>

#include "compute/engines/patches/four_columns.cuh"
#include "compute/engines/separable/cuda/separable_strip.cuh"
#include "compute/engines/separable/separable.h"
#include "compute/gpu/store.cuh"

namespace threadscape::separable {

/// The type that sums are held in. Column sums of integers are below 2^24 (max_column_magnitude), so multiply-adds in
/// floats do not round, and the GPU executes twice as many of them per cycle as of integer ones.
enum class Arithmetic {
  floats,    ///< Integer values, held in floats in both passes (Plan::below_2_24).
  integers,  ///< Integer values, held in floats in column sums and in integers in window sums.
  ordered    ///< Float values: each product and each sum is rounded, in the order that separable.h states.
};

inline constexpr int block_threads = 256, block_warps = block_threads / 32;
inline constexpr int block_columns = 32 * 4;  ///< Each lane of a warp has four neighbouring results of a row.
inline constexpr int rows_at_once = 4;        ///< Rows of column sums that a thread computes at a time.
inline constexpr int max_tap_groups = (2 * max_radius + rows_at_once + 3) / 4 + 1;  ///< Groups of four taps.

static_assert(block_columns == 32 * 4, "the second pass gives four results of a row to every lane of a warp");
static_assert(rows_at_once <= 4, "a group of four taps and the taps before it serve at most four rows");

/// The tile of a block for pictures of P.
template <class P>
struct BlockShape {
  /// Pixels with several planes wait in registers for the results of all planes, so their tiles are lower.
  static constexpr int rows = P::count > 1 || sizeof(typename P::Pixel) > 4 ? 16 : 32;
  static constexpr int min_blocks = sizeof(typename P::Pixel) > 4 ? 1 : 2;  ///< Resident blocks per multiprocessor.
  static constexpr int lines = rows / block_warps;                          ///< Rows of results per thread.
  static constexpr int pitch = block_columns + 2 * ((max_radius + 3) / 4 * 4) + 4;
  static_assert(block_threads % 32 == 0 && rows % block_warps == 0, "every warp has as many rows of results");
  static_assert(rows % rows_at_once == 0, "column sums are computed for whole groups of rows");
  static_assert(pitch % 4 == 0 && pitch >= block_columns + 2 * max_radius + 4,
                "a row of sums is read in groups of four");
};

/// sum + tap * value; fused for integers in floats, which changes nothing as they are exact.
template <Arithmetic arithmetic, class Sum>
__device__ Sum added(Sum tap, Sum value, Sum sum) {
  if constexpr (arithmetic == Arithmetic::floats)
    return product_added(tap, value, sum);
  else
    return sum + tap * value;
}

/// Column sums of one term for four columns and rows_at_once rows. row_of[r] is the row of the picture that stands for
/// the r-th row, counted from `radius` above the first of the rows; -1 for zeros.
template <class P, Arithmetic arithmetic>
__device__ void sum_columns(const ImageView<const typename P::Pixel, Space::device>& in, const FourColumns<P>& columns,
                            const int* row_of, int plane, int size, const Quad<float>* taps,
                            float (&sum)[rows_at_once][4]) {
  constexpr int rows = rows_at_once;
  const int groups = (size + rows + 2) / 4;
#pragma unroll
  for (int i = 0; i < 4 * rows; ++i)
    sum[i / 4][i % 4] = 0.0f;
  float tap[rows + 3] = {};  // the taps of this group, after the rows - 1 taps before them
#pragma unroll 1
  for (int g = 0; g < groups; ++g) {
    const Quad<float> next = taps[g];
#pragma unroll
    for (int i = 0; i < rows - 1; ++i)
      tap[i] = tap[i + 4];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      tap[rows - 1 + i] = next.value[i];
    Quad<float> values[4];
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      const int row = row_of[4 * g + i];
      values[i] = row < 0 ? Quad<float>{} : columns.floats(in.row(row), plane);
    }
    // Taps beyond the mask are zeros, which only exact sums may add: 0 times infinity is not 0.
    const bool all = arithmetic != Arithmetic::ordered || (4 * g >= rows - 1 && 4 * g + 3 < size);
#pragma unroll
    for (int i = 0; i < 4; ++i) {
#pragma unroll
      for (int j = 0; j < rows; ++j) {
        const int k = 4 * g + i - j;
        if (!all && (k < 0 || k >= size)) continue;
#pragma unroll
        for (int c = 0; c < 4; ++c)
          sum[j][c] = added<arithmetic>(tap[rows - 1 + i - j], values[i].value[c], sum[j][c]);
      }
    }
  }
}

/// Window sums of four neighbouring pixels in each of `lines` rows of column sums, which lie `stride` values apart.
/// `taps` are `skipped` zeros and then the `size` taps of the mask; the first of them belongs to from[0].
template <Arithmetic arithmetic, int lines, class Sum>
__device__ void sum_along(const Sum* from, int stride, int skipped, int size, const Quad<Sum>* taps,
                          Sum (&sum)[lines][4]) {
  const auto quad = [&](int line, int group) {
    return *reinterpret_cast<const Quad<Sum>*>(from + line * stride + 4 * group);
  };
  Quad<Sum> left[lines];
#pragma unroll
  for (int line = 0; line < lines; ++line) {
    left[line] = quad(line, 0);
#pragma unroll
    for (int i = 0; i < 4; ++i)
      sum[line][i] = Sum{0};
  }
  const int groups = (skipped + size + 3) / 4;
#pragma unroll 1
  for (int g = 0; g < groups; ++g) {
    const Quad<Sum> tap = taps[g];
    const bool all = arithmetic != Arithmetic::ordered || (4 * g >= skipped && 4 * g + 4 <= skipped + size);
#pragma unroll
    for (int line = 0; line < lines; ++line) {
      const Quad<Sum> right = quad(line, g + 1);
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        if (!all && (4 * g + i < skipped || 4 * g + i >= skipped + size)) continue;
#pragma unroll
        for (int p = 0; p < 4; ++p) {
          const Sum value = i + p < 4 ? left[line].value[(i + p) % 4] : right.value[(i + p) % 4];
          sum[line][p] = added<arithmetic>(tap.value[i], value, sum[line][p]);
        }
      }
      left[line] = right;
    }
  }
}

/// Copies the taps to shared memory, by all threads of the block: those of rows behind `skipped` zeros, and zeros
/// behind the taps. The caller synchronises.
template <Arithmetic arithmetic, class Sum>
__device__ void copy_taps(const Plan& plan, int skipped, int thread,
                          Quad<float> (&column_taps)[max_terms][max_tap_groups],
                          Quad<Sum> (&row_taps)[max_terms][max_tap_groups]) {
  const int size = 2 * plan.radius + 1;
  for (int i = thread; i < max_terms * 4 * max_tap_groups; i += block_threads) {
    const int term = i / (4 * max_tap_groups), k = i % (4 * max_tap_groups), k_row = k - skipped;
    float column_tap = 0.0f;
    Sum row_tap = 0;
    if constexpr (arithmetic == Arithmetic::ordered) {
      if (k < size) column_tap = plan.real.column[term][k];
      if (k_row >= 0 && k_row < size) row_tap = plan.real.row[term][k_row];
    } else {
      if (k < size) column_tap = plan.whole.column[term][k];
      if (k_row >= 0 && k_row < size) row_tap = plan.whole.row[term][k_row];
    }
    column_taps[term][k / 4].value[k % 4] = column_tap;
    row_taps[term][k / 4].value[k % 4] = row_tap;
  }
}

template <class P, Arithmetic arithmetic>
__global__ void __launch_bounds__(block_threads, BlockShape<P>::min_blocks)
    filter_block(ImageView<const typename P::Pixel, Space::device> in, const __grid_constant__ Plan plan, bool aligned,
                 cuda::EitherStore<typename P::Pixel> store) {
  using Pixel = typename P::Pixel;
  using Shape = BlockShape<P>;
  using Sum = std::conditional_t<arithmetic == Arithmetic::integers, int, float>;
  constexpr int lines = Shape::lines;
  __shared__ alignas(16) Sum sums[Shape::rows][Shape::pitch];
  __shared__ Quad<float> column_taps[max_terms][max_tap_groups];
  __shared__ Quad<Sum> row_taps[max_terms][max_tap_groups];
  __shared__ TilePlaces<Shape::pitch, Shape::rows + 4 * max_tap_groups> places;

  const int thread = static_cast<int>(threadIdx.x), radius = plan.radius, size = 2 * radius + 1;
  // The width is rounded up, because words of four pixels start at multiples of four.
  const int beside = (radius + 3) / 4 * 4;
  const int left = static_cast<int>(blockIdx.x) * block_columns, top = static_cast<int>(blockIdx.y) * Shape::rows;
  const int x = left + 4 * (thread % 32), line0 = thread / 32 * lines;

  copy_taps<arithmetic>(plan, beside - radius, thread, column_taps, row_taps);
  places.fill(left - beside, top - radius, in.width, in.height, plan.border, thread, block_threads);
  __syncthreads();

  PackedPixel<Pixel> result[lines][4];
#pragma unroll 1
  for (int plane = 0; plane < P::count; ++plane) {
    Sum total[lines][4];
    for (int term = 0; term < plan.terms; ++term) {
      const int words = (block_columns + 2 * beside) / 4 + 1;  // one more: sum_along() reads it, with taps of 0
      for (int item = thread; item < Shape::rows / rows_at_once * words; item += block_threads) {
        const int word = item % words, row0 = item / words * rows_at_once;
        const FourColumns<P> columns(places.column + 4 * word, left - beside + 4 * word, in.width, aligned);
        float sum[rows_at_once][4];
        sum_columns<P, arithmetic>(in, columns, places.row + row0, plane, size, column_taps[term], sum);
#pragma unroll
        for (int j = 0; j < rows_at_once; ++j) {
          Quad<Sum> quad;
#pragma unroll
          for (int i = 0; i < 4; ++i)
            quad.value[i] = arithmetic == Arithmetic::ordered
                                ? static_cast<Sum>(sum[j][i])
                                : static_cast<Sum>(Integers::column_value(static_cast<int>(sum[j][i]), plan));
          *reinterpret_cast<Quad<Sum>*>(&sums[row0 + j][4 * word]) = quad;
        }
      }
      __syncthreads();
      Sum sum[lines][4];
      sum_along<arithmetic, lines>(&sums[line0][4 * (thread % 32)], Shape::pitch, beside - radius, size, row_taps[term],
                                   sum);
#pragma unroll
      for (int i = 0; i < 4 * lines; ++i)
        total[i / 4][i % 4] = term == 0 ? sum[i / 4][i % 4] : total[i / 4][i % 4] + sum[i / 4][i % 4];
      __syncthreads();
    }
#pragma unroll
    for (int i = 0; i < 4 * lines; ++i) {
      const int column = x + i % 4, row = top + line0 + i / 4;
      // Starts as the input: keeps alpha, and the border under Border::valid.
      Pixel pixel = plane == 0 ? in(min(column, in.width - 1), min(row, in.height - 1))
                               : __builtin_bit_cast(Pixel, result[i / 4][i % 4]);
      using Result = std::conditional_t<arithmetic == Arithmetic::ordered, float, int>;
      if (plan.border != Border::valid || !window_leaves(column, row, in.width, in.height, radius))
        P::set(pixel, plane, finish_window(static_cast<Result>(total[i / 4][i % 4]), P::get(pixel, plane), plan));
      result[i / 4][i % 4] = __builtin_bit_cast(PackedPixel<Pixel>, pixel);
    }
  }

#pragma unroll
  for (int line = 0; line < lines; ++line)
    if (const int y = top + line0 + line; y < in.height) store_four<Pixel>(store, x, y, in.width, result[line]);
}

}  // namespace threadscape::separable

#pragma once
// The CUDA kernel of separable filters for 8-bit pictures and radius 1 to 4: luma, and Result::sharpen of all pictures.
// Both passes stay in registers; there is no shared memory and no barrier.
//
// A warp computes 8 rows of results. A lane holds the sums of four neighbouring columns, one 4-byte word of each row
// and plane:
//
//   lane            0          1          2      ...     30         31
//   columns      [....]     [....]     [....]         [....]     [....]     2 radius + 8 rows are read
//   column sums  [cccc]     [cccc]     [cccc]         [cccc]     [cccc]     8 rows of sums, in registers
//                      \   /      \   /                      \   /            shuffles: `radius` sums from either side
//   results                 [rrrr]     [rrrr]         [rrrr]                30 lanes x 4 columns = 120 columns
//
// A lane walks down the rows and adds every pixel to the column sums of all rows of results whose windows contain it,
// so each pixel is read and converted once. The first and the last lane only provide column sums.
//
// Sums are floats, because the GPU multiplies floats at twice the rate of integers. They hold integers below 2^24, so
// nothing rounds (Plan::below_2_24).

#include "compute/engines/patches/four_columns.cuh"
#include "compute/engines/patches/word_source.h"
#include "compute/engines/separable/separable_rounding.h"
#include "compute/gpu/store.cuh"

namespace threadscape::separable {

inline constexpr int max_strip_radius = 4;
inline constexpr int strip_rows = 8;
inline constexpr int strip_columns = 30 * 4;  ///< Four for each lane but the first and the last one.
inline constexpr int strip_warps = 4;
static_assert(strip_columns == 4 * (32 - 2), "the first and the last lane only provide column sums");
static_assert(max_strip_radius <= 4, "the sums of the next lane on either side reach over four columns");

/// The parts of a plan that the kernel uses, with the taps as floats.
struct StripPlan : SumRounding {
  Border border = Border::mirror;
  float column[2 * max_strip_radius + 1] = {};
  float row[2 * max_strip_radius + 1] = {};
};

inline StripPlan strip_plan(const Plan& plan) {
  StripPlan strip{sum_rounding(plan)};
  strip.border = plan.border;
  for (int i = 0; i <= 2 * plan.radius; ++i) {
    strip.column[i] = plan.whole.column[0][i];
    strip.row[i] = plan.whole.row[0][i];
  }
  return strip;
}

/// tap * value + sum, in one instruction.
TS_HD inline float product_added(float tap, float value, float sum) {
#if defined(__CUDA_ARCH__)
  return __fmaf_rn(tap, value, sum);
#else
  return tap * value + sum;  // The product and the sum are exact, so fusing them would change nothing.
#endif
}

/// Stores four neighbouring pixels at (x, y), from line `line` of the results of all planes.
template <class P, int radius>
__device__ __forceinline__ void store_line(const ImageView<const typename P::Pixel, Space::device>& in, int x, int y,
                                           const std::uint32_t (&result)[P::count][strip_rows], int line,
                                           const StripPlan& strip, const cuda::EitherStore<typename P::Pixel>& store) {
  using Pixel = typename P::Pixel;
  WordGroup<sizeof(Pixel)> pixels;
  if constexpr (sizeof(Pixel) == 1) {
    pixels = {result[0][line]};
  } else {
    constexpr int green = P::count == 3 ? 1 : 0, blue = P::count == 3 ? 2 : 0;
    const std::uint32_t alpha = split_pixels<Planes<Pixel, Channels::each>>(load_words<4>(&in(x, y))).kept;
    pixels = transpose({result[0][line], result[green][line], result[blue][line], alpha});
  }
  const bool kept = strip.border == Border::valid && (window_leaves(x, y, in.width, in.height, radius) ||
                                                      window_leaves(x + 3, y, in.width, in.height, radius));
  if (x + 4 <= in.width && !kept)
    store.store_wide(x, y, pixels);
  else
    store_pixels<Pixel>(in, x, y, radius, strip.border, pixels, store);
}

template <class P, int radius>
__global__ void __launch_bounds__(32 * strip_warps)
    filter_strips(ImageView<const typename P::Pixel, Space::device> in, StripPlan strip, Plan plan,
                  cuda::EitherStore<typename P::Pixel> store) {
  using Pixel = typename P::Pixel;
  constexpr int size = 2 * radius + 1;
  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  const int x = static_cast<int>(blockIdx.x) * strip_columns + 4 * (lane - 1);
  const int y = (static_cast<int>(blockIdx.y) * strip_warps + warp) * strip_rows;
  if (y >= in.height) return;  // The condition is equal in all lanes of the warp.

  const WordSource source = word_source(x, in.width, radius, strip.border);
  const bool edge = __any_sync(0xffffffffu, source.first != x) != 0;
  const bool rows_inside = y >= radius && y + strip_rows + radius <= in.height;
  std::uint32_t result[P::count][strip_rows];

#pragma unroll
  for (int plane = 0; plane < P::count; ++plane) {
    float column_sum[strip_rows][4];
#pragma unroll
    for (int i = 0; i < 4 * strip_rows; ++i)
      column_sum[i / 4][i % 4] = strip.column_start;
#pragma unroll
    for (int r = 0; r < strip_rows + 2 * radius; ++r) {
      int row = y + r - radius;
      if (!rows_inside) row = index_beside(row, in.height, strip.border);
      std::uint32_t word = 0;
      if (row >= 0 && source.first >= 0) word = plane_word<P>(in.row(row) + source.first, plane);
      if (edge) {
        std::uint32_t second = 0;
        if (row >= 0 && source.second >= 0) second = plane_word<P>(in.row(row) + source.second, plane);
        word = pick_bytes(word, second, source.pick);
      }
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        const float value = static_cast<float>(word >> 8 * i & 0xff);
#pragma unroll
        for (int j = 0; j < strip_rows; ++j)
          if (r - j >= 0 && r - j < size)
            column_sum[j][i] = product_added(strip.column[r - j], value, column_sum[j][i]);
      }
    }
#pragma unroll
    for (int j = 0; j < strip_rows; ++j) {
      float line[4 + 2 * radius];  // column sums from x - radius on
#pragma unroll
      for (int i = 0; i < 4; ++i)
        line[radius + i] = floored(column_sum[j][i], strip.column_unit) - floor_bias;
#pragma unroll
      for (int i = 0; i < radius; ++i) {
        line[i] = __shfl_up_sync(0xffffffffu, line[4 + i], 1);
        line[radius + 4 + i] = __shfl_down_sync(0xffffffffu, line[radius + i], 1);
      }
      std::uint32_t byte[4];
#pragma unroll
      for (int i = 0; i < 4; ++i) {
        float sum = strip.row_start;
#pragma unroll
        for (int k = 0; k < size; ++k)
          sum = product_added(strip.row[k], line[i + k], sum);
        if (plan.result == Result::sharpen) {
          const int own_x = min(max(x + i, 0), in.width - 1), own_y = min(y + j, in.height - 1);
          byte[i] = sharpened(static_cast<int>(sum), P::get(in(own_x, own_y), plane), plan);
        } else {
          byte[i] = __builtin_bit_cast(std::uint32_t, floored(sum, strip.row_unit));
        }
      }
      result[plane][j] = pick_bytes(pick_bytes(byte[0], byte[1], 0x0040), pick_bytes(byte[2], byte[3], 0x0040), 0x5410);
    }
  }

  if (lane == 0 || lane == 31 || x >= in.width) return;
#pragma unroll
  for (int j = 0; j < strip_rows; ++j) {
    if (y + j >= in.height) continue;  // `return` would keep the loop from being unrolled
    store_line<P, radius>(in, x, y + j, result, j, strip, store);
  }
}

}  // namespace threadscape::separable

// Separable filters on the GPU: strips in registers where they can do it (separable_strip.cuh), and tiles for all other
// pictures, radii and plans. Compare with separable_serial.cpp.

#include "compute/cuda/check.h"
#include "compute/neighbourhood/separable_cuda.h"
#include "compute/neighbourhood/separable_strip.cuh"

namespace threadscape::separable {
namespace {

// ---- Tiles: any radius, any number. Column sums of a tile and of what lies beside it go to shared memory; then the
// sums along them.

constexpr int tile_columns = 64, tile_rows = 16, tile_threads = 256;
constexpr int rows_at_once = 8;  ///< column sums of one thread, below each other: they share what they read
constexpr int pixels_per_thread = tile_columns * tile_rows / tile_threads;

template <class P, class Store>
__global__ void __launch_bounds__(tile_threads)
    filter_tiles(ImageView<const typename P::Pixel, Space::device> in, Plan plan, Store store) {
  using Rules = Arithmetic<typename P::Value>;
  using Sum = typename Rules::Sum;
  __shared__ Sum sums[most_terms][tile_rows][tile_columns + 2 * largest_radius];

  const auto& mask = Rules::mask(plan);
  const int thread = static_cast<int>(threadIdx.x), radius = plan.radius, columns = tile_columns + 2 * radius;
  const int left = static_cast<int>(blockIdx.x) * tile_columns, top = static_cast<int>(blockIdx.y) * tile_rows;
  const int x = left + thread % tile_columns, first_row = thread / tile_columns;
  constexpr int row_step = tile_threads / tile_columns;

  typename P::Pixel result[pixels_per_thread];  // starts as the input: keeps alpha, and the border under Border::valid
#pragma unroll
  for (int k = 0; k < pixels_per_thread; ++k)
    result[k] = in(min(x, in.width - 1), min(top + first_row + k * row_step, in.height - 1));

  for (int plane = 0; plane < P::count; ++plane) {
    for (int item = thread; item < columns * tile_rows / rows_at_once; item += tile_threads) {
      const int c = item % columns, row0 = item / columns * rows_at_once;
      const int column = near_index(left + c - radius, in.width, plan.border);
      for (int term = 0; term < plan.terms; ++term) {
        Sum sum[rows_at_once] = {};
        for (int r = 0; r < rows_at_once + 2 * radius; ++r) {
          const int row = near_index(top + row0 + r - radius, in.height, plan.border);
          const Sum value = column < 0 || row < 0 ? Sum{0} : static_cast<Sum>(P::get(in(column, row), plane));
#pragma unroll
          for (int j = 0; j < rows_at_once; ++j)
            if (r >= j && r - j <= 2 * radius) sum[j] += mask.column[term][r - j] * value;
        }
#pragma unroll
        for (int j = 0; j < rows_at_once; ++j)
          sums[term][row0 + j][c] = Rules::column_value(sum[j], plan);
      }
    }
    __syncthreads();
#pragma unroll
    for (int k = 0; k < pixels_per_thread; ++k) {
      const int row = first_row + k * row_step;
      Sum total[most_terms] = {};
      for (int i = 0; i <= 2 * radius; ++i)
        total[0] += mask.row[0][i] * sums[0][row][thread % tile_columns + i];
      if (plan.terms == 2) {
        for (int i = 0; i <= 2 * radius; ++i)
          total[1] += mask.row[1][i] * sums[1][row][thread % tile_columns + i];
        total[0] += total[1];
      }
      if (plan.border == Border::valid && window_leaves(x, top + row, in.width, in.height, radius)) continue;
      P::set(result[k], plane, finish_window(total[0], P::get(result[k], plane), plan));
    }
    __syncthreads();
  }
#pragma unroll
  for (int k = 0; k < pixels_per_thread; ++k)
    if (const int y = top + first_row + k * row_step; x < in.width && y < in.height) store.store(x, y, result[k]);
}

template <class P>
void launch_tiles(const Plan& plan, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  const auto in = run.in.image<Pixel>();
  const dim3 grid((in.width + tile_columns - 1) / tile_columns, (in.height + tile_rows - 1) / tile_rows);
  filter_tiles<P><<<grid, tile_threads, 0, run.stream>>>(in, plan, cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

// ---- Strips
// ------------------------------------------------------------------------------------------------------------------

template <class P, int radius>
void launch_strips(const Plan& plan, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  const auto in = run.in.image<Pixel>();
  constexpr int rows = strip_rows * strip_warps;
  const dim3 grid((in.width + strip_columns - 1) / strip_columns, (in.height + rows - 1) / rows);
  filter_strips<P, radius>
      <<<grid, 32 * strip_warps, 0, run.stream>>>(in, strip_plan(plan), plan, cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

/// Whether all words of the picture can be read and written whole, and folding back at a border once is enough.
template <class P>
bool strips_fit(const Plan& plan, const DeviceRun& run) {
  if constexpr (!std::is_same_v<typename P::Value, std::uint8_t>) return false;
  const cuda::EitherStore<typename P::Pixel> store(run.out);
  return plan.below_2_24 && plan.radius <= largest_strip_radius && plan.terms == 1 && cuda::rows_aligned(run.in) &&
         store.wide() && run.in.shape.width >= 16 && run.in.shape.height >= 16;
}

}  // namespace

void cuda(const Plan& plan, const DeviceRun& run) {
  if (launch_matrices(plan, run)) return;
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    if (!strips_fit<P>(plan, run)) return launch_tiles<P>(plan, run);
    if constexpr (std::is_same_v<typename P::Value, std::uint8_t>) {
      switch (plan.radius) {
        case 1:
          return launch_strips<P, 1>(plan, run);
        case 2:
          return launch_strips<P, 2>(plan, run);
        case 3:
          return launch_strips<P, 3>(plan, run);
        default:
          return launch_strips<P, 4>(plan, run);
      }
    }
  });
}

}  // namespace threadscape::separable

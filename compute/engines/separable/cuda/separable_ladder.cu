// The readable rungs of the ladder of memories, `global` and `shared`: one thread per pixel, the same sums in the same
// order as in separable_serial.cpp. `tiled`, the default, is chosen in separable_cuda.cu.
//
//   global                                              shared, per block of 32 x 8 pixels and plane
//
//   picture      column sums       result               +-------------------+
//   . x . . .    . . . . . . .    . . . . . . .         | tile with halo    |      +-------------------+
//   . x . . .    . x x x x x .    . . . x . . .         |    +---------+    | ---> | 8 rows of column  | ---> 32 x 8
//   . x . . .    . . . . . . .    . . . . . . .         |    | 32 x 8  |    |      | sums, with halo   |      results
//   1st kernel,  2nd kernel, along rows                 |    +---------+    |      +-------------------+
//   down columns                                        +-------------------+

#include "compute/engines/planes/plane_tile.cuh"
#include "compute/engines/separable/cuda/separable_cuda.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::separable {
namespace {

constexpr int block_width = 32, block_height = 8;
constexpr int max_tile_width = block_width + 2 * max_radius, max_tile_height = block_height + 2 * max_radius;

template <class P>
using DeviceImage = ImageView<const typename P::Pixel, Space::device>;

/// The column sum of one term around a pixel; value(i) is the pixel at tap i.
template <class Rules, class Value>
__device__ typename Rules::Sum column_sum(const Plan& plan, int term, const Value& value) {
  using Sum = typename Rules::Sum;
  Sum sum{0};
  for (int i = 0; i <= 2 * plan.radius; ++i)
    sum += Rules::mask(plan).column[term][i] * Sum(value(i));
  return Rules::column_value(sum, plan);
}
/// The window sum of a pixel; column_sum(term, i) is the column sum at tap i.
template <class Rules, class ColumnSum>
__device__ typename Rules::Sum window_sum(const Plan& plan, const ColumnSum& column_sum) {
  typename Rules::Sum sums[max_terms] = {};
  for (int term = 0; term < plan.terms; ++term)
    for (int i = 0; i <= 2 * plan.radius; ++i)
      sums[term] += Rules::mask(plan).row[term][i] * column_sum(term, i);
  return plan.terms == 2 ? sums[0] + sums[1] : sums[0];
}

// ---- global: column sums of all planes and terms wait in global memory between two kernels

template <class P, class Rules, class Sum = typename Rules::Sum>
__global__ void sum_columns_global(DeviceImage<P> in, const __grid_constant__ Plan plan, Sum* sums) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  const std::ptrdiff_t pixels = std::ptrdiff_t{in.width} * in.height;
  for (int plane = 0; plane < P::count; ++plane)
    for (int term = 0; term < plan.terms; ++term)
      sums[(plane * plan.terms + term) * pixels + std::ptrdiff_t{y} * in.width + x] = column_sum<Rules>(
          plan, term, [&](int i) { return plane_value<P>(in, x, y + i - plan.radius, plane, plan.border); });
}

template <class P, class Rules, class Sum = typename Rules::Sum>
__global__ void sum_rows_global(DeviceImage<P> in, const __grid_constant__ Plan plan, const Sum* sums,
                                cuda::EitherStore<typename P::Pixel> store) {
  const int x = blockIdx.x * block_width + threadIdx.x, y = blockIdx.y * block_height + threadIdx.y;
  if (x >= in.width || y >= in.height) return;
  const std::ptrdiff_t pixels = std::ptrdiff_t{in.width} * in.height;
  auto pixel = in(x, y);  // The copy keeps alpha.
  const bool keep = plan.border == Border::valid && window_leaves(x, y, in.width, in.height, plan.radius);
  for (int plane = 0; plane < P::count && !keep; ++plane) {
    const Sum sum = window_sum<Rules>(plan, [&](int term, int i) {
      const int column = border_index(x + i - plan.radius, in.width, plan.border);
      const Sum* const row = sums + (plane * plan.terms + term) * pixels + std::ptrdiff_t{y} * in.width;
      return column < 0 ? Sum{0} : row[column];  // Border::zero
    });
    P::set(pixel, plane, finish_window(sum, P::get(pixel, plane), plan));
  }
  store.store(x, y, pixel);
}

// ---- shared: a block loads its tile of a plane with the halo once, and its threads share their column sums

/// A block computes its pixels, or with `edges`, for Border::shrink, only those whose window leaves the picture.
template <class P, class Rules, bool edges, class Sum = typename Rules::Sum>
__global__ void filter_shared(DeviceImage<P> in, const __grid_constant__ Plan plan, EdgeBlocks edge_blocks,
                              cuda::EitherStore<typename P::Pixel> store) {
  using Value = typename P::Value;
  __shared__ Value tile[max_tile_height][max_tile_width];
  __shared__ Sum sums[max_terms][block_height][max_tile_width];

  const int radius = plan.radius, tile_width = block_width + 2 * radius, tile_height = block_height + 2 * radius;
  const int block_column = edges ? edge_blocks.block(blockIdx.x).column : blockIdx.x;
  const int block_row = edges ? edge_blocks.block(blockIdx.x).row : blockIdx.y;
  const int left = block_column * block_width, top = block_row * block_height;
  const int x = left + threadIdx.x, y = top + threadIdx.y;
  const bool leaves = window_leaves(x, y, in.width, in.height, radius);
  const bool inside = x < in.width && y < in.height && (!edges || leaves);
  const bool keep = plan.border == Border::valid && leaves;
  auto pixel = in(min(x, in.width - 1), min(y, in.height - 1));  // The copy keeps alpha.
  for (int plane = 0; plane < P::count; ++plane) {
    load_plane_tile<P>(in, left - radius, top - radius, tile_width, tile_height, plane, plan.border, &tile[0][0],
                       max_tile_width, [](Value value) { return value; });
    __syncthreads();
    for (int term = 0; term < plan.terms; ++term)
      for (int column = threadIdx.x; column < tile_width; column += block_width)
        sums[term][threadIdx.y][column] =
            column_sum<Rules>(plan, term, [&](int i) { return tile[threadIdx.y + i][column]; });
    __syncthreads();  // the tile may be overwritten from here on, the sums after the next barrier
    if (!inside || keep) continue;
    Sum sum = window_sum<Rules>(plan, [&](int term, int i) { return sums[term][threadIdx.y][threadIdx.x + i]; });
    if constexpr (edges) sum = completed_sum<Rules>(sum, plan, x, y, in.width, in.height);
    P::set(pixel, plane, finish_window(sum, P::get(pixel, plane), plan, edges ? completed_uncertainty : 1.0f));
  }
  if (inside) store.store(x, y, pixel);
}

}  // namespace

void launch_rung(Rung rung, const Plan& plan, const DeviceRun& run) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    with_arithmetic<typename P::Value>(plan, [&](auto rules) {
      using Rules = decltype(rules);
      using Sum = typename Rules::Sum;
      const DeviceImage<P> in = run.in.image<typename P::Pixel>();
      const cuda::EitherStore<typename P::Pixel> store(run.out);
      const dim3 block(block_width, block_height);
      const dim3 grid((in.width + block_width - 1) / block_width, (in.height + block_height - 1) / block_height);
      if (rung == Rung::shared) {
        const EdgeBlocks none(0, 0, 0, block_width, block_height);
        filter_shared<P, Rules, false><<<grid, block, 0, run.stream>>>(in, plan, none, store);
        TS_CUDA_LAUNCHED();
        return;
      }
      Sum* const sums = run.scratch->take<Sum>(intermediate_bytes(plan, run.in.shape) / sizeof(Sum)).data();
      sum_columns_global<P, Rules><<<grid, block, 0, run.stream>>>(in, plan, sums);
      TS_CUDA_LAUNCHED();
      sum_rows_global<P, Rules><<<grid, block, 0, run.stream>>>(in, plan, sums, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

void launch_shrunk_edges(const Plan& plan, const DeviceRun& run) {
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    with_arithmetic<typename P::Value>(plan, [&](auto rules) {
      const DeviceImage<P> in = run.in.image<typename P::Pixel>();
      const EdgeBlocks blocks(in.width, in.height, plan.radius, block_width, block_height);
      filter_shared<P, decltype(rules), true><<<blocks.count(), dim3(block_width, block_height), 0, run.stream>>>(
          in, plan, blocks, cuda::EitherStore<typename P::Pixel>(run.out));
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::separable

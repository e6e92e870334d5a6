// Percentiles of bytes with large windows on the GPU. A block walks down a strip of the picture. Every column of the
// strip has a histogram in shared memory, of its values in the rows of the window. A warp slides its window along a
// row: the window's histogram is spread over the registers of its lanes, and for each pixel one column is added and one
// is subtracted. Compare with median_histogram_openmp.cpp.
//
//   lane          0        1         ...   31            LaneCounts, four registers of u16x2 per lane:
//   bins (of 256) 0 .. 7   8 .. 15         248 .. 255    (0, 2) (1, 3) (4, 6) (5, 7)

#include "compute/algorithms/smoothing/median/cuda/median_cuda.h"
#include "compute/gpu/check.h"
#include "compute/gpu/device.h"
#include "compute/gpu/store.cuh"

namespace threadscape::median {
namespace {

constexpr int strip_rows = 32;         ///< Rows of results per block.
constexpr int warp_pixels = 32;        ///< Results of a row per warp; lane i keeps that of pixel i.
constexpr int max_strip_pixels = 256;  ///< Results of a row per block.
constexpr unsigned all_lanes = 0xffffffffu;
/// Bytes of the histogram of a column: two words more than 256, so that lanes with neighbouring columns and similar
/// values access different banks.
constexpr int column_bytes = 264;

/// The eight bins of a column that belong to a lane, a byte each: no column contains more than 75 values.
__device__ uint2 lane_bins(const std::uint8_t* columns, int column, int lane) {
  return *reinterpret_cast<const uint2*>(columns + column * column_bytes + 8 * lane);
}

/// The eight bins of the window that belong to a lane, as u16x2: bins (0, 2), (1, 3), (4, 6) and (5, 7).
struct LaneCounts {
  std::uint32_t pair[4] = {};

  __device__ void add(uint2 bins) {
    pair[0] += bins.x & 0x00ff00ffu;
    pair[1] += bins.x >> 8 & 0x00ff00ffu;
    pair[2] += bins.y & 0x00ff00ffu;
    pair[3] += bins.y >> 8 & 0x00ff00ffu;
  }
  __device__ void slide(uint2 added, uint2 removed) {
    // 128 is added to each byte, so that no difference borrows from its neighbour.
    const std::uint32_t low = (added.x | 0x80808080u) - removed.x, high = (added.y | 0x80808080u) - removed.y;
    pair[0] += (low & 0x00ff00ffu) - 0x00800080u;
    pair[1] += (low >> 8 & 0x00ff00ffu) - 0x00800080u;
    pair[2] += (high & 0x00ff00ffu) - 0x00800080u;
    pair[3] += (high >> 8 & 0x00ff00ffu) - 0x00800080u;
  }
  [[nodiscard]] __device__ std::uint32_t sum() const {
    const std::uint32_t total = pair[0] + pair[1] + pair[2] + pair[3];
    return (total & 0xffffu) + (total >> 16);
  }
  /// The index of the first bin up to which the lane counts more than `rank` values; 7 if there is none before it.
  [[nodiscard]] __device__ int find(int rank) const {
    int bin = 0;
#pragma unroll
    for (int i = 0; i < 7; ++i) {
      const std::uint32_t two = pair[i / 4 * 2 + i % 2];
      rank -= static_cast<int>(i % 4 < 2 ? two & 0xffffu : two >> 16);
      bin += rank >= 0;
    }
    return bin;
  }
};

/// The value of this rank in the window of a warp. `sum` is the number of values that the lane counts, and `up_to` that
/// of this lane and all lanes before it.
__device__ int select(const LaneCounts& counts, int sum, int up_to, int rank, int lane) {
  const int chosen = __popc(__ballot_sync(all_lanes, up_to <= rank));
  const int value = 8 * lane + counts.find(rank - (up_to - sum));
  return __shfl_sync(all_lanes, value, chosen);
}

/// The results of the warp_pixels windows that start at columns first, first + 1, ...; lane i returns that of pixel i.
__device__ int filter_row(const std::uint8_t* columns, int first, const Plan& plan, int lane) {
  LaneCounts even;
  for (int i = 0; i < plan.size; ++i)
    even.add(lane_bins(columns, first + i, lane));
  int own = 0;
  for (int i = 0; i < warp_pixels; i += 2) {  // two pixels at a time: their counts share one sum over the lanes
    const int column = first + i;
    LaneCounts odd = even;
    odd.slide(lane_bins(columns, column + plan.size, lane), lane_bins(columns, column, lane));
    const std::uint32_t sums = even.sum() | odd.sum() << 16;
    std::uint32_t up_to = sums;
#pragma unroll
    for (int distance = 1; distance < 32; distance *= 2) {
      const std::uint32_t lower = __shfl_up_sync(all_lanes, up_to, distance);
      if (lane >= distance) up_to += lower;
    }
    const int even_result = select(even, sums & 0xffffu, up_to & 0xffffu, plan.rank, lane);
    const int odd_result = select(odd, sums >> 16, up_to >> 16, plan.rank, lane);
    if (lane == i) own = even_result;
    if (lane == i + 1) own = odd_result;
    even = odd;
    if (i + 2 < warp_pixels)
      even.slide(lane_bins(columns, column + 1 + plan.size, lane), lane_bins(columns, column + 1, lane));
  }
  return own;
}

template <class P, class Store>
__global__ void __launch_bounds__(max_strip_pixels)
    filter_by_histograms(ImageView<const typename P::Pixel, Space::device> in, Plan plan, Store store) {
  // Shared memory holds the histograms of the columns of the strip, then the results of all planes but the last.
  extern __shared__ uint2 shared_words[];
  std::uint8_t* const columns = reinterpret_cast<std::uint8_t*>(shared_words);
  const int radius = plan.radius(), strip_pixels = blockDim.x, strip_columns = strip_pixels + 2 * radius;
  std::uint8_t* const results = columns + strip_columns * column_bytes;

  const int lane = threadIdx.x % 32, x0 = blockIdx.x * strip_pixels, y0 = blockIdx.y * strip_rows;
  const int x = x0 + threadIdx.x, rows = min(strip_rows, in.height - y0);
  const bool busy = x - lane < in.width;  // some pixel of the warp lies in the picture

  for (int plane = 0; plane < P::count; ++plane) {
    for (int i = threadIdx.x; i < strip_columns * column_bytes / 8; i += blockDim.x)
      shared_words[i] = uint2{0, 0};
    __syncthreads();
    // One thread updates a column: rows first .. last are added, and row `leaving` is removed if it has been added
    // before.
    const auto update_columns = [&](int first, int last, int leaving) {
      for (int column = threadIdx.x; column < strip_columns; column += blockDim.x) {
        std::uint8_t* const bins = columns + column * column_bytes;
        const int at = x0 + column - radius;
        if (leaving >= y0 - radius) --bins[plane_value<P>(in, at, leaving, plane, plan.border)];
        for (int row = first; row <= last; ++row)
          ++bins[plane_value<P>(in, at, row, plane, plan.border)];
      }
    };
    for (int row = 0; row < rows; ++row) {
      const int y = y0 + row;
      update_columns(row == 0 ? y - radius : y + radius, y + radius, y - radius - 1);
      __syncthreads();
      if (busy) {
        const auto result = static_cast<std::uint8_t>(filter_row(columns, threadIdx.x - lane, plan, lane));
        if (plane + 1 < P::count) {
          results[(plane * strip_rows + row) * strip_pixels + threadIdx.x] = result;
        } else if (x < in.width) {
          auto pixel = in(x, y);
          if (plan.border != Border::valid || !window_leaves(x, y, in.width, in.height, radius)) {
            for (int other = 0; other < plane; ++other)
              P::set(pixel, other, results[(other * strip_rows + row) * strip_pixels + threadIdx.x]);
            P::set(pixel, plane, result);
          }
          store.store(x, y, pixel);
        }
      }
      __syncthreads();
    }
  }
}

}  // namespace

void launch_histograms(const Plan& plan, const DeviceRun& run) {
  with_planes<std::uint8_t>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    using Pixel = typename P::Pixel;
    const auto in = run.in.image<Pixel>();
    const auto max_shared = static_cast<int>(run.stream.device->info().shared_bytes_per_block_optin);
    const auto shared_bytes = [&](int pixels) {
      return (pixels + 2 * plan.radius()) * column_bytes + (P::count - 1) * strip_rows * pixels;
    };
    int pixels = max_strip_pixels;
    while (pixels > warp_pixels && (shared_bytes(pixels) > max_shared || pixels / 2 >= in.width))
      pixels /= 2;
    const dim3 grid((in.width + pixels - 1) / pixels, (in.height + strip_rows - 1) / strip_rows);
    cuda::dispatch_store<Pixel>(run.out, [&](auto store) {
      const auto kernel = filter_by_histograms<P, decltype(store)>;
      TS_CUDA_CHECK(cudaFuncSetAttribute(reinterpret_cast<const void*>(kernel),
                                         cudaFuncAttributeMaxDynamicSharedMemorySize, shared_bytes(pixels)));
      filter_by_histograms<P><<<grid, pixels, shared_bytes(pixels), run.stream>>>(in, plan, store);
      TS_CUDA_LAUNCHED();
    });
  });
}

}  // namespace threadscape::median

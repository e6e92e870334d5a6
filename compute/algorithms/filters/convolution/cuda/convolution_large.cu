// Masks of any size on the GPU: the default variant for masks beyond 9x9 that are not computed in two passes. A block
// loads its tile and the halo into shared memory, and a thread computes 4 x 4 neighbouring pixels, so that what it
// reads from there serves many sums. Exact masks are summed in integers, four products per instruction. Compare with
// convolution_serial.cpp.
//
//   tile of a block, 128 columns                       a thread: 16 sums in registers
//   +--------+--------+--------+-- --+---------+
//   | lane 0 | lane 1 | lane 2 | ... | lane 31 |       warp 0: rows 0 .. 3, four columns per lane
//   +--------+--------+--------+-- --+---------+
//   |                                          |       warp 1: rows 4 .. 7
//   +------------------------------------------+
//
// In a row a lane needs the words `lane + word` and `lane + word + 1` of the tile for word `word` of the mask, so
// neighbouring lanes read neighbouring words of shared memory.

#include "compute/algorithms/filters/convolution/convolution_large.h"
#include "compute/algorithms/filters/convolution/cuda/convolution_cuda.h"
#include "compute/engines/patches/four_columns.cuh"
#include "compute/engines/planes/planes.h"
#include "compute/gpu/check.h"
#include "compute/gpu/store.cuh"

namespace threadscape::convolution {
namespace {

constexpr int rows_per_thread = 4;
constexpr int tile_columns = 32 * 4;
constexpr int max_beside = (max_radius + 3) / 4 * 4;
constexpr int tile_words = (tile_columns + 2 * max_beside) / 4 + 1;

/// The part of the plan that both kernels need.
struct LargeWindow {
  int size, radius;
  Border border;
  UnitFinish finish;
  bool aligned;  ///< Rows of the picture start at multiples of 16 bytes.
};

template <class Pixel>
using DeviceImage = ImageView<const Pixel, Space::device>;

/// The 4 x 4 pixels of a thread. They start as the input, which keeps alpha, and the border for Border::valid.
template <class Pixel>
struct ThreadPixels {
  int x, y;
  PackedPixel<Pixel> held[rows_per_thread][4];

  template <class P, class F>
  __device__ void set(const DeviceImage<Pixel>& in, const LargeWindow& window, int plane, const F& value) {
#pragma unroll
    for (int i = 0; i < 4 * rows_per_thread; ++i) {
      const int column = x + i % 4, row = y + i / 4;
      Pixel pixel = plane == 0 ? in(min(column, in.width - 1), min(row, in.height - 1))
                               : __builtin_bit_cast(Pixel, held[i / 4][i % 4]);
      if (window.border != Border::valid || !window_leaves(column, row, in.width, in.height, window.radius))
        P::set(pixel, plane, value(i / 4, i % 4));
      held[i / 4][i % 4] = __builtin_bit_cast(PackedPixel<Pixel>, pixel);
    }
  }
  template <class Store>
  __device__ void store(const DeviceImage<Pixel>& in, const Store& store) const {
#pragma unroll
    for (int row = 0; row < rows_per_thread; ++row)
      if (y + row < in.height) store_four<Pixel>(store, x, y + row, in.width, held[row]);
  }
};

// ---- Exact masks: words of four pixels times words of four taps

constexpr int byte_warps = 8;
constexpr int byte_rows = byte_warps * rows_per_thread;
constexpr int max_byte_rows = byte_rows + 4 * max_row_groups;

/// The argument of convolve_digits(); see DigitMask.
struct DigitPlan {
  LargeWindow window;
  int digits;
  const std::uint32_t* words;  ///< DigitMask::words in device memory.
  std::uint8_t first[max_mask_words], last[max_mask_words];
};

template <class P>
__global__ void __launch_bounds__(32 * byte_warps)
    convolve_digits(DeviceImage<typename P::Pixel> in, const __grid_constant__ DigitPlan plan,
                    cuda::EitherStore<typename P::Pixel> store) {
  constexpr int threads = 32 * byte_warps;
  __shared__ std::uint32_t tile[max_byte_rows][tile_words];
  __shared__ Quad<std::uint32_t> taps[max_mask_words][max_row_groups];
  __shared__ TilePlaces<4 * tile_words, max_byte_rows> places;

  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, row0 = thread / 32 * rows_per_thread;
  const int radius = plan.window.radius, beside = (radius + 3) / 4 * 4;
  const int words = (skipped_columns(radius) + plan.window.size + 3) / 4;
  const int left = static_cast<int>(blockIdx.x) * tile_columns, top = static_cast<int>(blockIdx.y) * byte_rows;
  ThreadPixels<typename P::Pixel> result{left + 4 * lane, top + row0, {}};
  places.fill(left - beside, top - radius, in.width, in.height, plan.window.border, thread, threads);
  __syncthreads();

#pragma unroll 1
  for (int plane = 0; plane < P::count; ++plane) {
    const int used = (tile_columns + 2 * beside) / 4 + 1, rows = byte_rows + 2 * radius;
    for (int column = lane; column < used; column += 32) {
      const FourColumns<P> columns(places.column + 4 * column, left - beside + 4 * column, in.width,
                                   plan.window.aligned);
      for (int row = thread / 32; row < rows; row += byte_warps) {
        const int y = places.row[row];
        tile[row][column] = y < 0 ? 0 : columns.word(in.row(y), plane);
      }
    }
    int sum[rows_per_thread][4] = {};
    for (int digit = 0; digit < plan.digits; ++digit) {
      for (int i = thread; i < 4 * max_mask_words * max_row_groups; i += threads)
        taps[i / (4 * max_row_groups)][i / 4 % max_row_groups].value[i % 4] =
            plan.words[digit * 4 * max_mask_words * max_row_groups + i];
      __syncthreads();
#pragma unroll
      for (int i = 0; i < 4 * rows_per_thread; ++i)
        sum[i / 4][i % 4] = static_cast<int>(static_cast<std::uint32_t>(sum[i / 4][i % 4]) << 8);
      for (int word = 0; word < words; ++word) {
        std::uint32_t tap[rows_per_thread + 3] = {};  // taps of this word in successive rows of the mask
#pragma unroll 1
        for (int group = plan.first[word]; group < plan.last[word]; ++group) {
          const Quad<std::uint32_t> next = taps[word][group];
#pragma unroll
          for (int i = 0; i < rows_per_thread - 1; ++i)
            tap[i] = tap[i + 4];
#pragma unroll
          for (int i = 0; i < 4; ++i)
            tap[rows_per_thread - 1 + i] = next.value[i];
#pragma unroll
          for (int i = 0; i < 4; ++i) {
            const std::uint32_t* row = &tile[row0 + 4 * group + i][lane + word];
            const std::uint32_t near = row[0], far = row[1];
#pragma unroll
            for (int p = 0; p < 4; ++p) {
              const std::uint32_t pixels = pick_bytes(near, far, 0x3210u + 0x1111u * static_cast<std::uint32_t>(p));
#pragma unroll
              for (int j = 0; j < rows_per_thread; ++j)
                sum[j][p] = dot4(pixels, tap[rows_per_thread - 1 + i - j], sum[j][p]);
            }
          }
        }
      }
      __syncthreads();
    }
    result.template set<P>(in, plan.window, plane,
                           [&](int row, int i) { return finish_units(sum[row][i], plan.window.finish); });
  }
  result.store(in, store);
}

template <class P>
void launch_digits(const Plan& plan, const LargeWindow& window, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  const auto in = run.in.image<Pixel>();
  const DigitMask mask = digit_mask(plan);
  std::byte* words = run.scratch->take<std::byte>(max_mask_bytes).data();
  TS_CUDA_CHECK(cudaMemcpyAsync(words, mask.words, sizeof(mask.words), cudaMemcpyHostToDevice, run.stream));
  DigitPlan digits{window, mask.digits, reinterpret_cast<const std::uint32_t*>(words), {}, {}};
  std::copy(std::begin(mask.first), std::end(mask.first), digits.first);
  std::copy(std::begin(mask.last), std::end(mask.last), digits.last);
  const dim3 grid((in.width + tile_columns - 1) / tile_columns, (in.height + byte_rows - 1) / byte_rows);
  convolve_digits<P><<<grid, 32 * byte_warps, 0, run.stream>>>(in, digits, cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

// ---- Any mask: products and sums in the stated order. The rows of the tile are loaded in chunks, so that floats fit
// into shared memory.

constexpr int real_warps = 4;
constexpr int real_rows = real_warps * rows_per_thread;
constexpr int chunk_rows = 16;
constexpr int max_chunks = (max_size + rows_per_thread - 1 + chunk_rows - 1) / chunk_rows;

template <class P>
__global__ void __launch_bounds__(32 * real_warps, sizeof(typename P::Pixel) > 4 ? 3 : 4)
    convolve_large_real(DeviceImage<typename P::Pixel> in, LargeWindow window, const RealMask* mask,
                        cuda::EitherStore<typename P::Pixel> store) {
  constexpr int threads = 32 * real_warps, tile_rows = chunk_rows + real_rows - rows_per_thread;
  constexpr int mask_rows = chunk_rows + rows_per_thread - 1;
  __shared__ Quad<float> tile[tile_rows][tile_words];
  __shared__ Quad<float> taps[mask_rows][max_mask_words];
  __shared__ TilePlaces<4 * tile_words, max_chunks * chunk_rows + tile_rows> places;

  const int thread = static_cast<int>(threadIdx.x), lane = thread % 32, row0 = thread / 32 * rows_per_thread;
  const int radius = window.radius, size = window.size, beside = (radius + 3) / 4 * 4, skipped = beside - radius;
  const int words = (skipped + size + 3) / 4;
  const int left = static_cast<int>(blockIdx.x) * tile_columns, top = static_cast<int>(blockIdx.y) * real_rows;
  ThreadPixels<typename P::Pixel> result{left + 4 * lane, top + row0, {}};
  places.fill(left - beside, top - radius, in.width, in.height, window.border, thread, threads);
  __syncthreads();

#pragma unroll 1
  for (int plane = 0; plane < P::count; ++plane) {
    float sum[rows_per_thread][4] = {};
    for (int chunk = 0; chunk < size + rows_per_thread - 1; chunk += chunk_rows) {
      __syncthreads();
      const int used = (tile_columns + 2 * beside) / 4 + 1;
      for (int column = lane; column < used; column += 32) {
        const FourColumns<P> columns(places.column + 4 * column, left - beside + 4 * column, in.width, window.aligned);
        for (int row = thread / 32; row < tile_rows; row += real_warps) {
          const int y = places.row[chunk + row];
          tile[row][column] = y < 0 ? Quad<float>{} : columns.floats(in.row(y), plane);
        }
      }
      const int above = chunk - (rows_per_thread - 1);  // the row of the mask that is loaded first
      for (int i = thread; i < 4 * max_mask_words * mask_rows; i += threads) {
        const int row = i / (4 * max_mask_words), column = i % (4 * max_mask_words), ky = above + row;
        taps[row][column / 4].value[column % 4] = ky >= 0 && ky < size ? mask->taps[ky][column] : 0.0f;
      }
      __syncthreads();
      for (int r = 0; r < chunk_rows; ++r) {
        const Quad<float>* line = &tile[row0 + r][lane];
        Quad<float> near = line[0];
#pragma unroll 1
        for (int word = 0; word < words; ++word) {
          const Quad<float> far = line[word + 1];
          // The zeros beside the mask are not multiplied: 0 times infinity is NaN.
          const bool all = 4 * word >= skipped && 4 * word + 4 <= skipped + size;
#pragma unroll
          for (int j = 0; j < rows_per_thread; ++j) {
            if (const int ky = chunk + r - j; ky < 0 || ky >= size) continue;
            const Quad<float> tap = taps[rows_per_thread - 1 + r - j][word];
#pragma unroll
            for (int i = 0; i < 4; ++i) {
              if (!all && (4 * word + i < skipped || 4 * word + i >= skipped + size)) continue;
#pragma unroll
              for (int p = 0; p < 4; ++p)
                sum[j][p] += tap.value[i] * (i + p < 4 ? near.value[(i + p) % 4] : far.value[(i + p) % 4]);
            }
          }
          near = far;
        }
      }
    }
    result.template set<P>(in, window, plane, [&](int row, int i) {
      return finish_pixel<typename P::Value>(sum[row][i], window.finish.real);
    });
  }
  result.store(in, store);
}

template <class P>
void launch_large_real(const Plan& plan, const LargeWindow& window, const DeviceRun& run) {
  using Pixel = typename P::Pixel;
  const auto in = run.in.image<Pixel>();
  const RealMask mask = real_mask(plan);
  auto* taps = reinterpret_cast<RealMask*>(run.scratch->take<std::byte>(max_mask_bytes).data());
  TS_CUDA_CHECK(cudaMemcpyAsync(taps, &mask, sizeof(mask), cudaMemcpyHostToDevice, run.stream));
  const dim3 grid((in.width + tile_columns - 1) / tile_columns, (in.height + real_rows - 1) / real_rows);
  convolve_large_real<P><<<grid, 32 * real_warps, 0, run.stream>>>(in, window, taps, cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

}  // namespace

void launch_large(const Plan& plan, const DeviceRun& run) {
  const LargeWindow window{plan.size, plan.radius, plan.border, plan.unit_finish(), cuda::rows_aligned(run.in)};
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    if constexpr (std::is_same_v<typename P::Value, std::uint8_t>) {
      if (plan.exact) return launch_digits<P>(plan, window, run);
    }
    launch_large_real<P>(plan, window, run);
  });
}

}  // namespace threadscape::convolution

// Separable filters of 8-bit pictures on tensor cores, with products of bytes. Compare with separable_serial.cpp.
//
// Taps along columns, applied to 16 rows of results, are a band matrix: row m has the taps from column m on. It is
// multiplied with the picture, and the column sums are multiplied with the band matrix of the row's taps. Taps and
// column sums are longer than the bytes that tensor cores multiply, so they are split into digits, a high (signed) and
// a low byte, and the products are put together again. All numbers are integers: nothing rounds but what separable.h
// says.
//
// A warp walks down a strip of `blocks` x 16 bytes per row, 16 rows at a step. With g = lane / 4 and t = lane % 4:
//
//                            taps  16 x 32               pixels  32 x 8              column sums  16 x 8
//   columns, for byte i      rows g and g + 8,           rows 4t .. 4t + 3 and       of byte i: words 2t, 2t + 1 of
//   of 8 words:              columns 4t .. 4t + 3,   x   + 16 of byte i of word g =  rows g and g + 8
//                            + 16
//
//                            column sums  16 x 32        taps  32 x 8                window sums  16 x 8
//   rows, for 8 results      bytes 4t .. 4t + 3 of       the row's band          =   two of rows g and g + 8; two such
//   from 2 groups:           both groups, rows g     x                               tiles give four neighbouring bytes
//                            and g + 8
//
// The accumulator fragments of bytes i = 0 .. 3 of the first products are packed to four bytes, which are a word of the
// A fragment of the second: between the two passes there is no shared memory and no shuffle. B fragments of the first
// product need four rows of one byte in a word, so every lane transposes the 4 x 4 bytes that it loads.
//
// The bytes of a row are what is convolved: grey pixels, or RGBA pixels with taps four bytes apart.
//
// 4096 x 4096 grey on an H200: mean 15 and 31 0.025 and 0.031 ms, Gaussian of radius 8 / 16 / 32 0.034 / 0.041 / 0.059
// ms. What the steps of tuning gave is in docs/benchmarks/notes/separable-filters.md.

#include <algorithm>

#include "compute/engines/patches/word_source.h"
#include "compute/engines/separable/cuda/separable_matrix_bands.cuh"
#include "compute/gpu/check.h"
#include "compute/gpu/device.h"
#include "compute/gpu/matrix.cuh"
#include "compute/gpu/store.cuh"

namespace threadscape::separable {
namespace {

/// The offsets from which a lane loads its word of each pair of groups.
template <class B>
struct Columns {
  int first[B::pairs], second[B::pairs];  ///< Offsets in bytes in a row of the picture; -1 stands for zeros.
  std::uint32_t pick[B::pairs];           ///< Selector of pick_bytes(first, second).
  bool edge;                              ///< Some lane of the warp has a word that is not simply one of the picture.
};

/// The columns of a lane in the strip that begins, halo included, at byte `left` of a row.
template <class B>
__device__ Columns<B> columns_of(int left, int lane, int width, const Plan& plan) {
  Columns<B> columns;
  const int word = lane / 4;
  bool edge = false;
#pragma unroll
  for (int p = 0; p < B::pairs; ++p) {
    const int byte = left + 32 * p + 4 * (word / 2 + word % 2 * 4);
    WordSource source{byte, -1, 0x3210};
    if constexpr (B::spacing == 1) {
      if (byte < 0 || byte + 4 > width) source = word_source(byte, width, plan.radius, plan.border);
    } else {
      const int x = byte / 4;  // bytes are multiples of 4
      const bool reached = x >= -plan.radius && x < width + plan.radius;
      const int from = reached ? index_beside(x, width, plan.border) : -1;
      source.first = from < 0 ? -1 : 4 * from;
    }
    columns.first[p] = source.first;
    columns.second[p] = source.second;
    columns.pick[p] = source.pick;
    edge = edge || source.first != byte || source.second >= 0 || source.pick != 0x3210;
  }
  columns.edge = __any_sync(all_lanes, edge) != 0;
  return columns;
}

/// Transposes 4 x 4 bytes: from words of rows to words of columns.
__device__ void exchange(std::uint32_t (&v)[4]) {
  const WordGroup<4> turned = transpose({v[0], v[1], v[2], v[3]});
  for (int i = 0; i < 4; ++i)
    v[i] = turned.word[i];
}

/// Loads a lane's part of the 16 rows from `top` on. words[p][k] is of pair p, in row k of the lane's four.
template <class B>
__device__ void load_rows(ImageView<const typename B::Pixel, Space::device> in, const Columns<B>& columns, int top,
                          int lane, const Plan& plan, std::uint32_t (&words)[B::pairs][4]) {
  const int first = top + 4 * (lane % 4);
  if (!columns.edge && top >= 0 && top + 16 <= in.height) {
    const auto* at = reinterpret_cast<const unsigned char*>(in.row(first)) + columns.first[0];
#pragma unroll
    for (int k = 0; k < 4; ++k) {
#pragma unroll
      for (int p = 0; p < B::pairs; ++p)
        words[p][k] = load_words<1>(at + 32 * p).word[0];
      at += in.pitch * static_cast<int>(sizeof(typename B::Pixel));
    }
    return;
  }
  // All words are loaded without branches, from a valid place; those that should be zeros are replaced afterwards.
  std::uint32_t second[B::pairs][4];
  bool zeros[4];
#pragma unroll
  for (int k = 0; k < 4; ++k) {
    const bool reached = first + k >= -plan.radius && first + k < in.height + plan.radius;
    const int y = reached ? index_beside(first + k, in.height, plan.border) : -1;
    zeros[k] = y < 0;
    const auto* row = reinterpret_cast<const unsigned char*>(in.row(max(y, 0)));
#pragma unroll
    for (int p = 0; p < B::pairs; ++p) {
      words[p][k] = load_words<1>(row + max(columns.first[p], 0)).word[0];
      second[p][k] = B::spacing == 1 ? load_words<1>(row + max(columns.second[p], 0)).word[0] : 0;
    }
  }
#pragma unroll
  for (int p = 0; p < B::pairs; ++p) {
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if (zeros[k] || columns.first[p] < 0) words[p][k] = 0;
      if (zeros[k] || columns.second[p] < 0) second[p][k] = 0;
      words[p][k] = pick_bytes(words[p][k], second[p][k], columns.pick[p]);
    }
  }
}

/// The low and the high bytes of the column sums of four neighbouring bytes. With wide taps the lowest 8 bits of a sum
/// have been rounded off, and these are bits 8 to 23.
struct SumBytes {
  std::uint32_t low, high;
};
template <class B>
__device__ SumBytes bytes_of_sums(int a, int b, int c, int d) {
  constexpr std::uint32_t two = B::wide_taps ? 0x6521 : 0x5410;
  const std::uint32_t ab = pick_bytes(a, b, two), cd = pick_bytes(c, d, two);
  return {pick_bytes(ab, cd, 0x6420), pick_bytes(ab, cd, 0x7531)};
}

/// The rows of the picture that a step needs, [row / 16][pair][byte of a word]: four rows of one byte in a word.
template <class B>
using StepRows = std::uint32_t[2 * B::products_down][B::pairs][4];
/// Column sums of one term in rows g and g + 8, four neighbouring bytes by group of 16.
template <class B>
using ColumnSums = SumBytes[2 * B::products_across + B::groups][2];

/// Column sums of one term in both groups of pair p.
template <class B>
__device__ __forceinline__ void sum_columns(const StepRows<B>& rows, int p, int term, const BandWords<B>& bands,
                                            int lane, ColumnSums<B>& sums) {
  // Sums start with half of what they are divided by, which rounds them to the nearest integer.
  constexpr int column_half = B::wide_taps ? 1 << (column_shift - 1) : 0;
  constexpr cuda::IntAccumulator column_start{{column_half, column_half, column_half, column_half}}, zeros{};
  cuda::IntAccumulator sum[4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    cuda::IntAccumulator high;
#pragma unroll
    for (int k = 0; k < B::products_down; ++k) {
      const std::uint32_t pixels[2] = {rows[2 * k][p][i], rows[2 * k + 1][p][i]};
      sum[i] = cuda::multiply_add<std::uint8_t, std::uint8_t>(bands.column[term][0][k][lane].word, pixels,
                                                              k == 0 ? column_start : sum[i]);
      if constexpr (B::wide_taps)
        high = cuda::multiply_add<std::int8_t, std::uint8_t>(bands.column[term][1][k][lane].word, pixels,
                                                             k == 0 ? zeros : high);
    }
    if constexpr (B::wide_taps) {
#pragma unroll
      for (int k = 0; k < 4; ++k)
        sum[i].at[k] += 256 * high.at[k];
    }
  }
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    sums[2 * p][row] = bytes_of_sums<B>(sum[0].at[2 * row], sum[1].at[2 * row], sum[2].at[2 * row], sum[3].at[2 * row]);
    sums[2 * p + 1][row] = bytes_of_sums<B>(sum[0].at[2 * row + 1], sum[1].at[2 * row + 1], sum[2].at[2 * row + 1],
                                            sum[3].at[2 * row + 1]);
  }
}

/// Window sums of the 16 bytes of results of one block, from the column sums of all terms: total[0] are four
/// neighbouring bytes in row g, total[1] in row g + 8.
template <class B>
__device__ __forceinline__ void sum_rows(const ColumnSums<B> (&sums)[B::terms], int block, const BandWords<B>& bands,
                                         int lane, const cuda::IntAccumulator& row_start, int (&total)[2][4]) {
  constexpr cuda::IntAccumulator zeros{};
#pragma unroll
  for (int tile = 0; tile < 2; ++tile) {
    cuda::IntAccumulator low, middle, high;
#pragma unroll
    for (int i = 0; i < B::terms * B::products_across; ++i) {
      const int term = i / B::products_across, k = i % B::products_across;
      const auto& left = sums[term][block + 2 * k];
      const auto& right = sums[term][block + 2 * k + 1];
      const std::uint32_t low_sums[4] = {left[0].low, left[1].low, right[0].low, right[1].low};
      const std::uint32_t high_sums[4] = {left[0].high, left[1].high, right[0].high, right[1].high};
      const auto taps = [&](int digit) -> const std::uint32_t(&)[2] {
        return reinterpret_cast<const std::uint32_t(&)[2]>(bands.row[term][digit][k][lane].word[2 * tile]);
      };
      low = cuda::multiply_add<std::uint8_t, std::uint8_t>(low_sums, taps(0), i == 0 ? row_start : low);
      middle = cuda::multiply_add<std::int8_t, std::uint8_t>(high_sums, taps(0), i == 0 ? zeros : middle);
      if constexpr (B::wide_taps) {
        middle = cuda::multiply_add<std::uint8_t, std::int8_t>(low_sums, taps(1), middle);
        high = cuda::multiply_add<std::int8_t, std::int8_t>(high_sums, taps(1), i == 0 ? zeros : high);
      }
    }
#pragma unroll
    for (int k = 0; k < 4; ++k) {
      if constexpr (B::wide_taps) middle.at[k] += 256 * high.at[k];
      total[k / 2][2 * tile + k % 2] = low.at[k] + 256 * middle.at[k];
    }
  }
}

/// Four window sums as bytes of the result. `own` are the bytes of the picture at the same place.
template <class B>
__device__ std::uint32_t finish_word(const int (&sum)[4], std::uint32_t own, const Plan& plan, int reciprocal) {
  std::uint32_t byte[4];
#pragma unroll
  for (int i = 0; i < 4; ++i)
    if constexpr (B::smooth)
      byte[i] = static_cast<std::uint32_t>(__mulhi(sum[i], reciprocal));
    else
      byte[i] = finish_window(sum[i], static_cast<std::uint8_t>(own >> 8 * i), plan);
  return pick_bytes(pick_bytes(byte[0], byte[1], 0x0040), pick_bytes(byte[2], byte[3], 0x0040), 0x5410);
}

/// The results of one step in shared memory, 16 rows of a warp's strip. The length of the rows, 80 bytes, keeps lanes
/// that write at the same time in different banks.
template <class B>
struct Results {
  WordGroup<4> row[16][5];
};

/// Stores the results of a step, 16 bytes at a time, from column first_x and row y0 on. `inside`: all 16 rows and all
/// columns of the strip are results.
template <class B>
__device__ void write_results(ImageView<const typename B::Pixel, Space::device> in, const Results<B>& results,
                              int first_x, int y0, int lane, const Plan& plan, bool inside,
                              const cuda::EitherStore<typename B::Pixel>& store) {
  using Pixel = typename B::Pixel;
  constexpr int pixels = 16 / B::spacing, pieces = 16 * B::blocks;
  const auto write_piece = [&](int row, int block) {
    const int x = first_x + block * pixels, y = y0 + row;
    WordGroup<4> words = results.row[row][block];
    if constexpr (B::spacing == 4) {
      const WordGroup<4> own = load_words<4>(&in(x, y));
      for (int k = 0; k < 4; ++k)
        words.word[k] = (words.word[k] & 0x00ffffffu) | (own.word[k] & 0xff000000u);  // Keeps the original alpha.
    }
    store.store_wide(x, y, words);
  };
  if (inside) {
#pragma unroll
    for (int i = 0; i < pieces; i += 32)
      if (i + 32 <= pieces || i + lane < pieces) write_piece((i + lane) / B::blocks, (i + lane) % B::blocks);
    return;
  }
#pragma unroll 1
  for (int i = lane; i < pieces; i += 32) {
    const int row = i / B::blocks, block = i % B::blocks, x = first_x + block * pixels, y = y0 + row;
    if (x >= in.width || y >= in.height) continue;
    if (x + pixels <= in.width && plan.border != Border::valid) {
      write_piece(row, block);
      continue;
    }
#pragma unroll 1
    for (int k = 0; k < pixels && x + k < in.width; ++k) {
      Pixel pixel = in(x + k, y);
      if (plan.border != Border::valid || !window_leaves(x + k, y, in.width, in.height, plan.radius)) {
        const std::uint32_t word = reinterpret_cast<const std::uint32_t*>(&results.row[row][block])[k * B::spacing / 4];
        if constexpr (B::spacing == 1)
          pixel = static_cast<Pixel>(word >> 8 * (k % 4));
        else
          pixel = {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8),
                   static_cast<std::uint8_t>(word >> 16), pixel.a};
      }
      store.store(x + k, y, pixel);
    }
  }
}

/// The work of a block. The arguments are those of filter_matrices().
template <class B>
__device__ __forceinline__ void filter_strips(const ImageView<const typename B::Pixel, Space::device>& in,
                                              const Plan& plan, int steps, int reciprocal, int row_half,
                                              const cuda::EitherStore<typename B::Pixel>& store) {
  __shared__ BandWords<B> bands;
  __shared__ Results<B> results[B::warps_per_block];
  make_bands(bands, plan);
  __syncthreads();

  const int lane = static_cast<int>(threadIdx.x) % 32, warp = static_cast<int>(threadIdx.x) / 32;
  // Offset in bytes of the first result in a row.
  const int first_byte = static_cast<int>(blockIdx.x) * 16 * B::blocks;
  const int top = (static_cast<int>(blockIdx.y) * B::warps_per_block + warp) * 16 * steps;
  if (top >= in.height) return;  // The condition is equal in all lanes of the warp.

  const Columns<B> columns = columns_of<B>(first_byte - B::reach_across, lane, in.width, plan);
  const cuda::IntAccumulator row_start{{row_half, row_half, row_half, row_half}};
  const bool inside_columns = first_byte + 16 * B::blocks <= in.width * B::spacing && plan.border != Border::valid;

  StepRows<B> rows = {};
  std::uint32_t next[B::pairs][4];
#pragma unroll
  for (int i = 1; i < B::down; ++i) {
    load_rows<B>(in, columns, top - B::reach_down + 16 * (i - 1), lane, plan, rows[i]);
#pragma unroll
    for (int p = 0; p < B::pairs; ++p)
      exchange(rows[i][p]);
  }
  load_rows<B>(in, columns, top - B::reach_down + 16 * (B::down - 1), lane, plan, next);
  for (int step = 0; step < steps; ++step) {
    const int y0 = top + 16 * step;
    if (y0 >= in.height) return;
#pragma unroll
    for (int k = 0; k < 4 * B::pairs; ++k) {
#pragma unroll
      for (int i = 0; i + 1 < B::down; ++i)
        rows[i][k / 4][k % 4] = rows[i + 1][k / 4][k % 4];
      rows[B::down - 1][k / 4][k % 4] = next[k / 4][k % 4];
    }
    // The rows of the next step are on their way while this one is computed.
    if (step + 1 < steps && y0 + 16 < in.height)
      load_rows<B>(in, columns, y0 + 16 - B::reach_down + 16 * (B::down - 1), lane, plan, next);
#pragma unroll
    for (int p = 0; p < B::pairs; ++p)
      exchange(rows[B::down - 1][p]);

    // Column sums. A lane gets those of four neighbouring bytes in each group, in rows g and g + 8.
    ColumnSums<B> sums[B::terms] = {};
#pragma unroll
    for (int term = 0; term < B::terms; ++term) {
#pragma unroll
      for (int p = 0; p < B::pairs; ++p) {
        sum_columns<B>(rows, p, term, bands, lane, sums[term]);
      }
    }

    // Sums along rows, 16 bytes of results at a time.
#pragma unroll
    for (int block = 0; block < B::blocks; ++block) {
      int total[2][4];
      sum_rows<B>(sums, block, bands, lane, row_start, total);
#pragma unroll
      for (int row = 0; row < 2; ++row) {
        std::uint32_t own = 0;
        if constexpr (!B::smooth) {
          const int x =
              min((first_byte + 16 * block + 4 * (lane % 4)) / B::spacing, in.width - 1) & ~(4 / B::spacing - 1);
          own = load_words<1>(&in(x, min(y0 + lane / 4 + 8 * row, in.height - 1))).word[0];
        }
        results[warp].row[lane / 4 + 8 * row][block].word[lane % 4] = finish_word<B>(total[row], own, plan, reciprocal);
      }
    }
    __syncwarp();
    write_results<B>(in, results[warp], first_byte / B::spacing, y0, lane, plan, inside_columns && y0 + 16 <= in.height,
                     store);
    __syncwarp();
  }
}

template <class B>
__global__ void __launch_bounds__(32 * B::warps_per_block, B::at_once)
    filter_matrices(ImageView<const typename B::Pixel, Space::device> in, const __grid_constant__ Plan plan, int steps,
                    int reciprocal, int row_half, cuda::EitherStore<typename B::Pixel> store) {
  if (cuda::has_mma) filter_strips<B>(in, plan, steps, reciprocal, row_half, store);
}

template <class B>
void launch(const Plan& plan, const DeviceRun& run) {
  using Pixel = typename B::Pixel;
  const auto in = run.in.image<Pixel>();
  // Each warp begins with rows of halo that give no results, so it should take many steps; but few long blocks end at
  // different times. The number of steps is the one that gives at_once x rounds blocks per multiprocessor.
  constexpr int bytes = 16 * B::blocks, min_steps = 2;
  const int across = (in.width * B::spacing + bytes - 1) / bytes, step_rows = (in.height + 15) / 16;
  const int wanted = run.stream.device->info().multiprocessors * B::at_once * B::rounds;
  const int warps_down = std::max(1, wanted / across) * B::warps_per_block;
  const int steps = std::max(min_steps, (step_rows + warps_down - 1) / warps_down);
  const dim3 grid(across, (step_rows + steps * B::warps_per_block - 1) / (steps * B::warps_per_block));
  // The result of a smooth filter, (sum + half) / divisor, is computed as a product: see convolution_tiled.h.
  const int size = 2 * plan.radius + 1, divisor = plan.equal ? size * size : 1 << plan.bits;
  const auto reciprocal = static_cast<int>(((std::int64_t{1} << 32) + divisor - 1) / divisor);
  const int half = plan.result == Result::smooth ? divisor / 2 : 0;
  filter_matrices<B><<<grid, 32 * B::warps_per_block, 0, run.stream>>>(in, plan, steps, reciprocal, half,
                                                                       cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

template <class Pixel, int down, int across>
void launch_taps(const Plan& plan, const DeviceRun& run) {
  if (plan.terms == 2) {
    if constexpr (sizeof(Pixel) == 1) launch<Bands<Pixel, down, across, true, false, 2>>(plan, run);
  } else if (plan.result != Result::smooth) {
    launch<Bands<Pixel, down, across, true, false, 1>>(plan, run);
  } else if (plan.shift != 0) {
    launch<Bands<Pixel, down, across, true, true, 1>>(plan, run);
  } else {
    if constexpr (down <= 3) launch<Bands<Pixel, down, across, false, true, 1>>(plan, run);
  }
}

}  // namespace

bool launch_matrices(const Plan& plan, const DeviceRun& run) {
  const Shape& shape = run.in.shape;
  const bool colour = shape.channels == 4;
  const int reach = (colour ? 4 : 1) * plan.radius;  // Radius in bytes of a row.
  const bool narrow = plan.shift == 0 && plan.result == Result::smooth && plan.radius <= 15;
  if (plan.in_floats || plan.wide || plan.result == Result::divided || (!narrow && plan.shift != column_shift) ||
      shape.element != Element::u8 || (colour && (plan.channels == Channels::luma || plan.terms == 2)) || reach > 32 ||
      shape.width < 2 * plan.radius + 16 || shape.height < 2 * plan.radius + 16 || !cuda::rows_aligned(run.in) ||
      run.stream.device->info().compute_major < cuda::min_mma_capability)
    return false;
  if (colour) {
    if (!cuda::EitherStore<Rgba8>(run.out).wide()) return false;
    if (reach <= 8)
      launch_taps<Rgba8, 2, 2>(plan, run);
    else if (reach <= 16)
      launch_taps<Rgba8, 2, 3>(plan, run);
    else
      launch_taps<Rgba8, 2, 5>(plan, run);
    return true;
  }
  if (!cuda::EitherStore<std::uint8_t>(run.out).wide()) return false;
  if (reach <= 8)
    launch_taps<std::uint8_t, 2, 2>(plan, run);
  else if (reach <= 16)
    launch_taps<std::uint8_t, 3, 3>(plan, run);
  else
    launch_taps<std::uint8_t, 5, 5>(plan, run);
  return true;
}

}  // namespace threadscape::separable

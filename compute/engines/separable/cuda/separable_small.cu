// Smoothing of 8-bit pictures by windows up to 9x9 on tensor cores, in fp16. Compare with separable_matrix.cu, which
// takes any radius in bytes and needs more products, and with separable_serial.cpp.
//
// A warp walks along a strip of 16 rows, 32 bytes of each at a step. Column sums are a band matrix of the column's taps
// times 24 rows of the picture (16 + 2 * 4); window sums are the column sums times a band matrix of the row's taps.
// With g = lane / 4 and t = lane % 4:
//
//                          taps  16 x 24                 pixels  24 x 8              column sums  16 x 8
//   columns, for byte i    row g and g + 8,              rows 2t, 2t + 1, + 8,       of byte i: words 2t, 2t + 1 of
//   of 8 words:            columns 2t, 2t + 1,     x     + 16 of byte i of word g =  rows g and g + 8: word t of the
//                          + 8, + 16                                                 first and of the second group
//
//                          column sums  16 x 16          taps  16 x 8                results  16 x 8
//   rows, for 8 results    bytes 4t .. 4t + 3 of         the row's band,             two bytes of rows g and g + 8;
//   from 16 bytes:         a group, rows g, g + 8  x     its rows in that order   =  of two such tiles, four bytes
//
// The accumulator fragments of the first products, bytes i = 0 .. 3 packed to fp16, are the A fragment of the second:
// no shuffle lies between them. Rows come through shared memory (separable_small.cuh), copied two batches ahead; every
// warp has a ring of its own, so there is no barrier along the way.
//
// All numbers are integers that fp16 holds: pixels as 1024 + p, which is the byte p beside 0x64; taps up to 4096, of
// which those above 2048 are even; column sums less the middle of their range. The accumulators are floats with
// integers below 2^24, so nothing rounds but what separable.h says. The 1024 and the middle are subtracted where sums
// are rounded.
//
// The bytes of a row are what is smoothed: grey pixels, or RGBA pixels with taps four bytes apart.
//
// Radius 1 to 4, 4096 x 4096 grey on an H200: 0.014 ms, 57 % of the rate of a copy. What limits it and what was tried
// is in docs/benchmarks/notes/separable-filters.md.

#include <type_traits>

#include "compute/engines/separable/cuda/separable_small.cuh"
#include "compute/engines/separable/separable_rounding.h"
#include "compute/gpu/check.h"
#include "compute/gpu/device.h"
#include "compute/gpu/launch.cuh"
#include "compute/gpu/matrix.cuh"
#include "compute/gpu/store.cuh"

namespace threadscape::separable {
namespace {

/// Returns whether fp16 holds the taps and the column sums of a plan, which lie in 0 .. 255 * total / 2^shift. `total`
/// becomes the sum of the column's taps.
bool fits_fp16(const Plan& plan, int& total) {
  total = 0;
  for (int i = 0; i <= 2 * plan.radius; ++i) {
    const int tap = plan.whole.column[0][i];
    if (tap < 0 || tap > 2 * max_fp16_integer || (tap > max_fp16_integer && tap % 2 != 0) ||
        tap != plan.whole.row[0][i])
      return false;
    total += tap;
  }
  // Weights with a shift are those of gaussian_plan(): then the biases below are floats.
  return 255 * (total >> plan.shift) <= 2 * max_fp16_integer && (plan.shift == 0 || (plan.shift == 8 && total == 4096));
}

SmallPlan small_plan(const Plan& plan, const Shape& shape, int spacing, int total) {
  const SumRounding rounding = sum_rounding(plan);
  SmallPlan small{.border = plan.border,
                  .radius = plan.radius,
                  .across = BorderLines::of(static_cast<int>(shape.width), plan.border),
                  .down = BorderLines::of(static_cast<int>(shape.height), plan.border)};
  for (int i = 0; i <= 2 * plan.radius; ++i) {
    small.column[max_down + i - plan.radius] = cuda::fp16_bits(plan.whole.column[0][i]);
    small.row[max_across + spacing * (i - plan.radius)] = cuda::fp16_bits(plan.whole.row[0][i]);
  }
  const float middle = static_cast<float>(255 * (total >> plan.shift) / 2),
              of_bias = pixel_bias * static_cast<float>(total);
  const float row_start = rounding.row_start + middle * static_cast<float>(total);
  small.row_unit = rounding.row_unit;
  if (plan.shift == 0) {
    small.column_offset = of_bias + middle;
    small.row_start = row_start;
    small.row_bias = floor_bias;
  } else {
    small.column_unit = rounding.column_unit;
    small.column_bias = floor_bias + (rounding.column_start - of_bias) * rounding.column_unit;
    small.column_offset = floor_bias + middle;
    small.row_bias = floor_bias + row_start * rounding.row_unit;
  }
  return small;
}

/// A lane's fragments of both band matrices, and the initial accumulators. Some words are equal; they are read as
/// volatile so that the compiler does not keep one copy of each and move it in front of every product.
template <class W>
struct SmallBands {
  std::uint32_t column[2 * units];
  std::uint32_t row[W::across][2][2];              ///< By group of 16 bytes and by tile of 8 results.
  cuda::FloatAccumulator column_start, row_start;  ///< Zeros if column sums are rounded (W::rounds).
};

/// The fragments of lane (g, t). `starts` are the initial values of column and of window sums.
template <class W>
__device__ SmallBands<W> bands_of(const volatile std::uint16_t* column, const volatile std::uint16_t* row, int g, int t,
                                  const volatile float* starts) {
  SmallBands<W> bands{};
  if constexpr (!W::rounds) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {
      bands.column_start.at[i] = starts[0];
      // With three groups there are no registers left for copies of the initial value.
      bands.row_start.at[i] = W::across == 2 || i == 0 ? starts[1] : bands.row_start.at[0];
    }
  }
#pragma unroll
  for (int i = 0; i < 2 * units; ++i) {
    const volatile std::uint16_t* taps = column + max_down + i / 2 * unit_rows + 2 * t - reach_down - (g + i % 2 * 8);
    bands.column[i] = taps[0] | static_cast<std::uint32_t>(taps[1]) << 16;
  }
#pragma unroll
  for (int i = 0; i < 4 * W::across; ++i) {
    const int group = i / 4, tile = i / 2 % 2, byte = 4 * t + 2 * (i % 2);
    const int result = g / 2 * 4 + 2 * tile + g % 2;  // This order gives a lane four neighbouring bytes of results.
    const volatile std::uint16_t* taps = row + max_across + group_bytes * group + byte - W::reach - result;
    bands.row[group][tile][i % 2] = taps[0] | static_cast<std::uint32_t>(taps[1]) << 16;
  }
  return bands;
}

/// Column sums of a group of 16 bytes as the A fragment of the product along rows.
struct GroupSums {
  std::uint32_t word[4];
};

/// Column sums of two groups. words[2 unit] and words[2 unit + 1] are the lane's words in rows 2t and 2t + 1 of a unit.
template <class W>
__device__ void sum_columns(const std::uint32_t (&words)[2 * units], const SmallBands<W>& bands, const SmallPlan& plan,
                            GroupSums (&sums)[2]) {
  std::uint32_t pixels[units][4];  // [unit][i]: byte i of the words of both rows, each as the fp16 number 1024 + p
#pragma unroll
  for (int unit = 0; unit < units; ++unit) {
    const std::uint32_t above = words[2 * unit], below = words[2 * unit + 1];
#pragma unroll
    for (int i = 0; i < 4; ++i)
      pixels[unit][i] =
          pick_bytes(pick_bytes(above, below, i < 2 ? 0x5140 : 0x7362), 0x64646464, i % 2 == 0 ? 0x4140 : 0x4342);
  }
  float value[4][4];
#pragma unroll
  for (int i = 0; i < 4; ++i) {
    const std::uint32_t upper[2] = {pixels[0][i], pixels[1][i]}, lower[1] = {pixels[2][i]};
    const std::uint32_t upper_taps[4] = {bands.column[0], bands.column[1], bands.column[2], bands.column[3]};
    const std::uint32_t lower_taps[2] = {bands.column[4], bands.column[5]};
    cuda::FloatAccumulator sum = cuda::multiply_add_fp16<2>(upper_taps, upper, bands.column_start);
    sum = cuda::multiply_add_fp16<1>(lower_taps, lower, sum);
#pragma unroll
    for (int k = 0; k < 4; ++k)
      value[i][k] = W::rounds ? floored(sum.at[k], plan.column_unit, plan.column_bias) - plan.column_offset : sum.at[k];
  }
#pragma unroll
  for (int group = 0; group < 2; ++group) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {  // i % 2 = 0: row g, 1: row g + 8
      const int k = group + i % 2 * 2, byte = i / 2 * 2;
      sums[group].word[i] = cuda::fp16x2_of(value[byte][k], value[byte + 1][k]);
    }
  }
}

/// Column sums of a step: moves the groups of `sums` that are still needed to the front and appends two new ones.
/// `words_at` points at the lane's word in the first of its rows.
template <class W>
__device__ __forceinline__ void add_groups(const unsigned char* words_at, const SmallBands<W>& bands,
                                           const SmallPlan& plan, GroupSums (&sums)[W::kept + 2]) {
#pragma unroll
  for (int i = 0; i < W::kept; ++i)
    sums[i] = sums[i + 2];
  std::uint32_t words[2 * units];
#pragma unroll
  for (int i = 0; i < 2 * units; ++i)
    words[i] = *reinterpret_cast<const std::uint32_t*>(words_at + (i / 2 * unit_rows + i % 2) * RowRing<W>::pitch);
  GroupSums fresh[2];
  sum_columns(words, bands, plan, fresh);
  sums[W::kept] = fresh[0];
  sums[W::kept + 1] = fresh[1];
}

/// results[0] and results[1]: four neighbouring results in row g and in row g + 8, from `across` groups.
template <class W>
__device__ void sum_rows(const GroupSums* sums, const SmallBands<W>& bands, const SmallPlan& plan,
                         std::uint32_t (&results)[2]) {
  cuda::FloatAccumulator sum[2];
#pragma unroll
  for (int tile = 0; tile < 2; ++tile) {
    sum[tile] = bands.row_start;
#pragma unroll
    for (int group = 0; group < W::across; ++group)
      sum[tile] = cuda::multiply_add_fp16<2>(sums[group].word, bands.row[group][tile], sum[tile]);
  }
#pragma unroll
  for (int row = 0; row < 2; ++row) {
    const auto byte = [&](int tile, int i) {
      return __builtin_bit_cast(std::uint32_t, floored(sum[tile].at[2 * row + i], plan.row_unit, plan.row_bias));
    };
    results[row] =
        pick_bytes(pick_bytes(byte(0, 0), byte(0, 1), 0x0040), pick_bytes(byte(1, 0), byte(1, 1), 0x0040), 0x5410);
  }
}

/// Stores 8 bytes of row y, from column x on, of which some may lie outside the picture or keep the input
/// (Border::valid).
template <class W>
__device__ void store_pixels_of(ImageView<const typename W::Pixel, Space::device> in, int x, int y, WordGroup<2> words,
                                const SmallPlan& plan, const cuda::EitherStore<typename W::Pixel>& store) {
  using Pixel = typename W::Pixel;
#pragma unroll 1
  for (int i = 0; i < 8 / W::spacing && x + i < in.width; ++i) {
    Pixel pixel = in(x + i, y);
    if (plan.border != Border::valid || !window_leaves(x + i, y, in.width, in.height, plan.radius)) {
      // A comparison instead of an index keeps the words in registers.
      const std::uint32_t word = i * W::spacing < 4 ? words.word[0] : words.word[1];
      if constexpr (W::spacing == 1)
        pixel = static_cast<Pixel>(word >> 8 * (i % 4));
      else
        pixel = {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8),
                 static_cast<std::uint8_t>(word >> 16), pixel.a};
    }
    store.store(x + i, y, pixel);
  }
}

/// Where a lane stores its results: 8 of the 32 bytes of a step in each of two rows, y and y + 8.
template <class W>
struct LaneResults {
  using Pixel = typename W::Pixel;
  ImageView<const Pixel, Space::device> in;
  cuda::EitherStore<Pixel> store;
  int y;                 ///< The upper one of the rows.
  int byte;              ///< Offset of the lane's 8 bytes in the 32 of a step.
  unsigned char* to[2];  ///< Address of this byte at the start of both rows, if the result is in linear memory.

  __device__ LaneResults(const ImageView<const Pixel, Space::device>& in_, const cuda::EitherStore<Pixel>& store_,
                         int y_, int t)
      : in(in_), store(store_), y(y_), byte((t % 2 != 0 ? group_bytes : 0) + 4 * (t & ~1)) {
#pragma unroll
    for (int i = 0; i < 2; ++i)
      to[i] = reinterpret_cast<unsigned char*>(store.linear.out.data) +
              (y + 8 * i) * store.linear.out.pitch * W::spacing + byte;
  }
  /// Stores 8 bytes in row y + 8 i for the step at byte `at`. The result is in linear memory, and all 32 bytes of the
  /// step are results.
  __device__ void put_linear(int i, int at, WordGroup<2> words, const RowRing<W>& ring, int g) const {
    keep_alpha(i, at, words, ring, g);
    *reinterpret_cast<WordGroup<2>*>(to[i] + at) = words;
  }
  /// Replaces the alpha of RGBA results by that of the input; does nothing to grey pixels.
  __device__ void keep_alpha(int i, int at, WordGroup<2>& words, const RowRing<W>& ring, int g) const {
    if constexpr (W::spacing == 4) {
      const auto own = *reinterpret_cast<const WordGroup<2>*>(ring.at(reach_down + g + 8 * i, at + byte));
#pragma unroll
      for (int k = 0; k < 2; ++k)
        words.word[k] = (words.word[k] & 0x00ffffffu) | (own.word[k] & 0xff000000u);
    }
  }
  /// Stores 8 bytes in row y + 8 i for the step at byte `at`, if the row is in the picture. `whole`: all 32 bytes of
  /// the step are results.
  __device__ void put(int i, int at, WordGroup<2> words, bool whole, const SmallPlan& plan, const RowRing<W>& ring,
                      int g) const {
    if (y + 8 * i >= in.height) return;
    const int x = (at + byte) / W::spacing;
    if (!whole) {
      if (x < in.width) store_pixels_of<W>(in, x, y + 8 * i, words, plan, store);
      return;
    }
    keep_alpha(i, at, words, ring, g);
    if (store.to_surface)
      store.surface.store_wide(x, y + 8 * i, words);
    else
      *reinterpret_cast<WordGroup<2>*>(to[i] + at) = words;
  }
};

/// The work of a block. The arguments are those of smooth_small().
template <class W>
__device__ __forceinline__ void walk_strips(const ImageView<const typename W::Pixel, Space::device>& in,
                                            const SmallPlan& plan, int batches,
                                            const cuda::EitherStore<typename W::Pixel>& store) {
  using Ring = RowRing<W>;
  __shared__ alignas(16) unsigned char ring_memory[warps_per_block][Ring::window_rows * Ring::pitch];
  __shared__ float starts[2];
  __shared__ std::uint16_t column_taps[2 * max_down], row_taps[2 * max_across];
  const int thread = static_cast<int>(threadIdx.x);
  const int lane = thread % 32, g = lane / 4, t = lane % 4;
  const int y0 = (static_cast<int>(blockIdx.y) * warps_per_block + thread / 32) * small_rows;
  const int first = static_cast<int>(blockIdx.x) * batches * batch_bytes, last = first + batches * batch_bytes;
  const int row_bytes = in.width * W::spacing, end = min(last, row_bytes);
  const int fetch_end = (end + 2 * group_bytes - 1) / group_bytes * group_bytes;

  const Ring ring(ring_memory[thread / 32], in, plan, y0, lane);
  if (thread == 0) starts[0] = -plan.column_offset, starts[1] = plan.row_start;
  if (thread < 2 * max_down) column_taps[thread] = plan.column[thread];
  if (thread < 2 * max_across) row_taps[thread] = plan.row[thread];
  cuda::begin();
  if (y0 < in.height) {
    if (ring.first_byte == batch_bytes - group_bytes) ring.fetch(first - batch_bytes, fetch_end, in.width, plan);
#pragma unroll 1
    for (int batch = 0; batch < 2; ++batch)
      ring.fetch(first + batch * batch_bytes, fetch_end, in.width, plan);
  }
  __syncthreads();
  if (y0 >= in.height) return;  // The condition is equal in all lanes of the warp.

  const LaneResults<W> results(in, store, y0 + g, t);
  const SmallBands<W> bands = bands_of<W>(column_taps, row_taps, g, t, starts);
  const int lane_byte = W::reach + 4 * (g / 2) + group_bytes * (g % 2);
  const bool odd = t % 2 != 0;
  GroupSums sums[W::kept + 2] = {};  // the groups around the results; each step adds the last two

  const auto next_sums = [&](int at) { add_groups<W>(ring.at(2 * t, at + lane_byte), bands, plan, sums); };
  const auto step = [&](int at, bool whole, auto linear) {
    next_sums(at);
    std::uint32_t sums_of[2][2];  // four results of two blocks of 16 bytes, in two rows
#pragma unroll
    for (int block = 0; block < 2; ++block)
      sum_rows(sums + block, bands, plan, sums_of[block]);
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      // Even lanes store 8 bytes of the first block, odd ones of the second, so that a warp writes whole 32-byte
      // sectors.
      const std::uint32_t own = odd ? sums_of[1][row] : sums_of[0][row];
      const std::uint32_t other = __shfl_xor_sync(all_lanes, odd ? sums_of[0][row] : sums_of[1][row], 1);
      const WordGroup<2> words = odd ? WordGroup<2>{{other, own}} : WordGroup<2>{{own, other}};
      if constexpr (linear)
        results.put_linear(row, at, words, ring, g);
      else
        results.put(row, at, words, whole, plan, ring, g);
    }
  };
  // The windows of the second step of a batch reach into the next batch, so that has to be there.
  const auto next_batch = [&](int batch) {
    cuda::wait_for_copies<1>();
    __syncwarp();
    ring.fetch(batch + 3 * batch_bytes, fetch_end, in.width, plan);
  };
  next_batch(first - batch_bytes);
  next_sums(first - step_bytes);
  int at = first;
  if (!store.to_surface && y0 + small_rows <= in.height && plan.border != Border::valid) {
#pragma unroll 1
    for (; at + batch_bytes <= end; at += batch_bytes) {
      step(at, true, std::true_type{});
      next_batch(at);
      step(at + step_bytes, true, std::true_type{});
    }
  }
#pragma unroll 1
  for (; at < end; at += step_bytes) {
    if (at % batch_bytes != 0) next_batch(at - step_bytes);
    step(at, at + step_bytes <= row_bytes && plan.border != Border::valid, std::false_type{});
  }
}

template <class W>
__global__ void __launch_bounds__(32 * warps_per_block, blocks_at_once)
    smooth_small(ImageView<const typename W::Pixel, Space::device> in, const __grid_constant__ SmallPlan plan,
                 int batches, cuda::EitherStore<typename W::Pixel> store) {
  if (cuda::has_mma) walk_strips<W>(in, plan, batches, store);
}

template <class W>
void launch(const SmallPlan& plan, const DeviceRun& run) {
  using Pixel = typename W::Pixel;
  const auto in = run.in.image<Pixel>();
  // Every block begins with a step that gives no results, so its walk should be long. Best is the shortest walk with
  // which all blocks run at once. Where that would be longer than max_batches, at least 1.5 times as many blocks as run
  // at once are launched, so that the last ones do not keep a few multiprocessors busy alone.
  constexpr int max_batches = 8, min_batches = 2, block_rows = warps_per_block * small_rows;
  const int across = (in.width * W::spacing + batch_bytes - 1) / batch_bytes;
  const int down = (in.height + block_rows - 1) / block_rows;
  const auto walks = [&](int batches) { return (across + batches - 1) / batches; };
  const int at_once = run.stream.device->info().multiprocessors * blocks_at_once;
  int batches = min_batches;
  while (batches <= max_batches && walks(batches) * down > at_once)
    ++batches;
  if (batches > max_batches) {
    batches = max_batches;
    while (batches > min_batches && walks(batches) * down < at_once * 3 / 2)
      batches /= 2;
  }
  const dim3 grid(walks(batches), down);
  cuda::launch(smooth_small<W>, grid, 32 * warps_per_block, 0, run.stream, in, plan, batches,
               cuda::EitherStore<Pixel>(run.out));
}

template <class Pixel, int across>
void launch_rounding(const Plan& plan, int total, const DeviceRun& run) {
  const SmallPlan small = small_plan(plan, run.in.shape, sizeof(Pixel), total);
  if (plan.shift != 0)
    launch<Walk<Pixel, across, true>>(small, run);
  else
    launch<Walk<Pixel, across, false>>(small, run);
}

}  // namespace

bool launch_small(const Plan& plan, const DeviceRun& run) {
  const Shape& shape = run.in.shape;
  const bool colour = shape.channels == 4;
  const auto bytes = [](std::ptrdiff_t pitch, std::int64_t height) {
    return static_cast<double>(pitch) * static_cast<double>(height);
  };
  constexpr double max_bytes = 4294967296.0;  // offsets are 32-bit integers
  int total = 0;
  if (plan.in_floats || plan.wide || plan.result != Result::smooth || plan.terms != 1 || plan.radius > reach_down ||
      shape.element != Element::u8 || (colour && plan.channels == Channels::luma) || shape.width < 16 ||
      shape.height < 16 || bytes(run.in.pitch, shape.height) > max_bytes ||
      bytes(run.out.linear.pitch, shape.height) > max_bytes || !cuda::rows_aligned(run.in) ||
      run.stream.device->info().compute_major < cuda::min_mma_capability || !fits_fp16(plan, total))
    return false;
  if (colour) {
    if (!cuda::EitherStore<Rgba8>(run.out).wide()) return false;
    if (plan.radius <= 2)
      launch_rounding<Rgba8, 2>(plan, total, run);
    else
      launch_rounding<Rgba8, 3>(plan, total, run);
    return true;
  }
  if (!cuda::EitherStore<std::uint8_t>(run.out).wide()) return false;
  launch_rounding<std::uint8_t, 2>(plan, total, run);
  return true;
}

}  // namespace threadscape::separable

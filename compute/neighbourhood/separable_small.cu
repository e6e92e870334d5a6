// Smoothing of 8-bit pictures by windows up to 9x9 on tensor cores, with half floats. Compare with separable_matrix.cu,
// which takes any radius in bytes and needs more products, and with separable_serial.cpp.
//
// A warp walks along a strip of 16 rows, 32 bytes of each at a step. Column sums are a band matrix of the column's taps
// times 24 rows of the picture, 16 + 8; sums along rows are the column sums times a band of the row's. What a lane
// holds of the first product is just what it needs for the second. There is nothing in shared memory but the taps, and
// no barrier on the way, so a processor has many warps to choose from.
//
// All numbers are integers that half floats hold: pixels as 1024 + p, which is a byte set beside 0x64; taps up to 4096,
// of which those above 2048 are even; column sums less their middle. Sums are integers below 2^24 in floats, so nothing
// rounds but what separable.h says. The 1024 and the middle are taken away where sums are rounded.
//
// The bytes of a row are what is smoothed: grey pixels, or RGBA pixels with taps four bytes apart.

#include <algorithm>

#include "compute/cuda/check.h"
#include "compute/cuda/device.h"
#include "compute/cuda/matrix.cuh"
#include "compute/cuda/store.cuh"
#include "compute/neighbourhood/separable_cuda.h"
#include "compute/neighbourhood/separable_rounding.h"
#include "compute/neighbourhood/word_source.h"

namespace threadscape::separable {
namespace {

constexpr int warps_per_block = 4, blocks_at_once = 6;
constexpr int strip_rows = 16, step_bytes = 32, group_bytes = 16;
constexpr int reach_down = 4;                                 ///< rows above and below a strip
constexpr int units = 3, unit_rows = 8;                       ///< of the rows that a strip looks at
constexpr int most_down = 20, most_across = 2 * group_bytes;  ///< distances from a result in the bands
constexpr int largest_half = 2048;
constexpr float pixel_bias = 1024.0f;
constexpr unsigned all_lanes = 0xffffffffu;

/// A window of results needs `across` groups of 16 bytes, and reaches 8 (across - 1) bytes beyond its 16.
template <class Pixel_, int across_, bool rounds_>
struct Walk {
  using Pixel = Pixel_;
  static constexpr int across = across_, kept = across - 1, reach = 8 * (across - 1);
  static constexpr int spacing = sizeof(Pixel);
  static constexpr bool rounds = rounds_;  ///< column sums lose bits
};

/// What the kernel takes from the plan.
struct SmallPlan {
  Border border;
  int radius;
  std::uint16_t column[2 * most_down], row[2 * most_across];  ///< half floats, by the distance from the result
  float column_unit, column_bias;                             ///< where column sums lose bits: see floored()
  float column_offset;                                        ///< is subtracted then
  float row_start;                                            ///< what sums along rows start with
  float row_unit, row_bias;
};

/// Whether half floats hold the numbers of a plan. Column sums lie in 0 .. 255 * total / 2^shift.
bool holds_halves(const Plan& plan, int& total) {
  total = 0;
  for (int i = 0; i <= 2 * plan.radius; ++i) {
    const int tap = plan.whole.column[0][i];
    if (tap < 0 || tap > 2 * largest_half || (tap > largest_half && tap % 2 != 0) || tap != plan.whole.row[0][i])
      return false;
    total += tap;
  }
  // Weights with a shift are those of gaussian_plan(): then the biases below are floats.
  return 255 * (total >> plan.shift) <= 2 * largest_half && (plan.shift == 0 || (plan.shift == 8 && total == 4096));
}

SmallPlan small_plan(const Plan& plan, int spacing, int total) {
  const SumRounding rounding = sum_rounding(plan);
  SmallPlan small{.border = plan.border, .radius = plan.radius};
  for (int i = 0; i <= 2 * plan.radius; ++i) {
    small.column[most_down + i - plan.radius] = cuda::half_bits(plan.whole.column[0][i]);
    small.row[most_across + spacing * (i - plan.radius)] = cuda::half_bits(plan.whole.row[0][i]);
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

/// A lane's words of both bands.
template <class W>
struct SmallBands {
  std::uint32_t column[2 * units];
  std::uint32_t row[W::across][2][2];  ///< of each group, for the two tiles of 8 results
};

template <class W>
__device__ SmallBands<W> bands_of(const std::uint16_t* column, const std::uint16_t* row, int g, int t) {
  SmallBands<W> bands;
#pragma unroll
  for (int i = 0; i < 2 * units; ++i) {
    const std::uint16_t* taps = column + most_down + i / 2 * unit_rows + 2 * t - reach_down - (g + i % 2 * 8);
    bands.column[i] = taps[0] | static_cast<std::uint32_t>(taps[1]) << 16;
  }
#pragma unroll
  for (int i = 0; i < 4 * W::across; ++i) {
    const int group = i / 4, tile = i / 2 % 2, byte = 4 * t + 2 * (i % 2);
    const int result = g / 2 * 4 + 2 * tile + g % 2;  // so that a lane gets four neighbouring bytes
    const std::uint16_t* taps = row + most_across + group_bytes * group + byte - W::reach - result;
    bands.row[group][tile][i % 2] = taps[0] | static_cast<std::uint32_t>(taps[1]) << 16;
  }
  return bands;
}

/// The six rows of the picture that a lane reads, and its bytes of 32: even lanes of four have the first group of 16,
/// odd ones the second. Offsets take half the registers that pointers do.
struct LaneRows {
  std::uint32_t row[2 * units];  ///< bytes from the start of the picture
  int byte;                      ///< of the lane's word in each
  unsigned zeros = 0;            ///< a bit for each row that is all zeros

  template <class View>
  __device__ LaneRows(const View& in, int y0, int g, int t, int radius, Border border)
      : byte(4 * (g / 2) + group_bytes * (g % 2)) {
    const auto pitch = static_cast<std::uint32_t>(in.pitch * sizeof(*in.data));
#pragma unroll
    for (int i = 0; i < 2 * units; ++i) {
      const int y = y0 - reach_down + i / 2 * unit_rows + 2 * t + i % 2;
      const bool reached = y >= -radius && y < in.height + radius;
      const int from = reached ? index_beside(y, in.height, border) : -1;
      if (from < 0) zeros |= 1u << i;
      row[i] = static_cast<std::uint32_t>(max(from, 0)) * pitch;
    }
  }
};

/// The lane's words of 32 bytes from `first` on.
template <class W>
__device__ void load_step(ImageView<const typename W::Pixel, Space::device> in, const LaneRows& rows, int first,
                          const SmallPlan& plan, std::uint32_t (&words)[2 * units]) {
  const auto* const bytes = reinterpret_cast<const unsigned char*>(in.data);
  const int byte = first + rows.byte;
  if (first >= 0 && first + step_bytes <= in.width * W::spacing) {
#pragma unroll
    for (int i = 0; i < 2 * units; ++i)
      words[i] = load_words<1>(bytes + (rows.row[i] + static_cast<std::uint32_t>(byte))).word[0];
  } else {
    WordSource source;
    if constexpr (W::spacing == 1) {
      source = word_source(byte, in.width, plan.radius, plan.border);
    } else {
      const int x = byte / 4;  // bytes are multiples of 4
      const bool reached = x >= -plan.radius && x < in.width + plan.radius;
      const int from = reached ? index_beside(x, in.width, plan.border) : -1;
      source = {from < 0 ? -1 : 4 * from, -1, 0x3210};
    }
#pragma unroll
    for (int i = 0; i < 2 * units; ++i) {
      const unsigned char* const row = bytes + rows.row[i];
      const std::uint32_t one = source.first < 0 ? 0 : load_words<1>(row + source.first).word[0];
      const std::uint32_t two = source.second < 0 ? 0 : load_words<1>(row + source.second).word[0];
      words[i] = pick_bytes(one, two, source.pick);
    }
  }
  if (rows.zeros != 0) {
#pragma unroll
    for (int i = 0; i < 2 * units; ++i)
      if ((rows.zeros >> i & 1) != 0) words[i] = 0;
  }
}

/// Column sums of 16 bytes as a lane needs them for the sums along rows.
struct GroupSums {
  std::uint32_t word[4];
};

/// Column sums of two groups, from the words of six rows.
template <class W>
__device__ void sum_columns(const std::uint32_t (&words)[2 * units], const SmallBands<W>& bands, const SmallPlan& plan,
                            GroupSums (&sums)[2]) {
  std::uint32_t pixels[units][4];  // of byte i of the words: two rows, 1024 + p each
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
    cuda::FloatProducts sum = cuda::multiply_add_halves<2>(upper_taps, upper, {});
    sum = cuda::multiply_add_halves<1>(lower_taps, lower, sum);
#pragma unroll
    for (int k = 0; k < 4; ++k)
      value[i][k] =
          (W::rounds ? floored(sum.at[k], plan.column_unit, plan.column_bias) : sum.at[k]) - plan.column_offset;
  }
#pragma unroll
  for (int group = 0; group < 2; ++group) {
#pragma unroll
    for (int i = 0; i < 4; ++i) {  // i % 2: rows g and g + 8
      const int k = group + i % 2 * 2, byte = i / 2 * 2;
      sums[group].word[i] = cuda::halves_of(value[byte][k], value[byte + 1][k]);
    }
  }
}

/// Four neighbouring results in row g and four in row g + 8, from `across` groups.
template <class W>
__device__ void sum_rows(const GroupSums* sums, const SmallBands<W>& bands, const SmallPlan& plan,
                         std::uint32_t (&results)[2]) {
  cuda::FloatProducts sum[2];
#pragma unroll
  for (int tile = 0; tile < 2; ++tile) {
    const float start = W::rounds ? 0.0f : plan.row_start;
    sum[tile] = {{start, start, start, start}};
#pragma unroll
    for (int group = 0; group < W::across; ++group)
      sum[tile] = cuda::multiply_add_halves<2>(sums[group].word, bands.row[group][tile], sum[tile]);
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

/// 8 bytes of a row, from column x on, of which some may lie outside or keep the input.
template <class W>
__device__ void store_pixels_of(ImageView<const typename W::Pixel, Space::device> in, int x, int y, WordGroup<2> words,
                                const SmallPlan& plan, const cuda::EitherStore<typename W::Pixel>& store) {
  using Pixel = typename W::Pixel;
#pragma unroll 1
  for (int i = 0; i < 8 / W::spacing && x + i < in.width; ++i) {
    Pixel pixel = in(x + i, y);
    if (plan.border != Border::valid || !window_leaves(x + i, y, in.width, in.height, plan.radius)) {
      const std::uint32_t word = i * W::spacing < 4 ? words.word[0] : words.word[1];  // no index: registers have none
      if constexpr (W::spacing == 1)
        pixel = static_cast<Pixel>(word >> 8 * (i % 4));
      else
        pixel = {static_cast<std::uint8_t>(word), static_cast<std::uint8_t>(word >> 8),
                 static_cast<std::uint8_t>(word >> 16), pixel.a};
    }
    store.store(x + i, y, pixel);
  }
}

/// A lane's two rows of results.
template <class W>
struct LaneResults {
  using Pixel = typename W::Pixel;
  ImageView<const Pixel, Space::device> in;
  cuda::EitherStore<Pixel> store;
  int y;                  ///< and y + 8
  int byte;               ///< of 32
  std::uint32_t from[2];  ///< bytes from the start of the picture
  std::uint32_t to[2];    ///< and of the result, if it is linear

  __device__ LaneResults(const ImageView<const Pixel, Space::device>& in_, const cuda::EitherStore<Pixel>& store_,
                         int y_, int t)
      : in(in_), store(store_), y(y_), byte((t % 2 != 0 ? group_bytes : 0) + 4 * (t & ~1)) {
#pragma unroll
    for (int i = 0; i < 2; ++i) {
      from[i] = static_cast<std::uint32_t>((y + 8 * i) * in.pitch * W::spacing);
      to[i] = static_cast<std::uint32_t>((y + 8 * i) * store.linear.out.pitch * W::spacing);
    }
  }
  /// `inside`: all 32 bytes from `at` on are results.
  __device__ void put(int i, int at, WordGroup<2> words, bool inside, const SmallPlan& plan) const {
    const int x = (at + byte) / W::spacing;
    if (y + 8 * i >= in.height) return;
    if (!inside) {
      if (x < in.width) store_pixels_of<W>(in, x, y + 8 * i, words, plan, store);
      return;
    }
    if constexpr (W::spacing == 4) {
      const auto* const bytes = reinterpret_cast<const unsigned char*>(in.data);
      const auto own = load_words<2>(bytes + (from[i] + static_cast<std::uint32_t>(at + byte)));
#pragma unroll
      for (int k = 0; k < 2; ++k)
        words.word[k] = (words.word[k] & 0x00ffffffu) | (own.word[k] & 0xff000000u);  // keeps alpha
    }
    if (store.to_surface)
      store.surface.store_wide(x, y + 8 * i, words);
    else
      *reinterpret_cast<WordGroup<2>*>(reinterpret_cast<unsigned char*>(store.linear.out.data) +
                                       (to[i] + static_cast<std::uint32_t>(at + byte))) = words;
  }
};

template <class W>
__global__ void __launch_bounds__(32 * warps_per_block, blocks_at_once)
    smooth_small(ImageView<const typename W::Pixel, Space::device> in, const __grid_constant__ SmallPlan plan,
                 int steps, cuda::EitherStore<typename W::Pixel> store) {
  __shared__ std::uint16_t column_taps[2 * most_down], row_taps[2 * most_across];
  const int thread = static_cast<int>(threadIdx.x);
  if (thread < 2 * most_down) column_taps[thread] = plan.column[thread];
  if (thread < 2 * most_across) row_taps[thread] = plan.row[thread];
  __syncthreads();

  const int lane = thread % 32, g = lane / 4, t = lane % 4;
  const int y0 = (static_cast<int>(blockIdx.y) * warps_per_block + thread / 32) * strip_rows;
  if (y0 >= in.height) return;  // the whole warp
  const int first = static_cast<int>(blockIdx.x) * steps * step_bytes;
  const int end = min(first + steps * step_bytes, in.width * W::spacing);

  const LaneRows rows(in, y0, g, t, plan.radius, plan.border);
  const LaneResults<W> results(in, store, y0 + g, t);
  std::uint32_t words[2 * units];
  load_step<W>(in, rows, first - step_bytes + W::reach, plan, words);
  const SmallBands<W> bands = bands_of<W>(column_taps, row_taps, g, t);
  // The groups around the results at `at`; the last two are new at each step. One step goes before the first results.
  GroupSums sums[W::kept + 2] = {};
#pragma unroll 1
  for (int at = first - step_bytes; at < end; at += step_bytes) {
#pragma unroll
    for (int i = 0; i < W::kept; ++i)
      sums[i] = sums[i + 2];
    GroupSums fresh[2];
    sum_columns(words, bands, plan, fresh);
    sums[W::kept] = fresh[0];
    sums[W::kept + 1] = fresh[1];
    // On their way while this step is finished.
    if (at + step_bytes < end) load_step<W>(in, rows, at + step_bytes + W::reach, plan, words);
    if (at < first) continue;

    std::uint32_t sums_of[2][2];  // of two blocks of 16 bytes, in two rows
#pragma unroll
    for (int block = 0; block < 2; ++block)
      sum_rows(sums + block, bands, plan, sums_of[block]);
    // Even lanes take 8 bytes of the first block, odd ones of the second: whole sectors of memory.
    const bool odd = t % 2 != 0, inside = at + step_bytes <= in.width * W::spacing && plan.border != Border::valid;
#pragma unroll
    for (int row = 0; row < 2; ++row) {
      const std::uint32_t own = odd ? sums_of[1][row] : sums_of[0][row];
      const std::uint32_t other = __shfl_xor_sync(all_lanes, odd ? sums_of[0][row] : sums_of[1][row], 1);
      results.put(row, at, odd ? WordGroup<2>{{other, own}} : WordGroup<2>{{own, other}}, inside, plan);
    }
  }
}

template <class W>
void launch(const SmallPlan& plan, const DeviceRun& run) {
  using Pixel = typename W::Pixel;
  const auto in = run.in.image<Pixel>();
  // Walks as long as keep all processors busy once: each begins with a step that has no results.
  constexpr int least_steps = 4, block_rows = warps_per_block * strip_rows;
  const int across = (in.width * W::spacing + step_bytes - 1) / step_bytes;
  const int down = (in.height + block_rows - 1) / block_rows;
  const int walks = std::max(1, cuda::device_info().multiprocessors * blocks_at_once / down);
  const int steps = std::max(least_steps, (across + walks - 1) / walks);
  const dim3 grid((across + steps - 1) / steps, down);
  smooth_small<W><<<grid, 32 * warps_per_block, 0, run.stream>>>(in, plan, steps, cuda::EitherStore<Pixel>(run.out));
  TS_CUDA_LAUNCHED();
}

template <class Pixel, int across>
void launch_rounding(const Plan& plan, int total, const DeviceRun& run) {
  const SmallPlan small = small_plan(plan, sizeof(Pixel), total);
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
  constexpr double most_bytes = 4294967296.0;  // of offsets
  int total = 0;
  if (plan.in_floats || plan.wide || plan.result != Result::smooth || plan.terms != 1 || plan.radius > reach_down ||
      shape.element != Element::u8 || (colour && plan.channels == Channels::luma) || shape.width < 16 ||
      shape.height < 16 || bytes(run.in.pitch, shape.height) > most_bytes ||
      bytes(run.out.linear.pitch, shape.height) > most_bytes || !cuda::rows_aligned(run.in) ||
      cuda::device_info().compute_major < cuda::least_matrix_capability || !holds_halves(plan, total))
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

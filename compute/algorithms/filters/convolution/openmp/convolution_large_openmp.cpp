// Convolution with all cores and SIMD: masks of any size. A tile of one plane is widened to 16 bits or to floats once,
// and several rows of results are summed at a time, so that each load serves all of them:
//
//   PairSums, exact masks: 4 rows x 2 vectors of 32-bit sums       floats: 2 rows x 4 vectors
//     even[0]  pixels x, x + 2, ... of row y                         sums[0][0 .. 3]   row y
//     odd[0]   pixels x + 1, x + 3, ...                              sums[1][0 .. 3]   row y + 1
//     even[1]  the same of row y + 1, ...
//
// Exact masks are summed in 32-bit integers. Only the whole sum has to fit into 32 bits, overflows on the way cancel
// out. This also lets them save products, see convolution_large_simd.h.

#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "compute/algorithms/filters/convolution/openmp/convolution_large_openmp.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "compute/algorithms/filters/convolution/convolution.h"
#include "compute/algorithms/filters/convolution/openmp/convolution_large_simd.h"
#include "compute/engines/planes/bands.h"
#include "compute/engines/planes/finish-inl.h"
#include "compute/engines/planes/plane_tile.h"

#ifndef THREADSCAPE_CONVOLUTION_LARGE_TILE
#define THREADSCAPE_CONVOLUTION_LARGE_TILE
namespace threadscape::convolution {
inline constexpr int large_width = 256, large_height = 64, rows_at_once = 4;
inline constexpr int large_pitch =
    large_width + 2 * max_radius + 82;  // 25 cache lines of floats: an odd number, so rows do not share cache sets
/// Rounded up to a multiple of rows_at_once.
constexpr int by_fours(int rows) {
  return (rows + rows_at_once - 1) / rows_at_once * rows_at_once;
}
/// The rows of S that the second level reads, for a quarter of the rows of a tile and of the mask; then the rows that
/// the first level and the tile need for that.
inline constexpr int quarter_rows = by_fours((large_height / 2 + 1) / 2 + 1) + (max_size + 1) / 4 - 1;
inline constexpr int half_rows = 2 * quarter_rows + 1, tile_rows = 2 * half_rows + 1;
static_assert(half_rows >= by_fours(large_height / 2 + 1) + (max_size + 1) / 2 - 1);
static_assert(tile_rows >= large_height + 2 * max_radius);

/// A tile of one plane with its halo, and its results.
template <class Source, class Value>
struct LargeTile {
  alignas(64) Source values[tile_rows][large_pitch];
  alignas(64) Value results[large_height][large_width];
};

/// Intermediates of one level: S (`both`), and the three sums for `height` rows of results.
template <int rows, int height>
struct LargeLevel {
  alignas(64) std::int16_t both[rows][large_pitch];
  alignas(64) std::int32_t sums[3][by_fours(height / 2 + 1)][large_width];
};
/// Intermediates of all levels, and the sums of the tile.
struct LargeLevels {
  LargeLevel<half_rows, large_height> first;
  LargeLevel<quarter_rows, large_height / 2 + 1> second;
  alignas(64) std::int32_t sums[large_height][large_width];
};

/// The filters of tiles of `width` x `height` pixels, by the numbers that are summed.
struct LargeFilters {
  void (*pairs)(const Plan&, const LargePlan&, int width, int height, LargeTile<std::int16_t, std::uint8_t>&);
  void (*bytes)(const Plan&, int width, int height, LargeTile<float, std::uint8_t>&);
  void (*floats)(const Plan&, int width, int height, LargeTile<float, float>&);
};
}  // namespace threadscape::convolution
#endif

HWY_BEFORE_NAMESPACE();
namespace threadscape::convolution {
namespace HWY_NAMESPACE {

#if HWY_TARGET == HWY_SCALAR  // a processor without SIMD, or a compiler that cannot emulate it

/// There are none: rows are convolved by the code of the serial backend.
LargeFilters large_filters() {
  return {};
}

#else

using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set

// ---- Exact masks. Lanes hold even and odd pixels apart, as in convolution_openmp.cpp.

/// The sums of four rows of one vector of even and one of odd pixels.
struct PairSums {
  hn::Vec<D32> even[rows_at_once], odd[rows_at_once];
};

/// Adds one row of the picture to the sums of rows from_row .. to_row - 1 of the four. For the first of the four, it
/// lies under row ky of the mask.
template <int from_row, int to_row>
HWY_INLINE void add_pairs(const PairMask& mask, int ky, const std::int16_t* HWY_RESTRICT row, PairSums& sums) {
  int first = PairMask::max_pairs, last = 0;
  for (int j = from_row; j < to_row; ++j) {
    first = std::min(first, mask.first[ky - j]);
    last = std::max(last, mask.last[ky - j]);
  }
  const std::int32_t* HWY_RESTRICT taps = mask.tap_pairs[ky - from_row];
  for (int i = first; i < last; ++i) {
    const auto even = hn::LoadU(D16(), row + 2 * i), odd = hn::LoadU(D16(), row + 2 * i + 1);
    for (int j = from_row; j < to_row; ++j) {
      const auto tap = hn::BitCast(D16(), hn::Set(D32(), taps[i - (j - from_row) * PairMask::max_pairs]));
      sums.even[j] = dot_i16(even, tap, sums.even[j]);
      sums.odd[j] = dot_i16(odd, tap, sums.odd[j]);
    }
  }
}

/// Rows of a plane that lie `pitch` values apart.
struct SourceRows {
  const std::int16_t* first;
  int pitch;
  [[nodiscard]] const std::int16_t* row(int i) const { return first + i * pitch; }
};
/// Rows of sums.
using SumRows = std::int32_t (*)[large_width];

/// Computes the sums of `height` rows, rounded up to a multiple of four, under a mask of `digits` digits. In a row of
/// `result`, vectors of even and of odd pixels alternate.
void sum_pairs(const PairMask* masks, int digits, SourceRows source, int width, int height, SumRows result) {
  const D32 d;
  const int n = static_cast<int>(hn::Lanes(d)), size = masks[0].rows;
  for (int y = 0; y < height; y += rows_at_once)
    for (int x = 0; x < width; x += 2 * n) {
      PairSums sums;
      for (int j = 0; j < rows_at_once; ++j)
        sums.even[j] = sums.odd[j] = hn::Zero(d);
      for (int digit = digits - 1; digit >= 0; --digit) {
        for (int j = 0; j < rows_at_once; ++j) {
          sums.even[j] = hn::ShiftLeft<16>(sums.even[j]);
          sums.odd[j] = hn::ShiftLeft<16>(sums.odd[j]);
        }
        const PairMask& mask = masks[digit];
        const auto row = [&](int ky) HWY_ATTR { return source.row(y + ky) + x; };
        add_pairs<0, 1>(mask, 0, row(0), sums);
        add_pairs<0, 2>(mask, 1, row(1), sums);
        add_pairs<0, 3>(mask, 2, row(2), sums);
        for (int ky = 3; ky < size; ++ky)
          add_pairs<0, 4>(mask, ky, row(ky), sums);
        add_pairs<1, 4>(mask, size, row(size), sums);
        add_pairs<2, 4>(mask, size + 1, row(size + 1), sums);
        add_pairs<3, 4>(mask, size + 2, row(size + 2), sums);
      }
      for (int j = 0; j < rows_at_once; ++j) {
        hn::Store(sums.even[j], d, result[y + j] + x);
        hn::Store(sums.odd[j], d, result[y + j] + x + n);
      }
    }
}

/// One level, see convolution_large_simd.h: computes the sums of `height` rows from those of its even and odd rows and
/// of S. sum(source, height, part, result) is called for these three parts.
template <class Level, class Sum>
void sum_by_row_parity(SourceRows source, int width, int height, Level& level, SumRows result, const Sum& sum) {
  const D16 words;
  const D32 d;
  const int n = static_cast<int>(hn::Lanes(d)), columns = width + 2 * max_radius + 2;
  const SourceRows even{source.first, 2 * source.pitch}, odd{source.row(1), 2 * source.pitch};
  const int rows = static_cast<int>(std::size(level.both));
  for (int m = 0; m < rows; ++m)
    for (int x = 0; x < columns; x += 2 * n)
      hn::StoreU(hn::Add(hn::LoadU(words, odd.row(m) + x), hn::LoadU(words, even.row(m + 1) + x)), words,
                 level.both[m] + x);
  sum(even, height / 2 + 1, 0, level.sums[0]);
  sum(odd, (height + 1) / 2, 1, level.sums[1]);
  sum(SourceRows{level.both[0], large_pitch}, height / 2, 2, level.sums[2]);
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; x += n) {
      const auto part = [&](int i, int m) HWY_ATTR { return hn::Load(d, level.sums[i][m] + x); };
      const int m = y / 2;
      hn::Store(y % 2 == 0 ? hn::Add(part(0, m), part(1, m)) : hn::Sub(part(2, m), hn::Add(part(0, m + 1), part(1, m))),
                d, result[y] + x);
    }
}

/// The results of a tile for an exact mask.
void convolve_pairs(const Plan& plan, const LargePlan& p, int width, int height,
                    LargeTile<std::int16_t, std::uint8_t>& tile) {
  const D32 d;
  const hn::Half<D8> half;
  const int n = static_cast<int>(hn::Lanes(d));
  LargeLevels levels;
  const PairMask* masks = p.masks.data();
  const SourceRows source{tile.values[0], large_pitch};
  width = (width + 2 * n - 1) / (2 * n) * (2 * n);
  if (p.levels == 0) {
    sum_pairs(masks, p.digits, source, width, height, levels.sums);
  } else {
    sum_by_row_parity(source, width, height, levels.first, levels.sums,
                      [&](SourceRows rows, int count, int part, SumRows result) {
                        if (p.levels == 1) return sum_pairs(masks + part, 1, rows, width, count, result);
                        sum_by_row_parity(rows, width, count, levels.second, result,
                                          [&](SourceRows quarter, int quarter_count, int inner, SumRows sums) {
                                            sum_pairs(masks + 3 * part + inner, 1, quarter, width, quarter_count, sums);
                                          });
                      });
  }
  const FinishUnits finish(plan.unit_finish());
  for (int y = 0; y < height; ++y)
    for (int x = 0; x < width; x += 2 * n)
      hn::StoreU(zip_i32(finish(hn::Load(d, levels.sums[y] + x)), finish(hn::Load(d, levels.sums[y] + x + n))), half,
                 tile.results[y] + x);
}

// ---- Any mask: products and sums in the stated order

inline constexpr int vectors = 4;

template <class Value>
HWY_INLINE void store_sum(const FinishU8& finish, hn::Vec<DF32> sum, Value* HWY_RESTRICT to) {
  const hn::Rebind<std::uint8_t, DF32> bytes;
  hn::StoreU(hn::DemoteTo(bytes, finish(sum)), bytes, to);
}
HWY_INLINE void store_sum(const FinishF32& finish, hn::Vec<DF32> sum, float* HWY_RESTRICT to) {
  hn::StoreU(finish(sum), DF32(), to);
}

/// Adds one row of the picture to the sums of the first, the second or both of two rows of results.
template <bool first, bool second>
HWY_INLINE void add_floats(const float* HWY_RESTRICT taps, int size, const float* HWY_RESTRICT row,
                           hn::Vec<DF32> (&sums)[2][vectors]) {
  const DF32 d;
  const std::size_t n = hn::Lanes(d);
  for (int kx = 0; kx < size; ++kx)
    for (std::size_t j = 0; j < vectors; ++j) {
      const auto values = hn::LoadU(d, row + kx + j * n);
      if constexpr (first) sums[0][j] = hn::Add(sums[0][j], hn::Mul(hn::Set(d, taps[kx]), values));
      if constexpr (second) sums[1][j] = hn::Add(sums[1][j], hn::Mul(hn::Set(d, taps[kx - size]), values));
    }
}

template <class Finish, class Tile>
void convolve_floats(const Plan& plan, int width, int height, Tile& tile) {
  const DF32 d;
  const Finish finish(plan.finish);
  const int n = static_cast<int>(hn::Lanes(d)), size = plan.size;
  for (int y = 0; y < height; y += 2)
    for (int x = 0; x < width; x += vectors * n) {
      hn::Vec<DF32> sums[2][vectors];
      for (int j = 0; j < vectors; ++j)
        sums[0][j] = sums[1][j] = hn::Zero(d);
      add_floats<true, false>(plan.taps, size, tile.values[y] + x, sums);
      for (int ky = 1; ky < size; ++ky)
        add_floats<true, true>(plan.taps + ky * size, size, tile.values[y + ky] + x, sums);
      add_floats<false, true>(plan.taps + size * size, size, tile.values[y + size] + x, sums);
      for (int j = 0; j < vectors; ++j) {
        store_sum(finish, sums[0][j], tile.results[y] + x + j * n);
        store_sum(finish, sums[1][j], tile.results[y + 1] + x + j * n);
      }
    }
}

LargeFilters large_filters() {
  return {convolve_pairs, convolve_floats<FinishU8, LargeTile<float, std::uint8_t>>,
          convolve_floats<FinishF32, LargeTile<float, float>>};
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::convolution
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
namespace threadscape::convolution {

HWY_EXPORT(large_filters);

namespace {

/// Convolves the tiles of a picture, whose pixels are loaded and stored by code that is compiled once.
template <class P, class Source, class Convolve>
void convolve_tiles(const Plan& plan, const HostRun& run, const Convolve& convolve) {
  using Value = typename P::Value;
  for_each_tile(run, large_width, large_height, [&](int x, int y, int width, int height) {
    LargeTile<Source, Value> tile{};  // Values that only padding reads are zero too.
    filter_area<P>(run, {x, y, width, height}, plan.radius, plan.border,
                   TilePlane<Source, Value>{tile.values[0], large_pitch, tile.results[0], large_width},
                   [&] { convolve(width, height, tile); });
  });
}

}  // namespace

void openmp_large(const Plan& plan, const HostRun& run) {
  const LargePlan p(plan);
  const LargeFilters filters = HWY_DYNAMIC_DISPATCH(large_filters)();
  if (!filters.pairs)
    return for_each_band(run, static_cast<int>(run.in.shape.height),
                         [&](int y0, int y1) { convolve_rows(plan, run, y0, y1); });
  with_planes<std::uint8_t, float>(run.in.shape, plan.channels, [&](auto planes) {
    using P = decltype(planes);
    if constexpr (std::is_same_v<typename P::Value, float>)
      convolve_tiles<P, float>(plan, run,
                               [&](int width, int height, auto& tile) { filters.floats(plan, width, height, tile); });
    else if (plan.exact)
      convolve_tiles<P, std::int16_t>(
          plan, run, [&](int width, int height, auto& tile) { filters.pairs(plan, p, width, height, tile); });
    else
      convolve_tiles<P, float>(plan, run,
                               [&](int width, int height, auto& tile) { filters.bytes(plan, width, height, tile); });
  });
}

}  // namespace threadscape::convolution
#endif

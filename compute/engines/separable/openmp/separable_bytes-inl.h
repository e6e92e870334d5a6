// Separable filters of 8-bit pictures on the CPU (Google Highway, compiled once per instruction set), for tiles of one
// plane.
//
//   two rows of bytes          pairs, 16 bits each        one instruction (dot_i16) multiplies both numbers of a pair
//   by a0 a1 a2 a3 ...            a0 b0 | a1 b1 | a2 b2 ...  their taps and adds them: b0 b1 b2 b3 ...            +  c0
//   d0 | c1 d1 | ...     sum0 = a0 tap0 + b0 tap1 + c0 tap2 + d0 tap3 + ...
//
// Along a row, neighbouring column sums are such pairs already. A mean needs no products, and only what changes from
// one row to the next: the row that enters the window minus the row that leaves it, summed along the row.

#if defined(THREADSCAPE_SEPARABLE_BYTES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_SEPARABLE_BYTES_INL_H_
#undef THREADSCAPE_SEPARABLE_BYTES_INL_H_
#else
#define THREADSCAPE_SEPARABLE_BYTES_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "compute/engines/planes/dot-inl.h"
#include "compute/engines/planes/finish-inl.h"
#include "compute/engines/planes/tiles.h"
#include "compute/engines/separable/openmp/separable_simd.h"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace threadscape::separable {
namespace HWY_NAMESPACE {

using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set

/// Widths of tiles that are read from the picture itself, and of tiles that are copied. The former are wide: every
/// short piece of a row would be another page and another stream for the hardware prefetcher.
inline constexpr int width_in_place = 1024, width_of_tile = 256;
/// Columns behind the start of a tile's halo that exist beyond its width: loads may reach one vector behind the halo.
inline constexpr int beyond = 2 * max_radius + tile_step;
inline constexpr int width_of_row = width_in_place + beyond;
inline constexpr int pitch_of_tile = tile_left + width_of_tile + beyond;

/// The rows of one plane of a tile with its halo: `radius` rows above the tile, the tile, and `radius` rows below it.
template <class Value>
struct Rows {
  const Value* first;  ///< The first row of the halo, at the tile's first column.
  std::ptrdiff_t pitch;

  const Value* row(int i) const { return first + i * pitch; }
};

/// Prefetches what row y + 3 of the results reads and writes: pieces of rows are too short for the hardware prefetcher
/// to find out that the next rows will follow.
HWY_INLINE void announce_row(Rows<std::uint8_t> source, int radius, int y, int width, int height,
                             const std::uint8_t* result, std::ptrdiff_t result_pitch) {
  constexpr int ahead = 3;
  if (y + ahead >= height) return;
  const std::uint8_t *in = source.row(y + ahead + 2 * radius) - radius, *out = result + (y + ahead) * result_pitch;
  for (int x = 0; x < width; x += 64) {
    hwy::Prefetch(in + x);
    hwy::Prefetch(out + x);
  }
}

// ---- 8-bit pictures

/// Working memory of one tile. Index 0 of a row is the first column of the halo, `radius` before the tile.
struct PairBuffers {
  alignas(64) std::int32_t pairs[max_radius + 1][width_of_row];  ///< Pairs of rows, in a ring buffer.
  alignas(64) std::int16_t sums[2][max_terms][width_of_row];     ///< Column sums of two rows.
  alignas(64) std::int32_t wide_sums[width_of_row];              ///< Column sums of one row, if Plan::wide.
};

/// Stores two rows as pairs. They are interleaved within blocks of 16 bytes, an order that ReorderDemote2To() undoes.
HWY_INLINE void pair_rows(const std::uint8_t* HWY_RESTRICT a, const std::uint8_t* HWY_RESTRICT b, int width,
                          std::int32_t* HWY_RESTRICT to) {
  const D16 d;
  const hn::Half<D8> half;
  const int step = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += step) {
    const auto upper = hn::PromoteTo(d, hn::LoadU(half, a + x)), lower = hn::PromoteTo(d, hn::LoadU(half, b + x));
    hn::Store(hn::BitCast(D32(), hn::InterleaveLower(d, upper, lower)), D32(), to + x);
    hn::Store(hn::BitCast(D32(), hn::InterleaveUpper(d, upper, lower)), D32(), to + x + step / 2);
  }
}

/// Column sums of two rows, of one term, from `count` pairs of rows, or `any_count` if `count` is 0.
template <int count>
HWY_INLINE void sum_columns(const std::int32_t* const* pairs, const std::int32_t (&taps)[2][max_radius + 1],
                            int any_count, int shift, int width, std::int16_t* HWY_RESTRICT upper,
                            std::int16_t* HWY_RESTRICT lower) {
  const D32 d;
  const int step = static_cast<int>(hn::Lanes(D16())), half = step / 2, n = count == 0 ? any_count : count;
  const auto start = hn::Set(d, shift == 0 ? 0 : 1 << (shift - 1));
  const auto store = [&](hn::Vec<D32> low, hn::Vec<D32> high, std::int16_t* to) HWY_ATTR {
    hn::Store(hn::ReorderDemote2To(D16(), hn::ShiftRightSame(low, shift), hn::ShiftRightSame(high, shift)), D16(), to);
  };
  for (int x = 0; x < width; x += step) {
    auto upper_low = start, upper_high = start, lower_low = start, lower_high = start;
    for (int i = 0; i < n; ++i) {
      const auto low = hn::BitCast(D16(), hn::Load(d, pairs[i] + x));
      const auto high = hn::BitCast(D16(), hn::Load(d, pairs[i] + x + half));
      const auto upper_tap = hn::BitCast(D16(), hn::Set(d, taps[0][i]));
      const auto lower_tap = hn::BitCast(D16(), hn::Set(d, taps[1][i]));
      upper_low = dot_i16(low, upper_tap, upper_low);
      upper_high = dot_i16(high, upper_tap, upper_high);
      lower_low = dot_i16(low, lower_tap, lower_low);
      lower_high = dot_i16(high, lower_tap, lower_high);
    }
    store(upper_low, upper_high, upper + x);
    store(lower_low, lower_high, lower + x);
  }
}

/// Column sums of two rows, of one term with a symmetric column: rows at the same distance from the middle are added
/// before they are multiplied.
template <int radius>
HWY_INLINE void sum_symmetric(Rows<std::uint8_t> source, int y, const std::int32_t* taps, int shift, int width,
                              std::int16_t* HWY_RESTRICT upper, std::int16_t* HWY_RESTRICT lower) {
  const D16 d;
  const D32 d32;
  const hn::Half<D8> half;
  const auto start = hn::Set(d32, shift == 0 ? 0 : 1 << (shift - 1));
  hn::Vec<D16> tap[radius / 2 + 1];
  for (int i = 0; i <= radius / 2; ++i)
    tap[i] = hn::BitCast(d, hn::Set(d32, taps[i]));
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d))) {
    hn::Vec<D16> rows[2 * radius + 2];
    for (int i = 0; i < 2 * radius + 2; ++i)
      rows[i] = hn::PromoteTo(d, hn::LoadU(half, source.row(y + i) - radius + x));
    for (int row = 0; row < 2; ++row) {
      const hn::Vec<D16>* centre = rows + row + radius;
      auto low = start, high = start;
      for (int i = 0; i <= radius; i += 2) {
        const auto near = i == 0 ? centre[0] : hn::Add(centre[-i], centre[i]);
        const auto far = i < radius ? hn::Add(centre[-i - 1], centre[i + 1]) : hn::Zero(d);
        low = dot_i16(hn::InterleaveLower(d, near, far), tap[i / 2], low);
        high = dot_i16(hn::InterleaveUpper(d, near, far), tap[i / 2], high);
      }
      hn::Store(hn::ReorderDemote2To(d, hn::ShiftRightSame(low, shift), hn::ShiftRightSame(high, shift)), d,
                (row == 0 ? upper : lower) + x);
    }
  }
}

/// finish_window() on lanes. The sums already contain the number that rounding adds, `start`.
struct FinishSums {
  hn::Vec<D32> start, amount;
  FinishUnits divided;
  int bits;
  Result result;
  Output output;

  explicit FinishSums(const SimdPlan& p)
      : start(hn::Set(D32(), p.start)),
        amount(hn::Set(D32(), p.plan.amount)),
        divided(p.plan.finish),
        bits(p.window_shift),
        result(p.plan.result),
        output(p.plan.output) {}

  HWY_INLINE hn::Vec<D32> operator()(hn::Vec<D32> sum, hn::Vec<D32> pixel) const {
    const D32 d;
    auto value = hn::ShiftRightSame(sum, bits);
    if (result == Result::smooth) return value;
    if (result == Result::divided) return divided(sum);
    if (result == Result::sharpen) {
      const auto own = hn::ShiftLeft<fine_bits>(pixel);
      value = hn::Add(hn::ShiftLeft<amount_bits>(own), hn::Mul(amount, hn::Sub(own, value)));
      constexpr int both = fine_bits + amount_bits;
      value = hn::ShiftRight<both>(hn::Add(value, hn::Set(d, 1 << (both - 1))));
    } else if (output == Output::absolute) {
      value = hn::Abs(value);
    } else if (output == Output::offset) {
      value = hn::Add(value, hn::Set(d, 128));
    }
    return hn::Min(hn::Max(value, hn::Zero(d)), hn::Set(d, 255));
  }
};

/// Window sums along one row of column sums, finished and stored. `count` pairs of taps, or radius + 1 if it is 0.
/// `smooth` says that the plan has one term and Result::smooth.
template <int count, bool smooth>
HWY_INLINE void sum_along(const SimdPlan& p, const std::int16_t (&sums)[max_terms][width_of_row],
                          const std::uint8_t* HWY_RESTRICT source, int width, std::uint8_t* HWY_RESTRICT result) {
  const D16 d;
  const hn::Half<D8> half;
  const FinishSums finish(p);
  const int step = static_cast<int>(hn::Lanes(d)), n = count == 0 ? p.plan.radius + 1 : count;
  const int terms = smooth ? 1 : p.plan.terms;
  for (int x = 0; x < width; x += step) {
    auto even = finish.start, odd = finish.start;
    for (int term = 0; term < terms; ++term)
      for (int i = 0; i < n; ++i) {
        const auto pairs = hn::LoadU(d, sums[term] + x + 2 * i);
        even = dot_i16(pairs, hn::BitCast(d, hn::Set(D32(), p.row_pairs[term][0][i])), even);
        odd = dot_i16(pairs, hn::BitCast(d, hn::Set(D32(), p.row_pairs[term][1][i])), odd);
      }
    if constexpr (smooth) {
      if (finish.bits >= 16) {  // shifted by 16 bits less, the odd results end in the upper halves of the lanes
        const auto upper = hn::BitCast(d, hn::ShiftRightSame(odd, finish.bits - 16));
        const auto words = hn::OddEven(upper, hn::BitCast(d, hn::ShiftRightSame(even, finish.bits)));
        hn::StoreU(hn::DemoteTo(half, words), half, result + x);
        continue;
      }
      even = hn::ShiftRightSame(even, finish.bits);
      odd = hn::ShiftRightSame(odd, finish.bits);
    } else {
      const auto pixels = hn::BitCast(D32(), hn::PromoteTo(d, hn::LoadU(half, source + x)));
      even = finish(even, hn::And(pixels, hn::Set(D32(), 0xffff)));
      odd = finish(odd, hn::ShiftRight<16>(pixels));
    }
    hn::StoreU(zip_i32(even, odd), half, result + x);
  }
}

template <int count>
void filter_bytes(const SimdPlan& p, Rows<std::uint8_t> source, int width, int height, PairBuffers& buffers,
                  std::uint8_t* result, std::ptrdiff_t result_pitch) {
  const int radius = p.plan.radius, columns = width + 2 * radius, last_row = height + 2 * radius - 1;
  const std::int32_t* pairs[max_radius + 1];
  // More rows would not fit into the first-level cache: in many pictures they lie a power of two apart.
  constexpr bool few_rows = count >= 2 && count <= 4;
  const bool symmetric = few_rows && p.symmetric && height % 2 == 0;
  for (int y = 0; y < height; y += 2) {
    announce_row(source, radius, y, width, height, result, result_pitch);
    announce_row(source, radius, y + 1, width, height, result, result_pitch);
    for (int i = symmetric ? radius + 1 : y == 0 ? 0 : radius; i <= radius; ++i) {
      const int row = y + 2 * i;
      pair_rows(source.row(row) - radius, source.row(std::min(row + 1, last_row)) - radius, columns,
                buffers.pairs[row / 2 % (radius + 1)]);
    }
    for (int i = 0; i <= radius; ++i)
      pairs[i] = buffers.pairs[(y / 2 + i) % (radius + 1)];
    for (int term = 0; term < p.plan.terms; ++term) {
      std::int16_t *upper = buffers.sums[0][term], *lower = buffers.sums[1][term];
      if constexpr (few_rows)
        if (symmetric) {
          sum_symmetric<count - 1>(source, y, p.distance_pairs[term], p.plan.shift, columns, upper, lower);
          continue;
        }
      sum_columns<count>(pairs, p.column_pairs[term], radius + 1, p.plan.shift, columns, upper, lower);
    }
    for (int i = 0; i < 2 && y + i < height; ++i) {
      const std::uint8_t* own = source.row(y + i + radius);
      if (p.plan.result == Result::smooth && p.plan.terms == 1)
        sum_along<count, true>(p, buffers.sums[i], own, width, result + (y + i) * result_pitch);
      else
        sum_along<count, false>(p, buffers.sums[i], own, width, result + (y + i) * result_pitch);
    }
  }
}

// ---- 8-bit pictures and column sums of more than 16 bits

/// Stores two rows as pairs in the order of the columns.
HWY_INLINE void pair_rows_in_order(const std::uint8_t* HWY_RESTRICT a, const std::uint8_t* HWY_RESTRICT b, int width,
                                   std::int32_t* HWY_RESTRICT to) {
  const D32 d;
  const hn::Rebind<std::uint8_t, D32> quarter;
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d))) {
    const auto upper = hn::PromoteTo(d, hn::LoadU(quarter, a + x)), lower = hn::PromoteTo(d, hn::LoadU(quarter, b + x));
    hn::Store(hn::Or(upper, hn::ShiftLeft<16>(lower)), d, to + x);
  }
}

/// Four vectors of sums, enough independent ones to hide the latency of an addition. add(i, offset, sum) returns `sum`
/// plus the i-th product, for the lanes from `offset` on.
template <class Add>
HWY_INLINE void four_sums(int count, const Add& add, hn::Vec<D32> (&sum)[4]) {
  const int n = static_cast<int>(hn::Lanes(D32()));
  sum[0] = sum[1] = sum[2] = sum[3] = hn::Zero(D32());
  for (int i = 0; i < count; ++i)
    for (int j = 0; j < 4; ++j)
      sum[j] = add(i, j * n, sum[j]);
}

void filter_wide(const SimdPlan& p, Rows<std::uint8_t> source, int width, int height, PairBuffers& buffers,
                 std::uint8_t* result, std::ptrdiff_t result_pitch) {
  const D32 d;
  const hn::Rebind<std::uint8_t, D32> quarter;
  const FinishUnits finish(p.plan.finish);
  const int radius = p.plan.radius, columns = width + 2 * radius, last_row = height + 2 * radius - 1;
  const int n = static_cast<int>(hn::Lanes(d)), step = 4 * n;
  const std::int32_t* pairs_of_rows[max_radius + 1];
  hn::Vec<D32> sum[4];
  for (int y = 0; y < height; ++y, result += result_pitch) {
    const std::int32_t* taps = p.column_pairs[0][y % 2];
    if (y % 2 == 0)
      for (int i = y == 0 ? 0 : radius; i <= radius; ++i) {
        const int row = y + 2 * i;
        pair_rows_in_order(source.row(row) - radius, source.row(std::min(row + 1, last_row)) - radius, columns,
                           buffers.pairs[row / 2 % (radius + 1)]);
      }
    for (int i = 0; i <= radius; ++i)
      pairs_of_rows[i] = buffers.pairs[(y / 2 + i) % (radius + 1)];
    for (int x = 0; x < columns; x += step) {
      const auto add = [&](int i, int offset, hn::Vec<D32> so_far) HWY_ATTR {
        const auto pairs = hn::BitCast(D16(), hn::Load(d, pairs_of_rows[i] + x + offset));
        return dot_i16(pairs, hn::BitCast(D16(), hn::Set(d, taps[i])), so_far);
      };
      four_sums(radius + 1, add, sum);
      for (int j = 0; j < 4; ++j)
        hn::Store(sum[j], d, buffers.wide_sums + x + j * n);
    }
    for (int x = 0; x < width; x += step) {
      const auto add = [&](int i, int offset, hn::Vec<D32> so_far) HWY_ATTR {
        const auto values = hn::LoadU(d, buffers.wide_sums + x + i + offset);
        return hn::Add(so_far, hn::Mul(values, hn::Set(d, p.plan.whole.row[0][i])));
      };
      four_sums(2 * radius + 1, add, sum);
      for (int j = 0; j < 4; ++j)
        hn::StoreU(hn::DemoteTo(quarter, finish(sum[j])), quarter, result + x + j * n);
    }
  }
}

// ---- 8-bit means

/// Working memory of means for one row. Index 0 of changes and their sums is `radius` before the tile.
struct MeanBuffers {
  alignas(64) std::int16_t changes[width_of_row];        ///< Changes of column sums from the row before.
  alignas(64) std::int16_t fours[width_of_row];          ///< Sums of 4 neighbouring changes.
  alignas(64) std::int16_t sixteens[width_of_row];       ///< Sums of 16 neighbouring changes.
  alignas(64) std::uint16_t remainders[width_in_place];  ///< Remainders with the bias of MeanSteps.
  alignas(64) std::uint8_t means[width_in_place];
};

HWY_INLINE void add_row(const std::uint8_t* HWY_RESTRICT row, int width, std::int16_t* HWY_RESTRICT sums) {
  const D16 d;
  const hn::Half<D8> half;
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d)))
    hn::Store(hn::Add(hn::Load(d, sums + x), hn::PromoteTo(d, hn::LoadU(half, row + x))), d, sums + x);
}
HWY_INLINE void subtract_rows(const std::uint8_t* HWY_RESTRICT a, const std::uint8_t* HWY_RESTRICT b, int width,
                              std::int16_t* HWY_RESTRICT to) {
  const D16 d;
  const hn::Half<D8> half;
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d)))
    hn::Store(hn::Sub(hn::PromoteTo(d, hn::LoadU(half, a + x)), hn::PromoteTo(d, hn::LoadU(half, b + x))), d, to + x);
}

/// to[x] = from[x] + from[x + gap] + from[x + 2 gap] + from[x + 3 gap].
template <int gap>
HWY_INLINE void add_four(const std::int16_t* HWY_RESTRICT from, int width, std::int16_t* HWY_RESTRICT to) {
  const D16 d;
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d))) {
    const auto first = hn::Add(hn::Load(d, from + x), hn::LoadU(d, from + x + gap));
    const auto second = hn::Add(hn::LoadU(d, from + x + 2 * gap), hn::LoadU(d, from + x + 3 * gap));
    hn::Store(hn::Add(first, second), d, to + x);
  }
}
/// The number of fours (groups of 4 changes) that a window of this size is summed from, which has one change too many
/// or too few; 0: change by change.
template <int size>
inline constexpr int fours_in = size <= 5 ? 0 : (size + 1) / 4;

/// The changes of the sums of windows of this size that start at column x and the columns after it.
template <int size>
HWY_INLINE hn::Vec<D16> change_of_windows(const MeanBuffers& buffers, int x) {
  const D16 d;
  const auto at = [x](const std::int16_t* from, int i) HWY_ATTR { return hn::LoadU(D16(), from + x + i); };
  if constexpr (fours_in<size> == 0) {
    auto sum = hn::Add(hn::Add(at(buffers.changes, 0), at(buffers.changes, 1)), at(buffers.changes, 2));
    if constexpr (size == 5) sum = hn::Add(sum, hn::Add(at(buffers.changes, 3), at(buffers.changes, 4)));
    return sum;
  } else {
    constexpr int sixteens = fours_in<size> / 4;
    auto sum = size % 4 == 3 ? hn::Sub(hn::Zero(d), at(buffers.changes, size)) : at(buffers.changes, size - 1);
    for (int i = 0; i < sixteens; ++i)
      sum = hn::Add(sum, at(buffers.sixteens, 16 * i));
    for (int i = 4 * sixteens; i < fours_in<size>; ++i)
      sum = hn::Add(sum, at(buffers.fours, 4 * i));
    return sum;
  }
}

/// Updates remainders and means by the changes, and writes a row of results.
template <int size>
HWY_INLINE void change_means(const SimdPlan& p, MeanBuffers& buffers, const std::uint8_t* HWY_RESTRICT source,
                             int width, std::uint8_t* HWY_RESTRICT result) {
  const hn::RebindToUnsigned<D16> d;
  const hn::Half<D8> half;
  const hn::RebindToSigned<hn::Half<D8>> signed_half;
  const int step = static_cast<int>(hn::Lanes(d)), columns = width + size - 1;
  if constexpr (fours_in < size >> 0) add_four<1>(buffers.changes, columns, buffers.fours);
  if constexpr (fours_in < size >> 3) add_four<4>(buffers.fours, columns, buffers.sixteens);
  const auto count = hn::Set(d, p.steps.count), factor = hn::Set(d, p.steps.factor), bias = hn::Set(d, p.steps.bias);
  const auto largest = hn::Set(half, static_cast<std::uint8_t>(p.max_change));
  const int shift = p.steps.shift;  // a copy, as for the compiler stores of bytes may change `p`
  const bool any_change = p.max_change >= 255;
  for (int x = 0; x < width; x += step) {
    const auto remainder =
        hn::Add(hn::Load(d, buffers.remainders + x), hn::BitCast(d, change_of_windows<size>(buffers, x)));
    const auto more = hn::Sub(hn::ShiftRightSame(hn::MulHigh(remainder, factor), shift), bias);
    hn::Store(hn::Sub(remainder, hn::Mul(more, count)), d, buffers.remainders + x);
    auto mean = hn::Add(hn::Load(half, buffers.means + x),
                        hn::BitCast(half, hn::DemoteTo(signed_half, hn::BitCast(D16(), more))));
    hn::Store(mean, half, buffers.means + x);
    if (!any_change) {
      const auto own = hn::LoadU(half, source + x);
      const auto change = hn::Or(hn::SaturatedSub(mean, own), hn::SaturatedSub(own, mean));
      mean = hn::IfThenElse(hn::Eq(hn::Min(change, largest), change), mean, own);
    }
    hn::StoreU(mean, half, result + x);
  }
}

/// Means of a tile. The instance for size 3 calls itself for larger sizes until `size` is that of the plan.
template <int size = 3>
void mean_bytes(const SimdPlan& p, Rows<std::uint8_t> source, int width, int height, MeanBuffers& buffers,
                std::uint8_t* result, std::ptrdiff_t result_pitch) {
  if constexpr (size < max_mean_size)
    if (size < 2 * p.plan.radius + 1)
      return mean_bytes<size + 2>(p, source, width, height, buffers, result, result_pitch);
  constexpr int radius = size / 2, columns_around = size - 1;
  const int columns = width + columns_around;
  const std::uint8_t* first = source.first - radius;
  std::fill_n(buffers.means, width, std::uint8_t{0});
  std::fill_n(buffers.remainders, width, static_cast<std::uint16_t>(p.steps.bias * p.steps.count + p.steps.count / 2));
  for (int row = 0; row < size;) {
    std::fill_n(buffers.changes, columns, std::int16_t{0});
    for (const int end = std::min(size, row + p.steps.rows); row < end; ++row)
      add_row(first + row * source.pitch, columns, buffers.changes);
    change_means<size>(p, buffers, source.row(radius), width, result);
  }
  for (int y = 1; y < height; ++y) {
    announce_row(source, radius, y, width, height, result, result_pitch);
    subtract_rows(first + (y + size - 1) * source.pitch, first + (y - 1) * source.pitch, columns, buffers.changes);
    change_means<size>(p, buffers, source.row(y + radius), width, result + y * result_pitch);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::separable
HWY_AFTER_NAMESPACE();
#endif

#endif

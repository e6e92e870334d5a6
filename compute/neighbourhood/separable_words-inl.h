// The 8-bit half of separable filters on the CPU (Google Highway, compiled once per instruction set): tiles of one
// plane.
//
// Two neighbouring rows are kept as pairs of 16-bit numbers, so that one instruction multiplies both by their weights
// and adds them; along a row, neighbouring column sums are such pairs already. A mean needs no products: its column
// sums gain the row below and lose the row above, and its sums along rows are put together from sums of 2, 4 and 8.

#if defined(THREADSCAPE_SEPARABLE_WORDS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_SEPARABLE_WORDS_INL_H_
#undef THREADSCAPE_SEPARABLE_WORDS_INL_H_
#else
#define THREADSCAPE_SEPARABLE_WORDS_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "compute/neighbourhood/dot-inl.h"
#include "compute/neighbourhood/separable_simd.h"
#include "compute/neighbourhood/tiles-inl.h"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace threadscape::separable {
namespace HWY_NAMESPACE {

using namespace threadscape::HWY_NAMESPACE;  // NOLINT: the namespace of this instruction set

/// Tiles in place are wide: short pieces of rows would each be a new page and a new stream to the processor.
inline constexpr int width_in_place = 1024, width_of_tile = 256;
/// Loads may go one vector beyond the surroundings of a tile.
inline constexpr int beyond = 2 * largest_radius + tile_step;
inline constexpr int width_of_row = width_in_place + beyond;
inline constexpr int pitch_of_tile = tile_left + width_of_tile + beyond;
inline constexpr int most_rows = tall_band + 2 * largest_radius;

template <class Value>
struct Rows {          ///< `radius` rows above a tile, the tile, `radius` rows below; of one plane
  const Value* first;  ///< at the tile's first column
  std::ptrdiff_t pitch;

  const Value* row(int i) const { return first + i * pitch; }
};

// ---- 8-bit pictures
// --------------------------------------------------------------------------------------------------------

/// Working memory of one tile: rows of surroundings start at index 0, `radius` before the tile.
struct WordBuffers {
  alignas(64) std::int32_t pairs[most_rows / 2 + 1][width_of_row];  ///< two rows, in the low and the high half
  alignas(64) std::int16_t sums[most_terms][width_of_row];          ///< column sums of one row
  alignas(64) std::int16_t runs[3][width_of_row];                   ///< means only
};

/// Two rows as pairs: interleaved within blocks of 16 bytes, as packing undoes it.
HWY_INLINE void pair_rows(const std::uint8_t* HWY_RESTRICT a, const std::uint8_t* HWY_RESTRICT b, int width,
                          std::int32_t* HWY_RESTRICT to) {
  const Words d;
  const hn::Half<Bytes> half;
  const int step = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += step) {
    const auto upper = hn::PromoteTo(d, hn::LoadU(half, a + x)), lower = hn::PromoteTo(d, hn::LoadU(half, b + x));
    hn::Store(hn::BitCast(Longs(), hn::InterleaveLower(d, upper, lower)), Longs(), to + x);
    hn::Store(hn::BitCast(Longs(), hn::InterleaveUpper(d, upper, lower)), Longs(), to + x + step / 2);
  }
}

/// Column sums of one row. `count` pairs of rows; 0 means `any_count`.
template <int count>
HWY_INLINE void sum_columns(const std::int32_t (*HWY_RESTRICT pairs)[width_of_row],
                            const std::int32_t* HWY_RESTRICT taps, int any_count, int shift, int width,
                            std::int16_t* HWY_RESTRICT to) {
  const Longs d;
  const int step = static_cast<int>(hn::Lanes(Words())), half = step / 2;
  const auto start = hn::Set(d, shift == 0 ? 0 : 1 << (shift - 1));
  for (int x = 0; x < width; x += step) {
    auto low = start, high = start;
    const int n = count == 0 ? any_count : count;
    for (int i = 0; i < n; ++i) {
      const auto tap = hn::BitCast(Words(), hn::Set(d, taps[i]));
      low = dot_words(hn::BitCast(Words(), hn::Load(d, pairs[i] + x)), tap, low);
      high = dot_words(hn::BitCast(Words(), hn::Load(d, pairs[i] + x + half)), tap, high);
    }
    hn::Store(hn::ReorderDemote2To(Words(), hn::ShiftRightSame(low, shift), hn::ShiftRightSame(high, shift)), Words(),
              to + x);
  }
}

/// finish_window() on lanes; sums already hold what rounding adds.
struct FinishSums {
  hn::Vec<Longs> start, amount;
  int bits;
  Result result;
  Output output;

  explicit FinishSums(const SimdPlan& p)
      : start(hn::Set(Longs(), p.start)),
        amount(hn::Set(Longs(), p.plan.amount)),
        bits(p.window_shift),
        result(p.plan.result),
        output(p.plan.output) {}

  HWY_INLINE hn::Vec<Longs> operator()(hn::Vec<Longs> sum, hn::Vec<Longs> pixel) const {
    const Longs d;
    auto value = hn::ShiftRightSame(sum, bits);
    if (result == Result::smooth) return value;
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

/// Sums along one row of column sums. Even pixels start at one pair, odd ones at the pair between.
template <int count>
HWY_INLINE void sum_along(const SimdPlan& p, const WordBuffers& buffers, const std::uint8_t* HWY_RESTRICT source,
                          int width, std::uint8_t* HWY_RESTRICT result) {
  const Words d;
  const hn::Half<Bytes> half;
  const FinishSums finish(p);
  const int step = static_cast<int>(hn::Lanes(d)), n = count == 0 ? p.plan.radius + 1 : count;
  for (int x = 0; x < width; x += step) {
    auto even = finish.start, odd = finish.start;
    for (int term = 0; term < p.plan.terms; ++term)
      for (int i = 0; i < n; ++i) {
        const auto tap = hn::BitCast(d, hn::Set(Longs(), p.row_pairs[term][i]));
        even = dot_words(hn::LoadU(d, buffers.sums[term] + x + 2 * i), tap, even);
        odd = dot_words(hn::LoadU(d, buffers.sums[term] + x + 2 * i + 1), tap, odd);
      }
    const auto pixels = hn::BitCast(Longs(), hn::PromoteTo(d, hn::LoadU(half, source + x)));
    even = finish(even, hn::And(pixels, hn::Set(Longs(), 0xffff)));
    odd = finish(odd, hn::ShiftRight<16>(pixels));
    hn::StoreU(zip_longs(even, odd), half, result + x);
  }
}

template <int count>
void filter_bytes(const SimdPlan& p, Rows<std::uint8_t> source, int width, int height, WordBuffers& buffers,
                  std::uint8_t* result, std::ptrdiff_t result_pitch) {
  const int radius = p.plan.radius, rows = height + 2 * radius, columns = width + 2 * radius;
  for (int i = 0; 2 * i < rows; ++i)
    pair_rows(source.row(2 * i) - radius, source.row(std::min(2 * i + 1, rows - 1)) - radius, columns,
              buffers.pairs[i]);
  for (int y = 0; y < height; ++y) {
    for (int term = 0; term < p.plan.terms; ++term)
      sum_columns<count>(buffers.pairs + y / 2, p.column_pairs[term][y % 2], radius + 1, p.plan.shift, columns,
                         buffers.sums[term]);
    sum_along<count>(p, buffers, source.row(y + radius), width, result + y * result_pitch);
  }
}

// ---- 8-bit means
// -----------------------------------------------------------------------------------------------------------

HWY_INLINE void add_row(const std::uint8_t* HWY_RESTRICT row, int width, std::int16_t* HWY_RESTRICT sums) {
  const Words d;
  const hn::Half<Bytes> half;
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d)))
    hn::Store(hn::Add(hn::Load(d, sums + x), hn::PromoteTo(d, hn::LoadU(half, row + x))), d, sums + x);
}
/// sums + row below - row above.
HWY_INLINE void slide_columns(const std::uint8_t* HWY_RESTRICT below, const std::uint8_t* HWY_RESTRICT above, int width,
                              std::int16_t* HWY_RESTRICT sums) {
  const Words d;
  const hn::Half<Bytes> half;
  const int step = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += step) {
    const auto gain = hn::PromoteTo(d, hn::LoadU(half, below + x)), loss = hn::PromoteTo(d, hn::LoadU(half, above + x));
    hn::Store(hn::Add(hn::Load(d, sums + x), hn::Sub(gain, loss)), d, sums + x);
  }
}

/// Sums of 2, 4 and 8 neighbouring column sums, each made of the one before; the largest are 8 * 31 * 255 < 2^16. A
/// window of any size is a few of them side by side.
struct Runs {
  const std::int16_t *ones, *twos, *fours, *eights;
};
HWY_INLINE const std::int16_t* double_runs(const std::int16_t* HWY_RESTRICT from, int length, int width,
                                           std::int16_t* HWY_RESTRICT to) {
  const Words d;
  for (int x = 0; x < width; x += static_cast<int>(hn::Lanes(d)))
    hn::Store(hn::Add(hn::Load(d, from + x), hn::LoadU(d, from + x + length)), d, to + x);
  return to;
}

/// Windows whose sum fits 16 bits.
template <int size>
HWY_INLINE void mean_of_words(const SimdPlan& p, const Runs& runs, int width, std::uint8_t* HWY_RESTRICT result) {
  const hn::RebindToUnsigned<Words> d;
  const hn::Half<Bytes> half;
  const auto start = hn::Set(d, p.half_count), factor = hn::Set(d, p.reciprocal);
  const auto at = [&](const std::int16_t* from) HWY_ATTR { return hn::BitCast(d, hn::LoadU(Words(), from)); };
  const int step = static_cast<int>(hn::Lanes(d));
  for (int x = 0; x < width; x += step) {
    auto sum = hn::Add(start, at(runs.ones + x + size - 1));
    if constexpr (size == 3) {
      sum = hn::Add(sum, hn::Add(at(runs.ones + x), at(runs.ones + x + 1)));
    } else {  // a run that is needed once is made here
      if constexpr (size > 8) sum = hn::Add(sum, hn::Add(at(runs.fours + x), at(runs.fours + x + 4)));
      if constexpr (size < 8) sum = hn::Add(sum, hn::Add(at(runs.twos + x), at(runs.twos + x + 2)));
      if constexpr (size > 8 && (size & 4) != 0) sum = hn::Add(sum, at(runs.fours + x + 8));
      if constexpr ((size & 2) != 0) sum = hn::Add(sum, at(runs.twos + x + size / 4 * 4));
    }
    const auto mean = hn::ShiftRightSame(hn::MulHigh(sum, factor), p.reciprocal_shift);
    hn::StoreU(hn::DemoteTo(half, hn::BitCast(Words(), mean)), half, result + x);
  }
}

/// Larger windows. floor((s + n / 2) / n) = floor((s + n / 2 + 0.5) / n): at least 0.5 / 961 away from an integer, and
/// two roundings of numbers below 256 move it by less than 2^-15.
HWY_INLINE void mean_of_longs(const SimdPlan& p, const Runs& runs, int width, std::uint8_t* HWY_RESTRICT result) {
  const Longs d;
  const Floats f;
  const hn::Half<Bytes> half;
  const int step = static_cast<int>(hn::Lanes(Words())), size = 2 * p.plan.radius + 1;
  const auto start = hn::Set(f, static_cast<float>(p.half_count) + 0.5f), factor = hn::Set(f, p.plan.scale);
  const auto mean = [&](hn::Vec<Longs> sum)
                        HWY_ATTR { return hn::ConvertTo(d, hn::Mul(hn::Add(hn::ConvertTo(f, sum), start), factor)); };
  for (int x = 0; x < width; x += step) {
    auto rest = hn::LoadU(Words(), runs.ones + x + size - 1);  // with fours and twos at most 7 * 31 * 255 < 2^16
    if ((size & 4) != 0) rest = hn::Add(rest, hn::LoadU(Words(), runs.fours + x + size / 8 * 8));
    if ((size & 2) != 0) rest = hn::Add(rest, hn::LoadU(Words(), runs.twos + x + size / 4 * 4));
    auto even = hn::Zero(d), odd = even;
    const auto add = [&](hn::Vec<Words> words) HWY_ATTR {
      const auto pairs = hn::BitCast(hn::RebindToUnsigned<Longs>(), words);
      even = hn::Add(even, hn::BitCast(d, hn::And(pairs, hn::Set(hn::RebindToUnsigned<Longs>(), 0xffff))));
      odd = hn::Add(odd, hn::BitCast(d, hn::ShiftRight<16>(pairs)));
    };
    add(rest);
    for (int i = 0; i < size / 8; ++i)
      add(hn::LoadU(Words(), runs.eights + x + 8 * i));
    hn::StoreU(zip_longs(mean(even), mean(odd)), half, result + x);
  }
}

void mean_bytes(const SimdPlan& p, Rows<std::uint8_t> source, int width, int height, WordBuffers& buffers,
                std::uint8_t* result, std::ptrdiff_t result_pitch) {
  const int radius = p.plan.radius, size = 2 * radius + 1, columns = width + 2 * radius;
  std::int16_t* sums = buffers.sums[0];
  const std::uint8_t* first = source.first - radius;
  std::fill_n(sums, columns, std::int16_t{0});
  for (int i = 0; i < size; ++i)
    add_row(first + i * source.pitch, columns, sums);
  for (int y = 0; y < height; ++y, result += result_pitch) {
    if (y > 0) slide_columns(first + (y + size - 1) * source.pitch, first + (y - 1) * source.pitch, columns, sums);
    Runs runs{sums, nullptr, nullptr, nullptr};
    if (size > 3) runs.twos = double_runs(sums, 1, columns, buffers.runs[0]);
    if (size > 7) runs.fours = double_runs(runs.twos, 2, columns, buffers.runs[1]);
    if (size > largest_word_mean) runs.eights = double_runs(runs.fours, 4, columns, buffers.runs[2]);
    switch (size) {
      case 3:
        mean_of_words<3>(p, runs, width, result);
        break;
      case 5:
        mean_of_words<5>(p, runs, width, result);
        break;
      case 7:
        mean_of_words<7>(p, runs, width, result);
        break;
      case 9:
        mean_of_words<9>(p, runs, width, result);
        break;
      case 11:
        mean_of_words<11>(p, runs, width, result);
        break;
      case 13:
        mean_of_words<13>(p, runs, width, result);
        break;
      case 15:
        mean_of_words<15>(p, runs, width, result);
        break;
      default:
        mean_of_longs(p, runs, width, result);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::separable
HWY_AFTER_NAMESPACE();
#endif

#endif

// Long windows along rows (Google Highway, compiled once per instruction set: no #pragma once).
//
// Where pixels have 32 bits, several rows are turned: a vector then holds one column of all of them, and the maxima
// over a window take the three steps of max_of_row(), whatever its size. Shifted loads need more the longer it is.

#if defined(THREADSCAPE_MORPHOLOGY_TURNED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_MORPHOLOGY_TURNED_INL_H_
#undef THREADSCAPE_MORPHOLOGY_TURNED_INL_H_
#else
#define THREADSCAPE_MORPHOLOGY_TURNED_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "compute/algorithms/morphology/morphology/openmp/morphology_lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::morphology {
namespace HWY_NAMESPACE {

/// How many rows are turned together; 0 where they are not.
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE
inline constexpr int rows_turned = 0;
#else
inline constexpr int rows_turned = HWY_MAX_BYTES >= 32 ? 8 : 4;
#endif

/// The longest window of max_of_turned() that `size` has room for: one pixel more than a multiple of 4.
inline int span_of_turned(int size) {
  return (size - 1) / 4 * 4 + 1;
}

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

/// Pixels are lanes; each block of four belongs to four rows.
using Block = hn::FixedTag<std::uint32_t, 4>;
using Turned = hn::FixedTag<std::uint32_t, rows_turned>;

/// 4 x 4 pixels in each block: rows become columns.
HWY_INLINE void turn(hn::Vec<Turned> (&v)[4]) {
  const Turned d;
  const hn::Repartition<std::uint64_t, Turned> pairs;
  const auto lower = [&](int i) HWY_ATTR { return hn::BitCast(pairs, hn::InterleaveLower(d, v[i], v[i + 1])); };
  const auto upper = [&](int i) HWY_ATTR { return hn::BitCast(pairs, hn::InterleaveUpper(d, v[i], v[i + 1])); };
  const auto a = lower(0), b = lower(2), c = upper(0), e = upper(2);
  v[0] = hn::BitCast(d, hn::InterleaveLower(pairs, a, b));
  v[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, a, b));
  v[2] = hn::BitCast(d, hn::InterleaveLower(pairs, c, e));
  v[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, c, e));
}

/// Four columns of up to rows_turned rows.
template <class Value, bool raw>
struct TurnedLoader {
  using Key = TotalOrderKey<Value>;
  using Keys = hn::Repartition<Key, Turned>;
  const std::uint32_t* row[rows_turned];
  hn::Vec<Keys> mask;

  TurnedLoader(RowsOf<const Key> in, int rows, Key flip) : mask(hn::Set(Keys(), flip)) {
    for (int i = 0; i < rows_turned; ++i)
      row[i] = reinterpret_cast<const std::uint32_t*>(in.row(std::min(i, rows - 1)));
  }
  HWY_INLINE void operator()(int x, hn::Vec<Turned> (&v)[4]) const {
    const Turned d;
    for (int i = 0; i < 4; ++i) {
#if HWY_MAX_BYTES >= 32
      v[i] = hn::Combine(d, hn::LoadU(Block(), row[4 + i] + x), hn::LoadU(Block(), row[i] + x));
#else
      v[i] = hn::LoadU(d, row[i] + x);
#endif
      if constexpr (raw) {
        auto keys = hn::BitCast(Keys(), v[i]);
        if constexpr (std::is_same_v<Value, float>)
          keys = hn::Xor(keys, hn::And(hn::ShiftRight<31>(keys), hn::Set(Keys(), 0x7fffffff)));
        v[i] = hn::BitCast(d, hn::Xor(keys, mask));
      }
    }
    turn(v);
  }
};
template <class Key>
struct TurnedStorer {
  std::uint32_t* row[rows_turned];
  int rows;

  TurnedStorer(RowsOf<Key> to, int count) : rows(count) {
    for (int i = 0; i < rows_turned; ++i)
      row[i] = reinterpret_cast<std::uint32_t*>(to.row(std::min(i, count - 1)));
  }
  HWY_INLINE void operator()(hn::Vec<Turned> (&v)[4], int x) const {
    turn(v);
    for (int i = 0; i < 4; ++i) {
#if HWY_MAX_BYTES >= 32
      if (i < rows) hn::StoreU(hn::LowerHalf(Block(), v[i]), Block(), row[i] + x);
      if (4 + i < rows) hn::StoreU(hn::UpperHalf(Block(), v[i]), Block(), row[4 + i] + x);
#else
      if (i < rows) hn::StoreU(v[i], Block(), row[i] + x);
#endif
    }
  }
};

/// to[x] = the maximum of pixels x .. x + span - 1, for all windows that begin in the first pixels - span + 1, of up to
/// rows_turned rows. `span` is one of span_of_turned(), at least 5; up to three pixels more are read and written. May
/// be done in place.
template <class Value, bool raw>
void max_of_turned(RowsOf<const TotalOrderKey<Value>> in, RowsOf<TotalOrderKey<Value>> to, int rows, int pixels,
                   int span, TotalOrderKey<Value> flip) {
  using Keys = hn::Repartition<TotalOrderKey<Value>, Turned>;
  const Turned d;
  const TurnedLoader<Value, raw> load(in, rows, flip);
  const TurnedStorer<TotalOrderKey<Value>> store(to, rows);
  const auto larger = [](hn::Vec<Turned> a, hn::Vec<Turned> b) HWY_ATTR {
    return hn::BitCast(Turned(), hn::Max(hn::BitCast(Keys(), a), hn::BitCast(Keys(), b)));
  };
  const int size = span - 1;
  HWY_ALIGN std::uint32_t kept[largest_size * rows_turned];  // columns, then the maxima from them to the last
  std::fill_n(kept, size * rows_turned, 0u);
  hn::Vec<Turned> v[4];
  for (int first = 0; first < pixels; first += size) {
    auto so_far = hn::BitCast(d, hn::Set(Keys(), lowest_key<Value>));
    for (int x = 0; x < size && first + x < pixels; x += 4) {
      load(first + x, v);
      std::uint32_t* HWY_RESTRICT at = kept + x * rows_turned;
      for (int i = 0; i < 4; ++i, at += rows_turned) {
        const auto end = hn::Load(d, at);
        hn::Store(v[i], d, at);
        so_far = larger(so_far, v[i]);
        v[i] = larger(so_far, end);
      }
      if (first > 0) store(v, first - size + x);
    }
    auto end = hn::Load(d, kept + (size - 1) * rows_turned);
    for (int x = size - 2; x >= 0; --x) {
      end = larger(end, hn::Load(d, kept + x * rows_turned));
      hn::Store(end, d, kept + x * rows_turned);
    }
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#endif

// Long windows along rows, for pixels of 32 bits (Google Highway, compiled once per instruction set: no #pragma once).
//
// Several rows are transposed, so that a vector holds one column of all of them. The maxima over a window then take the
// three operations of max_of_row() for any size, while shifted loads need more for longer windows.
//
// loaded, 256 bits        v[0] = row 0: p0 p1 p2 p3 | row 4: p0 p1 p2 p3
//                         v[1] = row 1: p0 p1 p2 p3 | row 5: p0 p1 p2 p3   ... v[3] = row 3 | row 7
// after transpose_4x4()   v[0] = p0 of rows 0 1 2 3 | p0 of rows 4 5 6 7
//                         v[1] = p1 of rows 0 1 2 3 | p1 of rows 4 5 6 7   ... v[3] = p3

#if defined(THREADSCAPE_MORPHOLOGY_TRANSPOSED_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_MORPHOLOGY_TRANSPOSED_INL_H_
#undef THREADSCAPE_MORPHOLOGY_TRANSPOSED_INL_H_
#else
#define THREADSCAPE_MORPHOLOGY_TRANSPOSED_INL_H_
#endif

#include <hwy/highway.h>

#include <algorithm>

#include "compute/algorithms/morphology/morphology/openmp/morphology_lines-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::morphology {
namespace HWY_NAMESPACE {

/// How many rows are transposed together; 0 where none are.
#if HWY_TARGET == HWY_SCALAR || HWY_HAVE_SCALABLE
inline constexpr int transposed_rows = 0;
#else
inline constexpr int transposed_rows = HWY_MAX_BYTES >= 32 ? 8 : 4;
#endif

/// The longest window of max_of_transposed() that fits into `size` pixels: one pixel more than a multiple of 4.
inline int transposed_span(int size) {
  return (size - 1) / 4 * 4 + 1;
}

#if HWY_TARGET != HWY_SCALAR && !HWY_HAVE_SCALABLE

/// Lanes are pixels; each block of four lanes belongs to four rows.
using Block = hn::FixedTag<std::uint32_t, 4>;
using TransposedTag = hn::FixedTag<std::uint32_t, transposed_rows>;

/// Transposes 4 x 4 pixels in each block: rows become columns.
HWY_INLINE void transpose_4x4(hn::Vec<TransposedTag> (&v)[4]) {
  const TransposedTag d;
  const hn::Repartition<std::uint64_t, TransposedTag> pairs;
  const auto lower = [&](int i) HWY_ATTR { return hn::BitCast(pairs, hn::InterleaveLower(d, v[i], v[i + 1])); };
  const auto upper = [&](int i) HWY_ATTR { return hn::BitCast(pairs, hn::InterleaveUpper(d, v[i], v[i + 1])); };
  const auto a = lower(0), b = lower(2), c = upper(0), e = upper(2);
  v[0] = hn::BitCast(d, hn::InterleaveLower(pairs, a, b));
  v[1] = hn::BitCast(d, hn::InterleaveUpper(pairs, a, b));
  v[2] = hn::BitCast(d, hn::InterleaveLower(pairs, c, e));
  v[3] = hn::BitCast(d, hn::InterleaveUpper(pairs, c, e));
}

/// Loads four columns of up to transposed_rows rows.
template <class Value, bool raw>
struct TransposedLoader {
  using Key = TotalOrderKey<Value>;
  using Keys = hn::Repartition<Key, TransposedTag>;
  const std::uint32_t* row[transposed_rows];
  hn::Vec<Keys> mask;

  TransposedLoader(RowsOf<const Key> in, int rows, Key flip) : mask(hn::Set(Keys(), flip)) {
    for (int i = 0; i < transposed_rows; ++i)
      row[i] = reinterpret_cast<const std::uint32_t*>(in.row(std::min(i, rows - 1)));
  }
  HWY_INLINE void operator()(int x, hn::Vec<TransposedTag> (&v)[4]) const {
    const TransposedTag d;
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
    transpose_4x4(v);
  }
};
template <class Key>
struct TransposedStorer {
  std::uint32_t* row[transposed_rows];
  int rows;

  TransposedStorer(RowsOf<Key> to, int count) : rows(count) {
    for (int i = 0; i < transposed_rows; ++i)
      row[i] = reinterpret_cast<std::uint32_t*>(to.row(std::min(i, count - 1)));
  }
  HWY_INLINE void operator()(hn::Vec<TransposedTag> (&v)[4], int x) const {
    transpose_4x4(v);
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

/// Sets to[x] to the maximum of the pixels x .. x + span - 1, for all windows that begin in the first pixels - span +
/// 1, of up to transposed_rows rows. `span` is a transposed_span(), at least 5; up to three pixels more are read and
/// written. Works in place.
template <class Value, bool raw>
void max_of_transposed(RowsOf<const TotalOrderKey<Value>> in, RowsOf<TotalOrderKey<Value>> to, int rows, int pixels,
                       int span, TotalOrderKey<Value> flip) {
  using Keys = hn::Repartition<TotalOrderKey<Value>, TransposedTag>;
  const TransposedTag d;
  const TransposedLoader<Value, raw> load(in, rows, flip);
  const TransposedStorer<TotalOrderKey<Value>> store(to, rows);
  const auto larger = [](hn::Vec<TransposedTag> a, hn::Vec<TransposedTag> b) HWY_ATTR {
    return hn::BitCast(TransposedTag(), hn::Max(hn::BitCast(Keys(), a), hn::BitCast(Keys(), b)));
  };
  const int size = span - 1;
  HWY_ALIGN std::uint32_t kept[max_element_size * transposed_rows];  // Columns, then the suffix maxima of them.
  std::fill_n(kept, size * transposed_rows, 0u);
  hn::Vec<TransposedTag> v[4];
  for (int first = 0; first < pixels; first += size) {
    auto running_max = hn::BitCast(d, hn::Set(Keys(), lowest_key<Value>));
    for (int x = 0; x < size && first + x < pixels; x += 4) {
      load(first + x, v);
      std::uint32_t* HWY_RESTRICT at = kept + x * transposed_rows;
      for (int i = 0; i < 4; ++i, at += transposed_rows) {
        const auto end = hn::Load(d, at);
        hn::Store(v[i], d, at);
        running_max = larger(running_max, v[i]);
        v[i] = larger(running_max, end);
      }
      if (first > 0) store(v, first - size + x);
    }
    auto end = hn::Load(d, kept + (size - 1) * transposed_rows);
    for (int x = size - 2; x >= 0; --x) {
      end = larger(end, hn::Load(d, kept + x * transposed_rows));
      hn::Store(end, d, kept + x * transposed_rows);
    }
  }
}

#endif

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#endif

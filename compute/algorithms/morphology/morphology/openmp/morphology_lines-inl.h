// Maxima along rows and columns of a tile (Google Highway, compiled once per instruction set: no #pragma once).
//
// Samples are unsigned integers or the keys of floats, and only maxima are needed, see TotalOrderKey. A lane is one
// sample: the channels of a pixel stay side by side, and a neighbour in a row is `channels` samples away. Loops advance
// by two vectors, so what they read and write has padding behind its end:
//
// RGBA, 32 lanes   | r0 g0 b0 a0 r1 g1 b1 a1 ... r7 g7 b7 a7 |   pixels 0..7
// offset 4         |             r1 g1 b1 a1 r2 ...      a8  |   the same pixels' right neighbours: one unaligned load

#if defined(THREADSCAPE_MORPHOLOGY_LINES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_MORPHOLOGY_LINES_INL_H_
#undef THREADSCAPE_MORPHOLOGY_LINES_INL_H_
#else
#define THREADSCAPE_MORPHOLOGY_LINES_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "compute/algorithms/morphology/morphology/morphology_element.h"
#include "compute/algorithms/morphology/morphology/morphology_math.h"
#include "compute/algorithms/morphology/morphology/openmp/morphology_tile.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::morphology {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Prefetches a row: rows of tiles are too short for the hardware prefetcher to foresee the next ones.
template <class Value>
HWY_INLINE void prefetch_row(const Value* from, int count) {
  constexpr int line = 64 / sizeof(Value);
  for (int i = 0; i < count; i += line)
    hwy::Prefetch(from + i);
}

/// Converts the bits of floats to keys, and keys to bits.
template <class V>
HWY_INLINE V float_bits_to_keys(V bits) {
  const hn::ScalableTag<std::int32_t> d;
  return hn::Xor(bits, hn::And(hn::ShiftRight<31>(bits), hn::Set(d, 0x7fffffff)));
}

/// Loads keys. Raw ones are values as they are in the picture: they are converted to keys and xored with `flip`.
template <class Value, bool raw>
struct KeyLoader {
  using Key = TotalOrderKey<Value>;
  hn::Vec<hn::ScalableTag<Key>> mask;

  explicit HWY_INLINE KeyLoader(Key flip) : mask(hn::Set(hn::ScalableTag<Key>(), flip)) {}
  HWY_INLINE hn::Vec<hn::ScalableTag<Key>> operator()(const Key* from) const {
    auto v = hn::LoadU(hn::ScalableTag<Key>(), from);
    if constexpr (raw && std::is_same_v<Value, float>) v = float_bits_to_keys(v);
    return raw ? hn::Xor(v, mask) : v;
  }
  template <int loads>
  HWY_INLINE hn::Vec<hn::ScalableTag<Key>> largest(const Key* from, const int (&offset)[5]) const {
    auto v = (*this)(from + offset[0]);
    for (int i = 1; i < loads; ++i)
      v = hn::Max(v, (*this)(from + offset[i]));
    return v;
  }
};

/// How maxima over a window along a row are computed: first those over `span` pixels, then the maximum of `loads` of
/// them, at distances of `offset` samples.
struct WindowLoads {
  int span = 1, loads = 1;
  int offset[5] = {};

  WindowLoads() = default;
  WindowLoads(int of, int count, int size, int channels) : span(of), loads(count) {
    for (int i = 0; i < 5; ++i)
      offset[i] = std::min(i * span, size - span) * channels;
  }
};

/// Sets to[i] to the maximum of `loads` samples, at i + offset[..], for i < n. Works in place: offsets are not
/// negative, so what is read has not been written.
template <class Value, int loads, bool raw>
HWY_INLINE void max_of_shifted(const TotalOrderKey<Value>* from, TotalOrderKey<Value>* to, int n,
                               const int (&offset)[5], TotalOrderKey<Value> flip) {
  const hn::ScalableTag<TotalOrderKey<Value>> d;
  const KeyLoader<Value, raw> load(flip);
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < n; i += 2 * lanes) {
    const auto first = load.template largest<loads>(from + i, offset);
    const auto second = load.template largest<loads>(from + i + lanes, offset);
    hn::StoreU(first, d, to + i);
    hn::StoreU(second, d, to + i + lanes);
  }
}
template <class Value, bool raw>
void max_of_shifted(const TotalOrderKey<Value>* from, TotalOrderKey<Value>* to, int n, const WindowLoads& window_loads,
                    TotalOrderKey<Value> flip) {
  switch (window_loads.loads) {
    case 1:
      return max_of_shifted<Value, 1, raw>(from, to, n, window_loads.offset, flip);
    case 2:
      return max_of_shifted<Value, 2, raw>(from, to, n, window_loads.offset, flip);
    case 3:
      return max_of_shifted<Value, 3, raw>(from, to, n, window_loads.offset, flip);
    case 4:
      return max_of_shifted<Value, 4, raw>(from, to, n, window_loads.offset, flip);
    default:
      return max_of_shifted<Value, 5, raw>(from, to, n, window_loads.offset, flip);
  }
}

/// Rows of a tile or of the picture.
template <class Key>
struct RowsOf {
  Key* first = nullptr;
  std::ptrdiff_t pitch = 0;  ///< In samples.

  [[nodiscard]] HWY_INLINE Key* row(int i) const { return first + i * pitch; }
};

/// The operands and the destination of max_of_pack(): a pack of rows.
template <class Value>
struct RowPack {
  using Key = TotalOrderKey<Value>;
  RowsOf<const Key> in;
  WindowLoads window_loads;  ///< How windows along the rows of `in` are computed.
  Key flip_in{};             ///< Xored to raw rows.
  RowsOf<Key> kept;
  int rows = 1;
  int samples = 0;
  RowsOf<Key> to;
  Key flip{};  ///< Xored to the results.
  // Used where the results are values of the picture:
  RowsOf<const Key> own;  ///< Values whose alpha is kept.
  bool alpha = false, stream = false;
};

/// Stores results in their place.
template <class Value, bool direct>
struct KeyStorer {
  using Key = TotalOrderKey<Value>;
  using D = hn::ScalableTag<Key>;
  RowsOf<Key> to;  // Copies, because the bytes that are stored might alias the pack.
  RowsOf<const Key> own;
  bool stream;
  hn::Vec<D> mask;
  hn::Mask<D> alpha;

  static HWY_INLINE hn::Mask<D> alpha_lanes(bool any) {
    HWY_ALIGN Key lanes[hn::MaxLanes(D())];
    for (int i = 0; i < static_cast<int>(hn::Lanes(D())); ++i)
      lanes[i] = static_cast<Key>(any && i % 4 == 3 ? ~Key{0} : Key{0});
    return hn::MaskFromVec(hn::Load(D(), lanes));
  }
  explicit HWY_INLINE KeyStorer(const RowPack<Value>& p)
      : to(p.to), own(p.own), stream(p.stream), mask(hn::Set(D(), p.flip)), alpha(alpha_lanes(p.alpha)) {}
  HWY_INLINE void operator()(hn::Vec<D> v, int row, int x) const {
    v = hn::Xor(v, mask);
    Key* at = to.row(row) + x;
    if constexpr (direct) {
      if constexpr (std::is_same_v<Value, float>) v = float_bits_to_keys(v);
      v = hn::IfThenElse(alpha, hn::LoadU(D(), own.row(row) + x), v);
      if (stream) return hn::Stream(v, D(), at);
    }
    hn::StoreU(v, D(), at);
  }
};

/// Row y of the results is the maximum of size + 1 rows: the kept rows from row y on, and the new rows up to y. By van
/// Herk, Gil and Werman these are suffix maxima of the kept rows and prefix maxima of the new ones, three operations
/// for any size:
///
/// kept rows   k0 k1 k2 k3      result 1 =  max(k1 k2 k3)   suffix of the kept rows
/// new rows    n0 n1 n2 n3                  max(n0 n1)      prefix of the new rows
///
/// Each new row is first replaced by the maxima along itself, then takes the place of a kept row. For windows so small
/// that a column of the pack fits into registers: to_end[] and from_start are one vector of samples each.
template <class Value, int size, int loads, bool raw, bool direct>
void max_of_pack(const RowPack<Value>& pack) {
  using Key = TotalOrderKey<Value>;
  const hn::ScalableTag<Key> d;
  const KeyLoader<Value, raw> load(pack.flip_in);
  const KeyStorer<Value, direct> store(pack);
  const RowsOf<const Key> in = pack.in;
  const RowsOf<Key> kept = pack.kept;
  const int lanes = static_cast<int>(hn::Lanes(d)), samples = pack.samples;
  int offset[5];
  std::copy_n(pack.window_loads.offset, 5, offset);
  const auto one_at = [&](int x) HWY_ATTR {
    hn::Vec<hn::ScalableTag<Key>> to_end[size];
    to_end[size - 1] = hn::LoadU(d, kept.row(size - 1) + x);
    for (int i = size - 2; i >= 0; --i)
      to_end[i] = hn::Max(to_end[i + 1], hn::LoadU(d, kept.row(i) + x));
    auto from_start = to_end[0];
    for (int i = 0; i < size; ++i) {
      const auto run = load.template largest<loads>(in.row(i) + x, offset);
      hn::StoreU(run, d, kept.row(i) + x);
      from_start = i == 0 ? run : hn::Max(from_start, run);
      store(hn::Max(from_start, to_end[i]), i, x);
    }
  };
  for (int x = 0; x < samples; x += 2 * lanes) {
    if constexpr (raw)
      for (int i = 0; i < size; ++i)
        hwy::Prefetch(in.row(i + size) + x);
    one_at(x);
    one_at(x + lanes);
  }
}

/// Computes one row of the results for windows of any height by the scheme of max_of_pack(). It works row by row,
/// because caches and prefetchers work best along rows. All rows of `pack` start with this one. Its kept row already
/// holds the suffix maximum (suffix_max()). `running_max` holds the prefix maximum of the new rows before it, and is
/// updated with this row.
template <class Value, int loads, bool direct>
void max_of_row(const RowPack<Value>& pack, TotalOrderKey<Value>* running_max) {
  using Key = TotalOrderKey<Value>;
  const hn::ScalableTag<Key> d;
  const KeyLoader<Value, false> load(Key{0});
  const KeyStorer<Value, direct> store(pack);
  const Key* in = pack.in.first;
  Key* kept = pack.kept.first;
  const int lanes = static_cast<int>(hn::Lanes(d)), samples = pack.samples;
  int offset[5];
  std::copy_n(pack.window_loads.offset, 5, offset);
  for (int x = 0; x < samples; x += 2 * lanes) {
    const auto first = load.template largest<loads>(in + x, offset);
    const auto second = load.template largest<loads>(in + x + lanes, offset);
    const auto first_end = hn::LoadU(d, kept + x), second_end = hn::LoadU(d, kept + x + lanes);
    hn::StoreU(first, d, kept + x);
    hn::StoreU(second, d, kept + x + lanes);
    const auto a = hn::Max(hn::LoadU(d, running_max + x), first),
               b = hn::Max(hn::LoadU(d, running_max + x + lanes), second);
    hn::StoreU(a, d, running_max + x);
    hn::StoreU(b, d, running_max + x + lanes);
    store(hn::Max(a, first_end), 0, x);
    store(hn::Max(b, second_end), 0, x + lanes);
  }
}
/// Replaces each row by the maximum of itself and all rows after it.
template <class Key>
void suffix_max(RowsOf<Key> rows, int count, int samples) {
  const hn::ScalableTag<Key> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = count - 2; i >= 0; --i) {
    const Key* next = rows.row(i + 1);
    Key* row = rows.row(i);
    for (int x = 0; x < samples; x += 2 * lanes) {
      const auto first = hn::Max(hn::LoadU(d, row + x), hn::LoadU(d, next + x));
      const auto second = hn::Max(hn::LoadU(d, row + x + lanes), hn::LoadU(d, next + x + lanes));
      hn::StoreU(first, d, row + x);
      hn::StoreU(second, d, row + x + lanes);
    }
  }
}

/// Returns whether max_of_pack() is unrolled for windows of this size, and reads rows as they are in the picture.
template <class Value>
constexpr bool is_small(const Window& window) {
  return std::is_same_v<Value, std::uint8_t> && window.width == window.height &&
         (window.width == 3 || window.width == 5);
}
/// The loads for a window of this size. Small windows need one step along the rows. Others start from windows of 1, 2,
/// 3 or of 4, 16, 64 pixels, and combine up to four of those.
template <class Value>
WindowLoads window_loads_of(const Window& window, int channels) {
  const int size = window.width;
  if (is_small<Value>(window)) return {1, size, size, channels};
  if (size <= 4) return {size, 2, size, channels};
  int span = size <= 9 ? 3 : 4;
  while (size > 4 * span)
    span *= 4;
  return {span, std::max(2, (size + span - 1) / span), size, channels};
}

/// The number of rows for which max_of_pack() is unrolled; 0 where such windows are computed row by row.
template <class Value>
int packed_rows(const Window& window, const WindowLoads& window_loads) {
  if constexpr (std::is_same_v<Value, std::uint8_t>) {
    const int size = window.height - 1;
    // More than 6 rows at once would need more open cache lines than the processor has for streaming stores.
    if ((size == 2 && window_loads.loads == 3) || (size == 4 && window_loads.loads == 5) ||
        (size == 6 && window_loads.loads == 3))
      return size;
  }
  return 0;
}

/// Full packs of packed_rows() rows; `raw` ones belong to small windows.
template <class Value, bool direct>
void max_of_pack(const RowPack<Value>& pack, bool raw) {
  if constexpr (std::is_same_v<Value, std::uint8_t>) {
    if (pack.rows == 2)
      return raw ? max_of_pack<Value, 2, 3, true, direct>(pack) : max_of_pack<Value, 2, 3, false, direct>(pack);
    if (pack.rows == 4)
      return raw ? max_of_pack<Value, 4, 5, true, direct>(pack) : max_of_pack<Value, 4, 5, false, direct>(pack);
    max_of_pack<Value, 6, 3, false, direct>(pack);
  }
}
template <class Value, bool direct>
void max_of_row(const RowPack<Value>& pack, TotalOrderKey<Value>* running_max) {
  switch (pack.window_loads.loads) {
    case 1:
      return max_of_row<Value, 1, direct>(pack, running_max);
    case 2:
      return max_of_row<Value, 2, direct>(pack, running_max);
    case 3:
      return max_of_row<Value, 3, direct>(pack, running_max);
    case 4:
      return max_of_row<Value, 4, direct>(pack, running_max);
    default:
      return max_of_row<Value, 5, direct>(pack, running_max);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#endif

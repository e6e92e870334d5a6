// Maxima along rows and columns of a tile (Google Highway, compiled once per instruction set: no #pragma once).
//
// Samples are unsigned integers or the keys of floats, and only maxima are needed: see KeyOf. The channels of a pixel
// stay side by side; a neighbour in a row is `channels` samples away.

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

#include "compute/morphology/morphology_element.h"
#include "compute/morphology/morphology_tile.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::morphology {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// Rows of tiles are too short for the processor to see that the next ones will follow, so it is told.
template <class Value>
HWY_INLINE void announce(const Value* from, int count) {
  constexpr int line = 64 / sizeof(Value);
  for (int i = 0; i < count; i += line)
    hwy::Prefetch(from + i);
}

/// line[i] = the maximum of `loads` samples, i + offset[..] each; in place, for i < n. Offsets are not negative, so
/// what is read has not been written.
template <int loads, class K>
HWY_INLINE void max_of_shifted(K* HWY_RESTRICT line, int n, const int (&offset)[5]) {
  const hn::ScalableTag<K> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto at = [&](const K* from) HWY_ATTR {
    auto v = hn::Max(hn::LoadU(d, from + offset[0]), hn::LoadU(d, from + offset[1]));
    if constexpr (loads > 2) v = hn::Max(v, hn::LoadU(d, from + offset[2]));
    if constexpr (loads > 3) v = hn::Max(v, hn::LoadU(d, from + offset[3]));
    if constexpr (loads > 4) v = hn::Max(v, hn::LoadU(d, from + offset[4]));
    return v;
  };
  for (int i = 0; i < n; i += 2 * lanes) {
    const auto first = at(line + i), second = at(line + i + lanes);
    hn::StoreU(first, d, line + i);
    hn::StoreU(second, d, line + i + lanes);
  }
}

/// line[i] = the maximum of line[i .. i + size - 1], in pixels; in place. `pixels` is the length of the line, and the
/// results are size - 1 fewer. Up to 5 pixels at once; else windows of 3 or of 4, 16, 64 pixels first, then up to four
/// of those make any size.
template <class K>
HWY_INLINE void max_along_row(K* line, int pixels, int size, int channels) {
  int span = 1;
  const auto combine = [&](int loads, int last) HWY_ATTR {
    const int n = (pixels - last) * channels;
    int offset[5];
    for (int i = 0; i < 5; ++i)
      offset[i] = (i == loads - 1 ? last : i * span) * channels;
    if (loads == 2)
      max_of_shifted<2>(line, n, offset);
    else if (loads == 3)
      max_of_shifted<3>(line, n, offset);
    else if (loads == 4)
      max_of_shifted<4>(line, n, offset);
    else
      max_of_shifted<5>(line, n, offset);
    pixels -= last;
  };
  if (size > 5 && size <= 9) {
    combine(3, 2);
    span = 3;
  }
  while (size > 9 && 4 * span <= size) {
    combine(4, 3 * span);
    span *= 4;
  }
  if (span < size) combine((size + span - 1) / span, size - span);
}

/// to[y] = the maximum of rows from[y .. y + size - 1] for y < rows, for all columns of `samples`; `flip` is xored to
/// the results. van Herk / Gil-Werman, downwards: of every `size` rows the maxima to their end, then those from the
/// start of the next rows; three steps per row for any size.
template <class K>
void max_along_columns_herk(const K* const* from, K* const* to, int samples, int rows, int size, K flip) {
  const hn::ScalableTag<K> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto mask = hn::Set(d, flip);
  HWY_ALIGN K to_end[largest_size * 2 * hn::MaxLanes(hn::ScalableTag<K>())];
  for (int x = 0; x < samples; x += 2 * lanes) {
    for (int first = 0; first < rows; first += size) {
      const K* const* in = from + first;
      auto a = hn::LoadU(d, in[size - 1] + x), b = hn::LoadU(d, in[size - 1] + x + lanes);
      K* HWY_RESTRICT end = to_end + (size - 1) * 2 * lanes;
      hn::Store(a, d, end);
      hn::Store(b, d, end + lanes);
      for (int i = size - 2; i >= 0; --i) {
        end -= 2 * lanes;
        a = hn::Max(a, hn::LoadU(d, in[i] + x));
        b = hn::Max(b, hn::LoadU(d, in[i] + x + lanes));
        hn::Store(a, d, end);
        hn::Store(b, d, end + lanes);
      }
      K* const* out = to + first;
      const int count = rows - first < size ? rows - first : size;
      hn::StoreU(hn::Xor(a, mask), d, out[0] + x);
      hn::StoreU(hn::Xor(b, mask), d, out[0] + x + lanes);
      in += size - 1;
      a = b = hn::Set(d, hwy::LowestValue<K>());
      for (int i = 1; i < count; ++i) {
        end += 2 * lanes;
        a = hn::Max(a, hn::LoadU(d, in[i] + x));
        b = hn::Max(b, hn::LoadU(d, in[i] + x + lanes));
        hn::StoreU(hn::Xor(hn::Max(a, hn::Load(d, end)), mask), d, out[i] + x);
        hn::StoreU(hn::Xor(hn::Max(b, hn::Load(d, end + lanes)), mask), d, out[i] + x + lanes);
      }
    }
  }
}

/// The same for one row of results.
template <class K>
void max_of_rows(const K* const* from, K* HWY_RESTRICT to, int samples, int size, K flip) {
  const hn::ScalableTag<K> d;
  const auto mask = hn::Set(d, flip);
  for (int x = 0; x < samples; x += static_cast<int>(hn::Lanes(d))) {
    auto v = hn::LoadU(d, from[0] + x);
    for (int i = 1; i < size; ++i)
      v = hn::Max(v, hn::LoadU(d, from[i] + x));
    hn::StoreU(hn::Xor(v, mask), d, to + x);
  }
}
/// And for four rows of results, which share all rows but the first and the last three.
template <int size, class K>
void max_of_shared_rows(const K* const* from, K* const* to, int samples, K flip) {
  static_assert(size >= 3);
  const hn::ScalableTag<K> d;
  const auto mask = hn::Set(d, flip);
  const K* HWY_RESTRICT in[size + 3];
  std::copy_n(from, size + 3, in);
  K* HWY_RESTRICT out[4] = {to[0], to[1], to[2], to[3]};
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto four_at = [&](int x) HWY_ATTR {
    const auto row = [&](int i) HWY_ATTR { return hn::LoadU(d, in[i] + x); };
    const auto second = row(2), third = row(size);
    const auto before = hn::Max(row(1), second), after = hn::Max(third, row(size + 1));
    auto v0 = hn::Max(row(0), before), v1 = hn::Max(before, third);
    auto v2 = hn::Max(second, after), v3 = hn::Max(after, row(size + 2));
    if constexpr (size > 3) {
      auto shared = row(3);
      for (int i = 4; i < size; ++i)
        shared = hn::Max(shared, row(i));
      v0 = hn::Max(v0, shared);
      v1 = hn::Max(v1, shared);
      v2 = hn::Max(v2, shared);
      v3 = hn::Max(v3, shared);
    }
    hn::StoreU(hn::Xor(v0, mask), d, out[0] + x);
    hn::StoreU(hn::Xor(v1, mask), d, out[1] + x);
    hn::StoreU(hn::Xor(v2, mask), d, out[2] + x);
    hn::StoreU(hn::Xor(v3, mask), d, out[3] + x);
  };
  for (int x = 0; x < samples; x += 2 * lanes) {  // two vectors for every time that addresses are fetched
    four_at(x);
    four_at(x + lanes);
  }
}

template <int size = 3, class K>
void max_along_columns(const K* const* from, K* const* to, int samples, int rows, int any_size, K flip) {
  if constexpr (size > few_rows) {
    max_along_columns_herk(from, to, samples, rows, any_size, flip);
  } else {
    if (size < any_size) return max_along_columns<size + 1>(from, to, samples, rows, any_size, flip);
    int y = 0;
    for (; size == any_size && y + 4 <= rows; y += 4)
      max_of_shared_rows<size>(from + y, to + y, samples, flip);
    for (; y < rows; ++y)
      max_of_rows(from + y, to[y], samples, any_size, flip);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#endif

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

#include <hwy/highway.h>

#include <cstddef>

#include "compute/morphology/morphology_element.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::morphology {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

/// line[i] = the maximum of `loads` samples, i + offset[..] each; in place, for i < n. Offsets are not negative, so
/// what is read has not been written.
template <int loads, class K>
HWY_INLINE void max_of_shifted(K* HWY_RESTRICT line, int n, const int (&offset)[4]) {
  const hn::ScalableTag<K> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  for (int i = 0; i < n; i += lanes) {
    auto v = hn::Max(hn::LoadU(d, line + i + offset[0]), hn::LoadU(d, line + i + offset[1]));
    if constexpr (loads > 2) v = hn::Max(v, hn::LoadU(d, line + i + offset[2]));
    if constexpr (loads > 3) v = hn::Max(v, hn::LoadU(d, line + i + offset[3]));
    hn::StoreU(v, d, line + i);
  }
}

/// line[i] = the maximum of line[i .. i + size - 1], in pixels; in place. `pixels` is the length of the line, and the
/// results are size - 1 fewer. Windows of 4, 16, 64 pixels first; then up to four of those make any size.
template <class K>
HWY_INLINE void max_along_row(K* line, int pixels, int size, int channels) {
  int span = 1;
  const auto combine = [&](int loads, int last) HWY_ATTR {
    const int n = (pixels - last) * channels;
    const int step = span * channels;
    const int offset[4]{0, loads == 2 ? last * channels : step, loads == 3 ? last * channels : 2 * step,
                        last * channels};
    if (loads == 2)
      max_of_shifted<2>(line, n, offset);
    else if (loads == 3)
      max_of_shifted<3>(line, n, offset);
    else
      max_of_shifted<4>(line, n, offset);
    pixels -= last;
  };
  while (4 * span <= size) {
    combine(4, 3 * span);
    span *= 4;
  }
  if (span < size) combine((size + span - 1) / span, size - span);
}

/// to[y] = the maximum of from[y .. y + size - 1] for y < rows, for all columns of `samples`; `flip` is xored to the
/// results. Pitches are in samples. van Herk / Gil-Werman, downwards: of every `size` rows the maxima to their end,
/// then those from the start of the next rows; three steps per row for any size.
template <class K>
void max_along_columns_herk(const K* HWY_RESTRICT from, std::ptrdiff_t pitch, K* HWY_RESTRICT to,
                            std::ptrdiff_t to_pitch, int samples, int rows, int size, K flip) {
  const hn::ScalableTag<K> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto mask = hn::Set(d, flip);
  HWY_ALIGN K to_end[largest_size * 2 * hn::MaxLanes(hn::ScalableTag<K>())];
  for (int x = 0; x < samples; x += 2 * lanes) {
    for (int first = 0; first < rows; first += size) {
      const K* HWY_RESTRICT in = from + first * pitch + x;
      auto a = hn::LoadU(d, in + (size - 1) * pitch), b = hn::LoadU(d, in + (size - 1) * pitch + lanes);
      K* HWY_RESTRICT end = to_end + (size - 1) * 2 * lanes;
      hn::Store(a, d, end);
      hn::Store(b, d, end + lanes);
      for (int i = size - 2; i >= 0; --i) {
        end -= 2 * lanes;
        a = hn::Max(a, hn::LoadU(d, in + i * pitch));
        b = hn::Max(b, hn::LoadU(d, in + i * pitch + lanes));
        hn::Store(a, d, end);
        hn::Store(b, d, end + lanes);
      }
      K* HWY_RESTRICT out = to + first * to_pitch + x;
      const int count = rows - first < size ? rows - first : size;
      hn::StoreU(hn::Xor(a, mask), d, out);
      hn::StoreU(hn::Xor(b, mask), d, out + lanes);
      in += size * pitch;
      a = b = hn::Set(d, hwy::LowestValue<K>());
      for (int i = 1; i < count; ++i, in += pitch) {
        out += to_pitch;
        end += 2 * lanes;
        a = hn::Max(a, hn::LoadU(d, in));
        b = hn::Max(b, hn::LoadU(d, in + lanes));
        hn::StoreU(hn::Xor(hn::Max(a, hn::Load(d, end)), mask), d, out);
        hn::StoreU(hn::Xor(hn::Max(b, hn::Load(d, end + lanes)), mask), d, out + lanes);
      }
    }
  }
}

/// The same for few rows: two results share all rows but their first and last.
template <class K>
void max_along_columns_few(const K* HWY_RESTRICT from, std::ptrdiff_t pitch, K* HWY_RESTRICT to,
                           std::ptrdiff_t to_pitch, int samples, int rows, int size, K flip) {
  const hn::ScalableTag<K> d;
  const int lanes = static_cast<int>(hn::Lanes(d));
  const auto mask = hn::Set(d, flip);
  for (int y = 0; y < rows; y += 2) {
    const K* HWY_RESTRICT in = from + y * pitch;
    K* HWY_RESTRICT out = to + y * to_pitch;
    const bool pair = y + 1 < rows;
    for (int x = 0; x < samples; x += lanes) {
      const auto first = hn::LoadU(d, in + x);
      if (size == 1) {
        hn::StoreU(hn::Xor(first, mask), d, out + x);
        if (pair) hn::StoreU(hn::Xor(hn::LoadU(d, in + pitch + x), mask), d, out + to_pitch + x);
        continue;
      }
      auto shared = hn::LoadU(d, in + pitch + x);
      for (int i = 2; i < size; ++i)
        shared = hn::Max(shared, hn::LoadU(d, in + i * pitch + x));
      hn::StoreU(hn::Xor(hn::Max(first, shared), mask), d, out + x);
      if (pair) hn::StoreU(hn::Xor(hn::Max(shared, hn::LoadU(d, in + size * pitch + x)), mask), d, out + to_pitch + x);
    }
  }
}

template <class K>
HWY_INLINE void max_along_columns(const K* from, std::ptrdiff_t pitch, K* to, std::ptrdiff_t to_pitch, int samples,
                                  int rows, int size, K flip) {
  constexpr int few = 11;
  if (size <= few)
    max_along_columns_few(from, pitch, to, to_pitch, samples, rows, size, flip);
  else
    max_along_columns_herk(from, pitch, to, to_pitch, samples, rows, size, flip);
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::morphology
HWY_AFTER_NAMESPACE();

#endif

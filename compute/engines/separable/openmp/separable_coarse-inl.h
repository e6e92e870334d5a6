// Smoothing of 8-bit pictures with a symmetric mask of 3 x 3 or 5 x 5 taps of 12 bits, SimdPlan::coarse (Google
// Highway, compiled once per instruction set).
//
// Taps that add up to 2^12 need to multiply only the differences from the pixel in the middle. With
// d1 = p[-1] + p[1] - 2 p[0], d2 = p[-2] + p[2] - 2 p[0] and the taps a1 and a2 at these distances, sums along columns
// of pixels p and then along rows of column sums c are
//   floor((2^12 p[0] + a1 d1 + a2 d2 + 2^7) / 2^8) = 2^4 p[0] + floor((a1 d1 + a2 d2 + 2^7) / 2^8)
//   floor((2^12 c[0] + a1 d1 + a2 d2 + 2^15) / 2^16) = floor((c[0] + 8 + floor((a1 d1 + a2 d2) / 2^12)) / 2^4)
// where differences and results fit 16 bits. For 3 x 3, where there is one product, its upper half is enough.
//
//   bytes      p0 p1 p2 p3 p4 p5 ...      Even and odd pixels are kept in vectors of their own: a mask or a shift
//   widens even       p0    p2    p4    ...      them to 16 bits, and the neighbours of all even pixels are odd ones.
//   odd           p1    p3    p5 ...

#if defined(THREADSCAPE_SEPARABLE_COARSE_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_SEPARABLE_COARSE_INL_H_
#undef THREADSCAPE_SEPARABLE_COARSE_INL_H_
#else
#define THREADSCAPE_SEPARABLE_COARSE_INL_H_
#endif

#include <hwy/cache_control.h>
#include <hwy/highway.h>

#include <algorithm>

#include "compute/engines/planes/dot-inl.h"
#include "compute/engines/separable/openmp/separable_bytes-inl.h"
#include "compute/engines/separable/openmp/separable_simd.h"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace threadscape::separable {
namespace HWY_NAMESPACE {

/// Columns of a tile. So little is computed that memory is the limit: the longer the pieces of rows, the better the
/// hardware prefetcher works.
inline constexpr int width_of_coarse = 4096;

/// Column sums of one row, of even and of odd columns. The tile's first column is at index tile_step / 2.
struct CoarseBuffers {
  alignas(64) std::int16_t even[width_of_coarse / 2 + tile_step], odd[width_of_coarse / 2 + tile_step];
};

HWY_INLINE hn::Vec<D16> even_bytes(hn::Vec<D8> values) {
  return hn::And(hn::BitCast(D16(), values), hn::Set(D16(), 0xff));
}
HWY_INLINE hn::Vec<D16> odd_bytes(hn::Vec<D8> values) {
  return hn::BitCast(D16(), hn::ShiftRight<8>(hn::BitCast(hn::RebindToUnsigned<D16>(), values)));
}

/// p[-distance] + p[distance] - 2 p[0], where `middle` points at p[0].
template <int distance>
HWY_INLINE hn::Vec<D16> difference(const hn::Vec<D16>* middle) {
  return hn::Sub(hn::Add(middle[-distance], middle[distance]), hn::Add(middle[0], middle[0]));
}

/// The taps beside the middle, and the sums of their products with the differences, for columns and for rows.
template <int radius>
class OuterTaps;

template <>
class OuterTaps<1> {
 public:
  explicit OuterTaps(const std::int16_t* taps) : tap_(hn::Set(D16(), static_cast<std::int16_t>(taps[0] << 4))) {}

  /// floor((a1 d1 + 2^7) / 2^8), computed as floor((2^4 a1 * 2^3 d1 + 2^14) / 2^15).
  HWY_INLINE hn::Vec<D16> column(const hn::Vec<D16>* middle) const {
    return hn::MulFixedPoint15(tap_, hn::ShiftLeft<3>(difference<1>(middle)));
  }
  /// floor(a1 d1 / 2^12)
  HWY_INLINE hn::Vec<D16> row(const hn::Vec<D16>* middle) const { return hn::MulHigh(tap_, difference<1>(middle)); }

 private:
  hn::Vec<D16> tap_;  ///< 2^4 a1, below 2^15
};

template <>
class OuterTaps<2> {
 public:
  explicit OuterTaps(const std::int16_t* taps)
      : taps_(hn::BitCast(D16(), hn::Set(D32(), taps[1] | std::int32_t{taps[0]} << 16))) {}

  HWY_INLINE hn::Vec<D16> column(const hn::Vec<D16>* middle) const { return sum<8>(middle, 1 << 7); }
  HWY_INLINE hn::Vec<D16> row(const hn::Vec<D16>* middle) const { return sum<12>(middle, 0); }

 private:
  /// floor((a1 d1 + a2 d2 + start) / 2^shift)
  template <int shift>
  HWY_INLINE hn::Vec<D16> sum(const hn::Vec<D16>* middle, int start) const {
    const D16 d;
    const auto near = difference<1>(middle), far = difference<2>(middle);
    const auto from = hn::Set(D32(), start);
    const auto low = dot_i16(hn::InterleaveLower(d, near, far), taps_, from);
    const auto high = dot_i16(hn::InterleaveUpper(d, near, far), taps_, from);
    return hn::ReorderDemote2To(d, hn::ShiftRight<shift>(low), hn::ShiftRight<shift>(high));
  }

  hn::Vec<D16> taps_;  ///< a1, a2, a1, ...
};

/// Column sums, with the 8 that the rounding of windows adds.
template <int radius>
HWY_INLINE hn::Vec<D16> column_sum(const OuterTaps<radius>& taps, const hn::Vec<D16>* middle) {
  return hn::Add(hn::Add(hn::ShiftLeft<4>(middle[0]), hn::Set(D16(), 8)), taps.column(middle));
}
/// Window sums: 2^4 times the result, plus a remainder below 2^4.
template <int radius>
HWY_INLINE hn::Vec<D16> window_sum(const OuterTaps<radius>& taps, const hn::Vec<D16>* middle) {
  return hn::Add(middle[0], taps.row(middle));
}

template <int radius>
void smooth_coarse(const SimdPlan& p, Rows<std::uint8_t> source, int width, int height, CoarseBuffers& buffers,
                   std::uint8_t* result, std::ptrdiff_t result_pitch) {
  constexpr int size = 2 * radius + 1, ahead = 2;
  const D16 d;
  const D8 bytes;
  const int step = static_cast<int>(hn::Lanes(bytes));
  const OuterTaps<radius> columns(p.plan.whole.column[0]), rows(p.plan.whole.row[0]);
  std::int16_t *const even = buffers.even + tile_step / 2, *const odd = buffers.odd + tile_step / 2;
  for (int y = 0; y < height; ++y) {
    const int later = std::min(y + ahead, height - 1);
    for (int x = -step; x <= width; x += step) {  // of the first and the last vector only one or two columns are needed
      hwy::Prefetch(source.row(later + 2 * radius) + x);
      hn::Vec<D16> evens[size], odds[size];
      for (int i = 0; i < size; ++i) {
        const auto pixels = hn::LoadU(bytes, source.row(y + i) + x);
        evens[i] = even_bytes(pixels);
        odds[i] = odd_bytes(pixels);
      }
      hn::Store(column_sum(columns, evens + radius), d, even + x / 2);
      hn::Store(column_sum(columns, odds + radius), d, odd + x / 2);
    }
    for (int x = 0; x < width; x += step) {
      hwy::Prefetch(result + later * result_pitch + x);
      hn::Vec<D16> sums[size + 1];  // of the neighbours of an even pixel, and one more for the odd pixel behind it
      for (int i = 0; i <= size; ++i) {
        const int at = i - radius;  // distance from the even pixel in columns
        sums[i] = at % 2 == 0 ? hn::LoadU(d, even + (x + at) / 2) : hn::LoadU(d, odd + (x + at - 1) / 2);
      }
      const auto left = window_sum(rows, sums + radius), right = window_sum(rows, sums + radius + 1);
      const auto upper = hn::And(hn::ShiftLeft<4>(right), hn::Set(d, static_cast<std::int16_t>(0xff00)));
      hn::StoreU(hn::BitCast(bytes, hn::Or(hn::ShiftRight<4>(left), upper)), bytes, result + y * result_pitch + x);
    }
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::separable
HWY_AFTER_NAMESPACE();
#endif

#endif

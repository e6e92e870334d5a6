// Sums of products of neighbouring lanes, which convolutions consist of. (Google Highway, compiled once per instruction
// set: no #pragma once.)
//
//   dot_u8i8   8-bit lanes    v0 v1 | v2 v3 | v4 v5 | ...      dot_i16   16-bit lanes   v0 v1 | v2 v3 | ...
//              times          t0 t1 | t2 t3 | t4 t5 | ...                times          t0 t1 | t2 t3 | ...
//              16-bit sums     s0   |  s1   |  s2   | ...                32-bit sums     s0   |  s1   | ...
//
// with s0 = v0 t0 + v1 t1. A sum takes the place of two pixels, so even and odd pixels are summed in vectors of their
// own, and zip_i16() or zip_i32() puts their results in order.

#if defined(THREADSCAPE_DOT_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_DOT_INL_H_
#undef THREADSCAPE_DOT_INL_H_
#else
#define THREADSCAPE_DOT_INL_H_
#endif

#include <hwy/highway.h>

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace threadscape {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

// Highway tags by the type of a lane: unsigned bytes, signed 16-bit and 32-bit integers, floats.
using D8 = hn::ScalableTag<std::uint8_t>;
using D16 = hn::ScalableTag<std::int16_t>;
using D32 = hn::ScalableTag<std::int32_t>;
using DF32 = hn::ScalableTag<float>;

/// Lane i of the result is values[2i] * taps[2i] + values[2i + 1] * taps[2i + 1]; `taps` holds signed bytes, two in
/// each 16-bit lane. The caller guarantees |taps[2i]| + |taps[2i + 1]| <= 128, so that the sum fits into 16 bits.
HWY_INLINE hn::Vec<D16> dot_u8i8(hn::Vec<D8> values, hn::Vec<D16> taps) {
#if HWY_TARGET == HWY_AVX3 || HWY_TARGET == HWY_AVX3_DL
  return hn::Vec<D16>{_mm512_maddubs_epi16(values.raw, taps.raw)};
#elif HWY_TARGET == HWY_AVX2
  return hn::Vec<D16>{_mm256_maddubs_epi16(values.raw, taps.raw)};
#elif HWY_TARGET == HWY_SSE4 || HWY_TARGET == HWY_SSSE3
  return hn::Vec<D16>{_mm_maddubs_epi16(values.raw, taps.raw)};
#else
  const D16 d;
  const auto pairs = hn::BitCast(d, values);
  const auto low = hn::And(pairs, hn::Set(d, 0xff));
  const auto high = hn::BitCast(d, hn::ShiftRight<8>(hn::BitCast(hn::RebindToUnsigned<D16>(), pairs)));
  const auto low_taps = hn::ShiftRight<8>(hn::ShiftLeft<8>(taps));
  const auto high_taps = hn::ShiftRight<8>(taps);
  return hn::Add(hn::Mul(low, low_taps), hn::Mul(high, high_taps));
#endif
}

/// Lane i of the result is lane i of `sum` + values[2i] * taps[2i] + values[2i + 1] * taps[2i + 1].
HWY_INLINE hn::Vec<D32> dot_i16(hn::Vec<D16> values, hn::Vec<D16> taps, hn::Vec<D32> sum) {
#if HWY_ARCH_X86 && HWY_TARGET != HWY_EMU128
  auto unused = hn::Zero(D32());  // on x86 this is pmaddwd, which adds neighbours and leaves the second sum alone
  return hn::ReorderWidenMulAccumulate(D32(), values, taps, sum, unused);
#else
  const D32 d;
  const auto value_pairs = hn::BitCast(d, values), tap_pairs = hn::BitCast(d, taps);
  const auto low =
      hn::Mul(hn::ShiftRight<16>(hn::ShiftLeft<16>(value_pairs)), hn::ShiftRight<16>(hn::ShiftLeft<16>(tap_pairs)));
  const auto high = hn::Mul(hn::ShiftRight<16>(value_pairs), hn::ShiftRight<16>(tap_pairs));
  return hn::Add(sum, hn::Add(low, high));
#endif
}

/// Results of even and of odd pixels, 0..255 in lanes of 16 bits, put in order as bytes.
HWY_INLINE hn::Vec<D8> zip_i16(hn::Vec<D16> even, hn::Vec<D16> odd) {
  return hn::BitCast(D8(), hn::Or(even, hn::ShiftLeft<8>(odd)));
}
/// Results of even and of odd pixels, 0..255 in lanes of 32 bits, put in order as bytes.
HWY_INLINE hn::Vec<hn::Half<D8>> zip_i32(hn::Vec<D32> even, hn::Vec<D32> odd) {
  return hn::DemoteTo(hn::Half<D8>(), hn::BitCast(D16(), hn::Or(even, hn::ShiftLeft<16>(odd))));
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape
HWY_AFTER_NAMESPACE();
#endif

#endif

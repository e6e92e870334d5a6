// finish.h with SIMD: each lane of a vector holds the sum of one pixel and gets its result. (Google Highway, compiled
// once per instruction set: no #pragma once.)
//
//   lanes     0       1       2       3     ...   32 bits each: DF32 for sums in float, D32 for sums of integers
//   before    sum 0   sum 1   sum 2   sum 3
//   after     0..255  0..255  0..255  0..255      in 32 bits, to be packed by the caller; FinishF32: floats

#if defined(THREADSCAPE_FINISH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_FINISH_INL_H_
#undef THREADSCAPE_FINISH_INL_H_
#else
#define THREADSCAPE_FINISH_INL_H_
#endif

#include <hwy/highway.h>

#include "compute/engines/planes/dot-inl.h"
#include "compute/kernel/finish.h"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace threadscape {
namespace HWY_NAMESPACE {

/// settled() on lanes.
HWY_INLINE hn::Vec<DF32> settled_lanes(hn::Vec<DF32> mean, hn::Vec<DF32> pixel, hn::Vec<DF32> error) {
  const auto flat = hn::Lt(hn::Abs(hn::Sub(mean, pixel)), hn::Mul(error, hn::Abs(pixel)));
  return hn::IfThenElse(flat, pixel, mean);
}

/// finish_u8() on lanes, operation for operation. Powers of two are divided by as multiplying by the inverse, which
/// gives the same bits: is_power_of_two().
struct FinishU8 {
  hn::Vec<DF32> divisor, inverse, bias;
  bool multiplies, absolute;

  explicit FinishU8(const Finish& finish)
      : divisor(hn::Set(DF32(), finish.divisor)),
        inverse(hn::Set(DF32(), 1.0f / finish.divisor)),
        bias(hn::Set(DF32(), finish.bias)),
        multiplies(is_power_of_two(finish.divisor)),
        absolute(finish.absolute) {}

  HWY_INLINE hn::Vec<D32> operator()(hn::Vec<DF32> sum) const {
    const DF32 d;
    auto value = hn::Add(multiplies ? hn::Mul(sum, inverse) : hn::Div(sum, divisor), bias);
    if (absolute) value = hn::Abs(value);
    value = hn::Min(hn::Max(hn::Add(value, hn::Set(d, 0.5f)), hn::Zero(d)), hn::Set(d, 255.0f));
    return hn::ConvertTo(D32(), value);  // truncates
  }
};

/// finish_real() on lanes.
struct FinishF32 {
  hn::Vec<DF32> divisor, inverse, bias;
  bool multiplies, absolute, positive;

  explicit FinishF32(const Finish& finish)
      : divisor(hn::Set(DF32(), finish.divisor)),
        inverse(hn::Set(DF32(), 1.0f / finish.divisor)),
        bias(hn::Set(DF32(), finish.real_bias)),
        multiplies(is_power_of_two(finish.divisor)),
        absolute(finish.absolute),
        positive(finish.positive) {}

  HWY_INLINE hn::Vec<DF32> operator()(hn::Vec<DF32> sum) const {
    const auto value = hn::Add(multiplies ? hn::Mul(sum, inverse) : hn::Div(sum, divisor), bias);
    if (absolute) return hn::Abs(value);
    return positive ? hn::IfThenElseZero(hn::Gt(value, hn::Zero(DF32())), value) : value;
  }
};

/// finish_units() on lanes: finish_whole() where it is possible, otherwise finish_u8().
///
/// The integer division is done in float: floor(n / divisor) = floor((n + 0.5) * (1 / divisor)) in float: (n + 0.5) /
/// divisor is at least 0.5 / 2048 = 2^-12 from an integer, and where it is below 256 the two roundings move it by less
/// than 2^-15.
struct FinishUnits {
  hn::Vec<D32> offset;
  hn::Vec<DF32> half, reciprocal, unit;
  FinishU8 general;
  bool whole, absolute;

  explicit FinishUnits(const UnitFinish& finish)
      : offset(hn::Set(D32(), finish.whole.offset)),
        half(hn::Set(DF32(), static_cast<float>(finish.whole.divisor / 2) + 0.5f)),
        reciprocal(hn::Set(DF32(), 1.0f / static_cast<float>(finish.whole.divisor))),
        unit(hn::Set(DF32(), finish.unit)),
        general(finish.real),
        whole(finish.whole.possible),
        absolute(finish.whole.absolute) {}

  HWY_INLINE hn::Vec<D32> operator()(hn::Vec<D32> sum) const {
    const DF32 d;
    if (!whole) return general(hn::Mul(hn::ConvertTo(d, sum), unit));
    auto n = hn::Add(sum, offset);
    if (absolute) n = hn::Abs(n);
    const auto quotient = hn::Mul(hn::Add(hn::ConvertTo(d, n), half), reciprocal);
    return hn::ConvertTo(D32(), hn::Min(hn::Max(quotient, hn::Zero(d)), hn::Set(d, 255.0f)));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace threadscape
HWY_AFTER_NAMESPACE();
#endif

#endif

// finish.h on lanes (Google Highway, compiled once per instruction set).

#if defined(THREADSCAPE_FINISH_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_FINISH_INL_H_
#undef THREADSCAPE_FINISH_INL_H_
#else
#define THREADSCAPE_FINISH_INL_H_
#endif

#include <hwy/highway.h>

#include "compute/engines/planes/dot-inl.h"
#include "compute/engines/planes/finish.h"

#if HWY_TARGET != HWY_SCALAR
HWY_BEFORE_NAMESPACE();
namespace threadscape {
namespace HWY_NAMESPACE {

/// finish_u8() on lanes, operation for operation. Dividing by a power of two is multiplying by its inverse, bit for
/// bit.
struct FinishFloats {
  hn::Vec<Floats> divisor, inverse, bias;
  bool multiplies, absolute;

  explicit FinishFloats(const Finish& finish)
      : divisor(hn::Set(Floats(), finish.divisor)),
        inverse(hn::Set(Floats(), 1.0f / finish.divisor)),
        bias(hn::Set(Floats(), finish.bias)),
        multiplies(is_power_of_two(finish.divisor)),
        absolute(finish.absolute) {}

  HWY_INLINE hn::Vec<Longs> operator()(hn::Vec<Floats> sum) const {
    const Floats d;
    auto value = hn::Add(multiplies ? hn::Mul(sum, inverse) : hn::Div(sum, divisor), bias);
    if (absolute) value = hn::Abs(value);
    value = hn::Min(hn::Max(hn::Add(value, hn::Set(d, 0.5f)), hn::Zero(d)), hn::Set(d, 255.0f));
    return hn::ConvertTo(Longs(), value);  // truncates
  }
};

/// finish_real() on lanes.
struct FinishReals {
  hn::Vec<Floats> divisor, inverse, bias;
  bool multiplies, absolute, positive;

  explicit FinishReals(const Finish& finish)
      : divisor(hn::Set(Floats(), finish.divisor)),
        inverse(hn::Set(Floats(), 1.0f / finish.divisor)),
        bias(hn::Set(Floats(), finish.real_bias)),
        multiplies(is_power_of_two(finish.divisor)),
        absolute(finish.absolute),
        positive(finish.positive) {}

  HWY_INLINE hn::Vec<Floats> operator()(hn::Vec<Floats> sum) const {
    const auto value = hn::Add(multiplies ? hn::Mul(sum, inverse) : hn::Div(sum, divisor), bias);
    if (absolute) return hn::Abs(value);
    return positive ? hn::IfThenElseZero(hn::Gt(value, hn::Zero(Floats())), value) : value;
  }
};

/// finish_units(): finish_whole() in 32 bits, or finish_u8() where integers cannot do it.
///
/// floor(n / divisor) = floor((n + 0.5) * (1 / divisor)) in float: (n + 0.5) / divisor is at least 0.5 / 2048 = 2^-12
/// from an integer, and where it is below 256 the two roundings move it by less than 2^-15.
struct FinishLongs {
  hn::Vec<Longs> offset;
  hn::Vec<Floats> half, reciprocal, unit;
  FinishFloats general;
  bool whole, absolute;

  explicit FinishLongs(const UnitFinish& finish)
      : offset(hn::Set(Longs(), finish.whole.offset)),
        half(hn::Set(Floats(), static_cast<float>(finish.whole.divisor / 2) + 0.5f)),
        reciprocal(hn::Set(Floats(), 1.0f / static_cast<float>(finish.whole.divisor))),
        unit(hn::Set(Floats(), finish.unit)),
        general(finish.real),
        whole(finish.whole.possible),
        absolute(finish.whole.absolute) {}

  HWY_INLINE hn::Vec<Longs> operator()(hn::Vec<Longs> sum) const {
    const Floats d;
    if (!whole) return general(hn::Mul(hn::ConvertTo(d, sum), unit));
    auto n = hn::Add(sum, offset);
    if (absolute) n = hn::Abs(n);
    const auto quotient = hn::Mul(hn::Add(hn::ConvertTo(d, n), half), reciprocal);
    return hn::ConvertTo(Longs(), hn::Min(hn::Max(quotient, hn::Zero(d)), hn::Set(d, 255.0f)));
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace threadscape
HWY_AFTER_NAMESPACE();
#endif

#endif

// Gathers, and arithmetic in double on integers of a vector (Google Highway, compiled once per instruction set). A
// vector of floats has twice as many lanes as one of doubles. Products of differences of screen coordinates are below
// 2^48, and therefore exact.

#if defined(THREADSCAPE_RASTERIZE_DOUBLES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_RASTERIZE_DOUBLES_INL_H_
#undef THREADSCAPE_RASTERIZE_DOUBLES_INL_H_
#else
#define THREADSCAPE_RASTERIZE_DOUBLES_INL_H_
#endif

#include <hwy/highway.h>

#include "compute/algorithms/graphics/rasterize/openmp/rasterize_lanes-inl.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::rasterize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

/// The most lanes of a vector of floats (FloatTag).
inline constexpr int most_lanes = 16;

#if HWY_TARGET == HWY_SCALAR
using HalfTag = FloatTag;
#else
using HalfTag = hn::Half<FloatTag>;
#endif
using DoubleTag = hn::Rebind<double, HalfTag>;
using HalfIntTag = hn::Rebind<std::int32_t, HalfTag>;

/// The doubles part(0) and part(number of doubles in a vector), rounded to floats, which are the lanes of the result.
template <class Part>
HWY_INLINE V from_doubles(const Part& part) {
#if HWY_TARGET == HWY_SCALAR
  return hn::DemoteTo(HalfTag(), part(0));
#else
  return hn::Combine(FloatTag(), hn::DemoteTo(HalfTag(), part(hn::Lanes(DoubleTag()))),
                     hn::DemoteTo(HalfTag(), part(0)));
#endif
}
HWY_INLINE hn::Vec<DoubleTag> doubles(const std::int32_t* values) {
  return hn::PromoteTo(DoubleTag(), hn::Load(HalfIntTag(), values));
}

/// The values at base[index].
HWY_INLINE V gathered(const float* base, VI index) {
  return hn::GatherIndex(FloatTag(), base, index);
}
HWY_INLINE VI gathered(const std::int32_t* base, VI index) {
  return hn::GatherIndex(IntTag(), base, index);
}

/// doubled_area() of the triangles with these corners, rounded to float. Its sign is exact. Calls use(first lane,
/// areas) with the exact areas.
template <class Use>
HWY_INLINE V doubled_areas(const VI* x, const VI* y, const Use& use) {
  const IntTag d;
  alignas(64) std::int32_t ab_x[most_lanes], ab_y[most_lanes], ac_x[most_lanes], ac_y[most_lanes];
  hn::Store(hn::Sub(x[1], x[0]), d, ab_x);
  hn::Store(hn::Sub(y[1], y[0]), d, ab_y);
  hn::Store(hn::Sub(x[2], x[0]), d, ac_x);
  hn::Store(hn::Sub(y[2], y[0]), d, ac_y);
  return from_doubles([&](std::size_t at) HWY_ATTR {
    const auto area =
        hn::Sub(hn::Mul(doubles(ab_x + at), doubles(ac_y + at)), hn::Mul(doubles(ac_x + at), doubles(ab_y + at)));
    use(at, area);
    return area;
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::rasterize
HWY_AFTER_NAMESPACE();

#endif  // the toggle of this header

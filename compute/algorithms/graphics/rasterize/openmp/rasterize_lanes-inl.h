// Arithmetic of the fragment stage for vectors (Google Highway, compiled once per instruction set): each lane is a
// pixel. Every function computes in each lane what the function of that name in rasterize_math.h computes for one
// pixel, with equal operations in an equal order, so that the results are equal to the bit.

#if defined(THREADSCAPE_RASTERIZE_LANES_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_RASTERIZE_LANES_INL_H_
#undef THREADSCAPE_RASTERIZE_LANES_INL_H_
#else
#define THREADSCAPE_RASTERIZE_LANES_INL_H_
#endif

#include <hwy/highway.h>

#include <cstdint>

#include "compute/algorithms/graphics/rasterize/rasterize_math.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::rasterize {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

using FloatTag = hn::CappedTag<float, 16>;
using IntTag = hn::Rebind<std::int32_t, FloatTag>;
using V = hn::Vec<FloatTag>;
using VI = hn::Vec<IntTag>;
using Mask = hn::Mask<FloatTag>;

HWY_INLINE V all_lanes(float v) {
  return hn::Set(FloatTag(), v);
}
HWY_INLINE VI all_lanes(std::int32_t v) {
  return hn::Set(IntTag(), v);
}

/// A value that each lane has its own of already.
HWY_INLINE V all_lanes(V v) {
  return v;
}

HWY_INLINE V min_of(V a, V b) {
  return hn::IfThenElse(hn::Lt(a, b), a, b);
}
HWY_INLINE V max_of(V a, V b) {
  return hn::IfThenElse(hn::Gt(a, b), a, b);
}
HWY_INLINE V clamp_of(V v, float low, float high) {
  return min_of(max_of(v, all_lanes(low)), all_lanes(high));
}
/// The sum makes 0 of -0.
HWY_INLINE V floor_of(V v) {
  return hn::Add(hn::Floor(v), all_lanes(0.0f));
}
/// Rounds towards 0.
HWY_INLINE VI integers(V v) {
  return hn::ConvertTo(IntTag(), v);
}
HWY_INLINE V floats(VI v) {
  return hn::ConvertTo(FloatTag(), v);
}

struct Vector3 {
  V x, y, z;
};
HWY_INLINE Vector3 all_lanes(Float3 v) {
  return {all_lanes(v.x), all_lanes(v.y), all_lanes(v.z)};
}
HWY_INLINE Vector3 add(Vector3 a, Vector3 b) {
  return {hn::Add(a.x, b.x), hn::Add(a.y, b.y), hn::Add(a.z, b.z)};
}
HWY_INLINE Vector3 subtract(Vector3 a, Vector3 b) {
  return {hn::Sub(a.x, b.x), hn::Sub(a.y, b.y), hn::Sub(a.z, b.z)};
}
HWY_INLINE Vector3 times(Vector3 a, V s) {
  return {hn::Mul(a.x, s), hn::Mul(a.y, s), hn::Mul(a.z, s)};
}
HWY_INLINE Vector3 times(Vector3 a, Vector3 b) {
  return {hn::Mul(a.x, b.x), hn::Mul(a.y, b.y), hn::Mul(a.z, b.z)};
}
HWY_INLINE V dot(Vector3 a, Vector3 b) {
  return hn::Add(hn::Add(hn::Mul(a.x, b.x), hn::Mul(a.y, b.y)), hn::Mul(a.z, b.z));
}
HWY_INLINE Vector3 cross(Vector3 a, Vector3 b) {
  return {hn::Sub(hn::Mul(a.y, b.z), hn::Mul(a.z, b.y)), hn::Sub(hn::Mul(a.z, b.x), hn::Mul(a.x, b.z)),
          hn::Sub(hn::Mul(a.x, b.y), hn::Mul(a.y, b.x))};
}
HWY_INLINE Vector3 unit(Vector3 v) {
  const V length2 = dot(v, v), one = all_lanes(1.0f);
  return times(v, hn::Div(one, hn::Sqrt(hn::IfThenElse(hn::Gt(length2, hn::Zero(FloatTag())), length2, one))));
}

HWY_INLINE V log2_of(V v) {
  const VI bits = hn::BitCast(IntTag(), v);
  const VI exponent = hn::ShiftRight<23>(hn::Sub(bits, all_lanes(std::int32_t{0x3f3504f3})));
  const V m = hn::BitCast(FloatTag(), hn::Sub(bits, hn::ShiftLeft<23>(exponent)));
  const V one = all_lanes(1.0f);
  const V s = hn::Div(hn::Sub(m, one), hn::Add(m, one)), s2 = hn::Mul(s, s);
  V series = hn::Add(hn::Mul(s2, all_lanes(0.32059889f)), all_lanes(0.41219858f));
  series = hn::Add(hn::Mul(series, s2), all_lanes(0.57707802f));
  series = hn::Add(hn::Mul(series, s2), all_lanes(0.96179669f));
  series = hn::Add(hn::Mul(series, s2), all_lanes(2.88539008f));
  return hn::Add(floats(exponent), hn::Mul(s, series));
}

HWY_INLINE V exp2_of(V v) {
  const V half = hn::IfThenElse(hn::Lt(v, hn::Zero(FloatTag())), all_lanes(-0.5f), all_lanes(0.5f));
  const VI whole = integers(hn::Add(v, half));
  const V f = hn::Sub(v, floats(whole));
  V series = hn::Add(hn::Mul(f, all_lanes(1.52527338e-5f)), all_lanes(1.54035304e-4f));
  for (const float c : {1.33335581e-3f, 9.61812911e-3f, 5.55041087e-2f, 2.40226507e-1f, 6.93147181e-1f, 1.0f})
    series = hn::Add(hn::Mul(series, f), all_lanes(c));
  return hn::Mul(series, hn::BitCast(FloatTag(), hn::ShiftLeft<23>(hn::Add(whole, all_lanes(std::int32_t{127})))));
}

HWY_INLINE V power_of(V base, float exponent) {
  const V e = hn::Mul(log2_of(max_of(base, all_lanes(1e-30f))), all_lanes(exponent));
  const V least = all_lanes(-120.0f);
  return hn::IfThenElseZero(hn::Gt(e, least), exp2_of(max_of(e, least)));
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::rasterize
HWY_AFTER_NAMESPACE();

#endif  // the toggle of this header

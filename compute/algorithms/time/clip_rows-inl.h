// The algorithms in time with SIMD: the lanes of a vector are neighbouring values of a row, colours and alpha in turn.
// (Google Highway, compiled once per instruction set: no #pragma once.)
//
// An algorithm has a struct whose type Lane<Value> says how wide the lanes are that it computes with, and whose
// operator()(values, frames, load) returns a vector of results; `values` is the tag of vectors of values with as many
// lanes, and load(0) .. load(frames - 1) are the values of the frames from the oldest to the newest. Where its
// `whole_pixels` is false, a result depends on values at its own place alone, and the code is compiled once for all
// numbers of channels. Alpha of the result is replaced by that of the newest frame here.

#if defined(THREADSCAPE_CLIP_ROWS_INL_H_) == defined(HWY_TARGET_TOGGLE)
#ifdef THREADSCAPE_CLIP_ROWS_INL_H_
#undef THREADSCAPE_CLIP_ROWS_INL_H_
#else
#define THREADSCAPE_CLIP_ROWS_INL_H_
#endif

#include <hwy/highway.h>

#include "compute/algorithms/time/clip_cells.h"

HWY_BEFORE_NAMESPACE();
namespace threadscape::clips {
namespace HWY_NAMESPACE {

namespace hn = hwy::HWY_NAMESPACE;

#if HWY_TARGET != HWY_SCALAR

/// |a - b| without overflow. Of floats, the smaller one is subtracted from the larger one as in clip_cells.h, so that
/// NaN stays NaN.
template <class D>
HWY_INLINE hn::Vec<D> distance_of(D, hn::Vec<D> a, hn::Vec<D> b) {
  if constexpr (std::is_same_v<hn::TFromD<D>, float>)
    return hn::IfThenElse(hn::Gt(a, b), hn::Sub(a, b), hn::Sub(b, a));
  else
    return hn::Sub(hn::Max(a, b), hn::Min(a, b));
}

/// A tag with as many bytes as D, whose lanes are the pixels of RGBA values.
template <class D>
using WholePixels = hn::Repartition<std::conditional_t<sizeof(hn::TFromD<D>) == 1, std::uint32_t, std::uint64_t>, D>;

/// Ones in all bits of the lanes that hold alpha.
template <class D>
HWY_INLINE hn::Vec<D> alpha_bits(D d) {
  if constexpr (sizeof(hn::TFromD<D>) == 4) {
    const hn::RebindToUnsigned<D> bits;
    const auto place = hn::And(hn::Iota(bits, 0), hn::Set(bits, 3));
    return hn::BitCast(d, hn::VecFromMask(bits, hn::Eq(place, hn::Set(bits, 3))));
  } else {
    const WholePixels<D> pixels;
    constexpr int unused = 3 * 8 * sizeof(hn::TFromD<D>);
    return hn::BitCast(d, hn::ShiftLeft<unused>(hn::Set(pixels, static_cast<hn::TFromD<WholePixels<D>>>(-1))));
  }
}

/// `bits` has ones or zeros in all bits of a lane. Returns ones in all lanes of a pixel in which any lane but that of
/// alpha has ones.
template <int channels, class D>
HWY_INLINE hn::Vec<D> any_of_pixel(D d, hn::Vec<D> bits) {
  if constexpr (channels == 1) {
    return bits;
  } else {
    bits = hn::AndNot(alpha_bits(d), bits);
    if constexpr (sizeof(hn::TFromD<D>) == 4) {
      bits = hn::Or(bits, hn::Shuffle2301(bits));
      return hn::Or(bits, hn::Shuffle1032(bits));
    } else {
      const WholePixels<D> pixels;
      constexpr int value = 8 * sizeof(hn::TFromD<D>);
      auto whole = hn::BitCast(pixels, bits);
      whole = hn::Or(whole, hn::Or(hn::ShiftLeft<value>(whole), hn::ShiftRight<3 * value>(whole)));
      whole = hn::Or(whole, hn::Or(hn::ShiftLeft<2 * value>(whole), hn::ShiftRight<2 * value>(whole)));
      return hn::BitCast(d, whole);
    }
  }
}

/// Ones in all lanes of the pixels that differ by more than the threshold in any channel but alpha.
template <int channels, class D>
HWY_INLINE hn::Vec<D> pixels_that_differ(D d, hn::Vec<D> a, hn::Vec<D> b, hn::TFromD<D> threshold) {
  return any_of_pixel<channels>(d, hn::VecFromMask(d, hn::Gt(distance_of(d, a, b), hn::Set(d, threshold))));
}

/// Computes `count` values of a row, at least a vector, from `used` frames that lie `frame` values apart.
template <class Value, int channels, class Op>
void compute_values(const Op& op, const Value* from, std::int64_t frame, int used, std::int64_t count, bool alpha,
                    Value* to) {
  const hn::ScalableTag<typename Op::template Lane<Value>> wide;
  const hn::Rebind<Value, decltype(wide)> values;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(values));
  for (std::int64_t x = 0; x < count; x += lanes) {
    // The last vector ends where the row ends, so it computes some values a second time.
    const std::int64_t at = std::min(x, count - lanes);
    const auto load = [&](int t) HWY_ATTR { return hn::LoadU(values, from + frame * t + at); };
    auto result = op.template operator()<channels>(values, used, load);
    if (alpha) {
      const auto bits = alpha_bits(values);
      result = hn::Or(hn::And(bits, load(used - 1)), hn::AndNot(bits, result));
    }
    hn::StoreU(result, values, to + at);
  }
}

template <class C, class Op, class Plan>
HWY_INLINE void compute_row(const Op& op, const Plan& plan, const HostIn& frames, const HostOut& out, std::int64_t y) {
  using Value = typename C::Value;
  const hn::Rebind<Value, hn::ScalableTag<typename Op::template Lane<Value>>> values;
  const auto lanes = static_cast<std::int64_t>(hn::Lanes(values)), count = frames.shape.width * C::channels;
  if (count < lanes || lanes < C::channels) return compute_pixels<C>(plan, frames, out, y, 0, frames.shape.width);
  const Value* const from = reinterpret_cast<const Value*>(frames.data + frames.pitch * static_cast<std::size_t>(y));
  Value* const to = reinterpret_cast<Value*>(out.data + out.pitch * static_cast<std::size_t>(y));
  compute_values<Value, Op::whole_pixels ? C::channels : 1>(
      op, from, count * frames.shape.height, static_cast<int>(frames.shape.depth), count, C::channels == 4, to);
}

#endif

/// Computes the rows y0 .. y1 - 1. `plan` computes single cells with the same results as `op`.
template <class Op, class Plan>
HWY_INLINE void compute_rows([[maybe_unused]] const Op& op, const Plan& plan, const HostIn& frames, const HostOut& out,
                             int y0, int y1) {
  with_cells(frames.shape, [&](auto cells) HWY_ATTR {
    using C = decltype(cells);
    for (std::int64_t y = y0; y < y1; ++y)
#if HWY_TARGET != HWY_SCALAR
      compute_row<C>(op, plan, frames, out, y);
#else
      compute_pixels<C>(plan, frames, out, y, 0, frames.shape.width);
#endif
  });
}

}  // namespace HWY_NAMESPACE
}  // namespace threadscape::clips
HWY_AFTER_NAMESPACE();

#endif

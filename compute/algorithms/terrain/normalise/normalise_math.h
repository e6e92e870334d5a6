#pragma once
// The range of heights and the linear mapping, shared by all backends:
//
//   h' = low + (h - min) * ((high - low) / (max - min)), or low if all heights are equal
//
// Every operation is rounded once, and the minimum and maximum do not depend on the order of heights, so all backends
// give the same bits. NaN is a hole: it does not count in the range, and stays NaN.

#include "compute/kernel/views.h"

namespace threadscape::normalise {

/// The minimum and maximum of some heights; by default the range of no heights.
struct Range {
  float min = 3.402823466e+38f, max = -3.402823466e+38f;
};

/// Extends a range by a height.
TS_HD inline void take_in(Range& range, float height) {
  range.min = height < range.min ? height : range.min;
  range.max = height > range.max ? height : range.max;
}
/// Extends a range by another one, which may be that of no heights.
TS_HD inline void take_in(Range& range, const Range& other) {
  range.min = other.min < range.min ? other.min : range.min;
  range.max = other.max > range.max ? other.max : range.max;
}

/// The linear mapping from a range to low .. high.
struct Stretch {
  float low, min, factor;
  TS_HD Stretch(const Range& range, float low_, float high)
      : low(low_), min(range.min), factor(range.max > range.min ? (high - low_) / (range.max - range.min) : 0.0f) {}
  TS_HD float operator()(float height) const { return low + (height - min) * factor; }
};

}  // namespace threadscape::normalise

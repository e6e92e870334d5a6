#pragma once
// The range of heights and the stretch, shared by all backends: h' = low + (h - least) * ((high - low) / (most -
// least)), one rounding per operation; low where all heights are the same. Minimum and maximum do not depend on the
// order.

#include "compute/core/views.h"

namespace threadscape::normalise {

struct Range {
  float least = 3.402823466e+38f, most = -3.402823466e+38f;  // of no heights
};

TS_HD inline void take_in(Range& range, float height) {
  range.least = height < range.least ? height : range.least;
  range.most = height > range.most ? height : range.most;
}
/// `other` may be of no heights.
TS_HD inline void take_in(Range& range, const Range& other) {
  range.least = other.least < range.least ? other.least : range.least;
  range.most = other.most > range.most ? other.most : range.most;
}

struct Stretch {
  float low, least, factor;
  TS_HD Stretch(const Range& range, float low_, float high)
      : low(low_),
        least(range.least),
        factor(range.most > range.least ? (high - low_) / (range.most - range.least) : 0.0f) {}
  TS_HD float operator()(float height) const { return low + (height - least) * factor; }
};

}  // namespace threadscape::normalise

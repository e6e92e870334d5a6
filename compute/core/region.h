#pragma once
// Regions of arrays, and the region of an input from which a region of a filter's result can be computed.

#include "compute/core/data_view.h"
#include "compute/kernel/border.h"

namespace threadscape {

/// A box of an array: its first element, and its size in elements. A picture has one layer, a sequence one row.
struct Region {
  std::int64_t x = 0, y = 0, z = 0;
  std::int64_t width = 0, height = 1, depth = 1;
  friend bool operator==(const Region&, const Region&) = default;
};

[[nodiscard]] Region whole_of(const Shape& shape);
/// The shape of a region of an array of this shape.
[[nodiscard]] Shape shape_of(Shape array, const Region& region);
/// Copies a region of one array to the place in another that begins at `place`, whose size is not used.
void copy_region(const HostIn& from, const Region& region, const HostOut& to, const Region& place);

/// How many elements a filter reads beside the place of a result, and what it takes outside of the input. It reads in
/// every layer alone.
struct Reach {
  int left = 0, top = 0, right = 0, bottom = 0;
  Border border = Border::clamp;
};
/// The reach of a mask of 2 radius + 1 elements a side.
[[nodiscard]] constexpr Reach reach_around(int radius, Border border) {
  return {radius, radius, radius, radius, border};
}
/// The reach of a filter whose results can depend on every element of a layer.
inline constexpr Reach reach_everywhere = reach_around(1 << 30, Border::clamp);

/// The region of an input of this shape from which a filter of this reach computes a region of its result. It is as
/// large as the mask even at the rim, if the input is.
[[nodiscard]] Region reached(const Reach& reach, const Shape& input, const Region& output);

}  // namespace threadscape

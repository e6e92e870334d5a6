#include "compute/core/region.h"

#include <algorithm>
#include <cstring>

namespace threadscape {

namespace {

/// The address of an element.
template <class Byte>
Byte* at(const DataView<Byte, Space::host>& view, std::int64_t x, std::int64_t y, std::int64_t z) {
  return view.data + static_cast<std::size_t>(z * view.shape.height + y) * view.pitch +
         static_cast<std::size_t>(x) * view.shape.pixel_bytes();
}

/// Grows the range of `size` elements from `first` on, of an axis with `n` elements.
void grow(std::int64_t& first, std::int64_t& size, int before, int after, std::int64_t n, Border border) {
  size += std::int64_t{before} + after;
  // A result begins where the first mask lies inside of the input, so that its indices are those of masks.
  if (border == Border::crop) return;
  first -= before;
  const bool around = border == Border::wrap && (first < 0 || first + size > n);
  size = around ? n : std::min(size, n);
  first = std::clamp<std::int64_t>(first, 0, n - size);
}

}  // namespace

Region whole_of(const Shape& shape) {
  return {0, 0, 0, shape.width, shape.height, shape.depth};
}

Shape shape_of(Shape array, const Region& region) {
  array.width = region.width;
  array.height = region.height;
  array.depth = region.depth;
  return array;
}

void copy_region(const HostIn& from, const Region& region, const HostOut& to, const Region& place) {
  const std::size_t bytes = static_cast<std::size_t>(region.width) * from.shape.pixel_bytes();
  for (std::int64_t z = 0; z < region.depth; ++z)
    for (std::int64_t y = 0; y < region.height; ++y)
      std::memcpy(at(to, place.x, place.y + y, place.z + z), at(from, region.x, region.y + y, region.z + z), bytes);
}

Region reached(const Reach& reach, const Shape& input, const Region& output) {
  Region needed = output;
  grow(needed.x, needed.width, reach.left, reach.right, input.width, reach.border);
  grow(needed.y, needed.height, reach.top, reach.bottom, input.height, reach.border);
  return needed;
}

}  // namespace threadscape

#pragma once
// The heights of an iteration of thermal erosion (a field) in scratch memory.
//
//   row 0   | h h h .. h | padding |      width floats, then up to a multiple of 64 floats: rows start at cache lines,
//   row 1   | h h h .. h | padding |      and the lanes of a vector or a warp are neighbouring cells of a row

#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion.h"

namespace threadscape::thermal_erosion {

[[nodiscard]] Plan plan_of(const ThermalErosion::Params& params);

/// Distance in floats between neighbouring rows.
[[nodiscard]] constexpr std::size_t field_pitch(const Shape& shape) {
  return (static_cast<std::size_t>(shape.width) + 63) / 64 * 64;
}
[[nodiscard]] constexpr std::size_t field_bytes(const Shape& shape) {
  return HostScratch::padded(field_pitch(shape) * static_cast<std::size_t>(shape.height) * sizeof(float));
}

/// Takes a field of the size of `shape` from scratch memory.
template <Space S, class Scratch>
[[nodiscard]] ImageView<float, S> take_field(Scratch& scratch, const Shape& shape) {
  return {scratch.template take<float>(field_bytes(shape) / sizeof(float)).data(), static_cast<int>(shape.width),
          static_cast<int>(shape.height), static_cast<std::ptrdiff_t>(field_pitch(shape))};
}

}  // namespace threadscape::thermal_erosion

#pragma once
// Fields of thermal erosion in scratch memory.

#include "compute/algorithms/terrain/thermal_erosion/thermal_erosion.h"

namespace threadscape::thermal_erosion {

[[nodiscard]] Plan plan_of(const ThermalErosion::Params& params);

/// Values from row to row: rows start at cache lines.
[[nodiscard]] constexpr std::size_t field_pitch(const Shape& shape) {
  return (static_cast<std::size_t>(shape.width) + 63) / 64 * 64;
}
[[nodiscard]] constexpr std::size_t field_bytes(const Shape& shape) {
  return HostScratch::padded(field_pitch(shape) * static_cast<std::size_t>(shape.height) * sizeof(float));
}

template <Space S, class Scratch>
[[nodiscard]] ImageView<float, S> take_field(Scratch& scratch, const Shape& shape) {
  return {scratch.template take<float>(field_bytes(shape) / sizeof(float)).data(), static_cast<int>(shape.width),
          static_cast<int>(shape.height), static_cast<std::ptrdiff_t>(field_pitch(shape))};
}

}  // namespace threadscape::thermal_erosion

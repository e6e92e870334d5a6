#pragma once
// The range of the values of a heightfield.

#include <cstdint>
#include <string>

#include "compute/core/data.h"

namespace threadscape {

struct HeightRange {
  float low = 0.0f, high = 0.0f;
};

/// Calls f(values) with the heights as a view of their type: u8, u16 or f32.
template <class F>
void with_heights(HostIn heights, F&& f) {
  if (holds<std::uint8_t>(heights.shape))
    f(heights.image<std::uint8_t>());
  else if (holds<std::uint16_t>(heights.shape))
    f(heights.image<std::uint16_t>());
  else
    f(heights.image<float>());
}

/// The lowest and the highest height of a u8, u16 or f32 heightfield. NaN is a hole and no height.
[[nodiscard]] HeightRange height_range(HostIn heights);
/// The shortest text that is read as the same height again.
[[nodiscard]] std::string height_text(float height);
/// The range as a line of a report: "heights -1.25 to 2.5\n".
[[nodiscard]] std::string height_range_text(HostIn heights);

}  // namespace threadscape

#pragma once
// How the signed result of an edge filter becomes a pixel.

#include <array>
#include <cstdint>
#include <string_view>

#include "compute/core/views.h"

namespace threadscape {

/// absolute: |v|; clamp: negative values become 0; offset: 0 becomes 128 of 255, so that both signs can be seen.
enum class Output : int { absolute, clamp, offset };
inline constexpr std::array<std::string_view, 3> output_names{"absolute", "clamp", "offset"};
inline constexpr std::string_view output_help =
    "signed results as absolute values, with negative ones at 0, or moved up by 128 of 255";

/// 8 bits: saturated to 0..255.
TS_HD inline std::uint8_t edge_pixel(int value, Output output) {
  if (output == Output::absolute && value < 0) value = -value;
  if (output == Output::offset) value += 128;
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}
/// Float pictures are not cut off at white. NaN becomes 0 under Output::clamp.
inline constexpr float float_offset = 128.0f / 255.0f;
TS_HD inline float edge_pixel(float value, Output output) {
  switch (output) {
    case Output::absolute:
      return __builtin_fabsf(value);
    case Output::clamp:
      return value > 0.0f ? value : 0.0f;
    default:
      return value + float_offset;
  }
}

}  // namespace threadscape

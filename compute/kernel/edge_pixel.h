#pragma once
// How the signed response of an edge filter becomes a pixel.

#include "compute/kernel/views.h"

namespace threadscape {

/// What becomes of a response v. absolute: |v|. clamp: negative responses become 0. offset: 128 of 255 is added, so
/// that both signs can be seen.
enum class Output : int { absolute, clamp, offset };

/// The pixel of an 8-bit picture, saturated to 0..255.
TS_HD inline std::uint8_t edge_pixel(int value, Output output) {
  if (output == Output::absolute && value < 0) value = -value;
  if (output == Output::offset) value += 128;
  return static_cast<std::uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
}
/// The offset of float pictures, where white is 1.
inline constexpr float float_offset = 128.0f / 255.0f;
/// The pixel of a float picture, which is not cut off at white. NaN becomes 0 under Output::clamp.
TS_HD inline float edge_pixel(float value, Output output) {
  switch (output) {
    case Output::absolute:
      return fabsf(value);
    case Output::clamp:
      return value > 0.0f ? value : 0.0f;
    default:
      return value + float_offset;
  }
}

}  // namespace threadscape

#include "compute/core/height_range.h"

#include <charconv>
#include <limits>

namespace threadscape {

HeightRange height_range(HostIn heights) {
  HeightRange range{std::numeric_limits<float>::infinity(), -std::numeric_limits<float>::infinity()};
  with_heights(heights, [&](const auto& values) {
    for (int y = 0; y < values.height; ++y)
      for (int x = 0; x < values.width; ++x) {
        const auto height = static_cast<float>(values(x, y));
        // A hole is neither lower nor higher.
        range.low = height < range.low ? height : range.low;
        range.high = height > range.high ? height : range.high;
      }
  });
  return range;
}

std::string height_text(float height) {
  char text[32];
  return {text, std::to_chars(text, text + sizeof text, height).ptr};
}

std::string height_range_text(HostIn heights) {
  const HeightRange range = height_range(heights);
  return "heights " + height_text(range.low) + " to " + height_text(range.high) + "\n";
}

}  // namespace threadscape

#pragma once
// Measurements on the pixels of a picture: the values along a line, and the statistics of a region.

#include <array>
#include <cstdint>
#include <glm/vec2.hpp>
#include <string>
#include <vector>

#include "compute/core/data.h"

namespace threadscape::app {

/// Two points of a picture in pixels, of which (0.5, 0.5) is the middle of the first pixel.
struct MeasuredPlaces {
  glm::vec2 from{0.0f}, to{0.0f};
  bool operator==(const MeasuredPlaces&) const = default;
};

/// The values from one point to another.
struct LineProfile {
  double length = 0.0;   ///< In pixels.
  double degrees = 0.0;  ///< The angle of the line to the horizontal, counter-clockwise, -180 to 180.
  int channels = 0;
  std::vector<double> at;      ///< The distance of each sample from the first point, in pixels.
  std::vector<double> values;  ///< For each sample, the values of all channels.
};

/// The statistics of the pixels of a rectangle, for each channel.
struct RegionStatistics {
  int x = 0, y = 0, width = 0, height = 0;
  int channels = 0;
  std::int64_t ignored = 0;  ///< Values that are not finite, over all channels, which the statistics leave out.
  std::array<double, 4> mean{}, deviation{}, minimum{}, maximum{};
};

/// Samples a picture of the elements u8, u16 or f32 at distances of at most a pixel, interpolated linearly between the
/// middles of pixels; outside of the picture the values at its rim go on.
[[nodiscard]] LineProfile profile_of(HostIn picture, const MeasuredPlaces& places);
/// The statistics of the pixels that the rectangle between both points touches. The deviation is that of the values
/// themselves, not an estimate for more of them. No pixels if the rectangle is beside the picture.
[[nodiscard]] RegionStatistics statistics_of(HostIn picture, const MeasuredPlaces& places);

/// The profile as a table whose cells are separated by tabs, with a heading.
[[nodiscard]] std::string table_of(const LineProfile& profile);
[[nodiscard]] std::string table_of(const RegionStatistics& region);

}  // namespace threadscape::app

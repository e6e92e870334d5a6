#pragma once
// Cuts faces with more than three corners into triangles.

#include <array>
#include <cstdint>
#include <span>
#include <stop_token>
#include <vector>

namespace threadscape::io {

using Point = std::array<double, 3>;

/// Cuts polygons by clipping ears (G. Meisters, "Polygons have ears", 1975). A polygon without holes that does not
/// cross itself, seen along its normal by M. Newell's method, keeps its area: concave corners, and corners on a
/// straight line, are no obstacle. A convex polygon becomes the fan of its first corner. Of other polygons every corner
/// is used.
class PolygonCutter {
 public:
  explicit PolygonCutter(std::stop_token stop) : stop_(std::move(stop)) {}

  /// Appends the corners.size() - 2 triangles of a polygon as indices into `corners`; none of fewer than three corners.
  /// Throws UsageError if the polygons of one cutter together take too long, which needs thousands of concave corners,
  /// and Cancelled.
  void cut(std::span<const Point> corners, std::vector<std::array<std::uint32_t, 3>>& triangles);

 private:
  struct Flat {
    double x, y;
  };

  [[nodiscard]] double turn(std::uint32_t a, std::uint32_t b, std::uint32_t c) const;
  [[nodiscard]] bool is_ear(std::uint32_t corner, int strictness);
  void clip(std::uint32_t corner);

  std::stop_token stop_;
  std::vector<Flat> flat_;                  ///< The corners in the plane, counter-clockwise.
  std::vector<std::uint32_t> next_, last_;  ///< The corners after and before each one that is left.
  std::vector<std::uint32_t> hollow_;       ///< Corners that were not convex; only they can lie in an ear.
  std::uint64_t comparisons_ = 0;
};

}  // namespace threadscape::io

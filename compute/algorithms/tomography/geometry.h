#pragma once
// Where source, detector and volume are. Plain values, so that kernels take them as an argument and the window can
// draw them. Lengths are in one unit, that of the voxels; angles in degrees.
//
// View i has the angle a = first_angle + i * angle_step. The source stands at (sin a, cos a, 0) * source_distance, and
// the detector's pixel in row r and column c, with u = first_u + c * pixel and v = first_v + r * pixel, at
// (-od sin a + u cos a, -od cos a - u sin a, v), od being the detector's distance from the centre. In a parallel beam
// every ray runs through its pixel in the direction from the source to the detector's middle, and starts as far from it
// as the source is.

#include "compute/algorithms/tomography/volume_grid.h"
#include "compute/core/views.h"

namespace threadscape::projection {

using volumes::Point;
using volumes::VolumeGrid;

/// Sine and cosine of a view's angle, exact at multiples of a quarter turn: there rays run along an axis, and a
/// direction of 1e-17 instead of 0 would put them on another side of a plane between voxels.
struct ViewAngle {
  double sine = 0.0, cosine = 1.0;
};
[[nodiscard]] ViewAngle view_angle(double degrees);

struct Geometry {
  VolumeGrid grid;
  bool parallel = false;
  int views = 1;
  double first_angle = 0.0, angle_step = 0.0;
  int columns = 1, rows = 1;  ///< of the detector
  double pixel = 1.0;         ///< from one pixel to the next
  double first_u = 0.0, first_v = 0.0;
  double source_distance = 1.0, detector_distance = 1.0;  ///< from the centre of the volume

  [[nodiscard]] TS_HD double angle_of(int view) const { return first_angle + view * angle_step; }
  [[nodiscard]] TS_HD double u_of(int column) const { return first_u + column * pixel; }
  [[nodiscard]] TS_HD double v_of(int row) const { return first_v + row * pixel; }

  /// The middle of the source; of a parallel beam the start of the ray with u = v = 0.
  [[nodiscard]] TS_HD Point source(const ViewAngle& angle) const {
    return {source_distance * angle.sine, source_distance * angle.cosine, 0.0};
  }
  [[nodiscard]] TS_HD Point pixel_centre(const ViewAngle& angle, int row, int column) const {
    const double u = u_of(column);
    return {-detector_distance * angle.sine + u * angle.cosine, -detector_distance * angle.cosine - u * angle.sine,
            v_of(row)};
  }
  /// Where the ray of a pixel starts.
  [[nodiscard]] TS_HD Point start(const ViewAngle& angle, int row, int column) const {
    const Point s = source(angle);
    if (!parallel) return s;
    const double u = u_of(column);
    return {s.x + u * angle.cosine, s.y - u * angle.sine, v_of(row)};
  }
  friend bool operator==(const Geometry&, const Geometry&) = default;
};

}  // namespace threadscape::projection

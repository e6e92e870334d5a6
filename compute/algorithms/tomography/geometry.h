#pragma once
// The geometry of a scan: where source, detector and volume are in each view. Geometry is a plain value, so that it can
// be passed to kernels as an argument and drawn by the window. All lengths have the unit of the voxel sizes; angles are
// in degrees.
//
// View i has the angle a = first_angle + i * angle_step, or with a list of angles first_angle + list[i] * angle_step.
// The source stands at (sin a, cos a, 0) * source_distance. The detector pixel in row r and column c, with u = first_u
// + c * pixel and v = first_v + r * pixel_v, stands at
// (-od sin a + u cos a, -od cos a - u sin a, v), where od is detector_distance. In a parallel beam all rays of a view
// run in the direction from the source to the centre of the detector; the ray of a pixel ends in that pixel and starts
// in the plane through the source parallel to the detector. ScannerParams puts both outside of the volume, because the
// rays of a parallel beam have no ends. In a spiral scan source and detector move along z while they turn: the third
// coordinate of both is larger by z(view).
//
//              * source            ---          seen from +z for a = 0: y points up, x to the right
//             /|\                    |
//            / | \                   | source_distance
//         +-/--|--\-+                |
//         |/   o   \|               ---         o = centre of the volume, the origin
//         /----|----\                |
//        /     |     \               | detector_distance
//       +------+------+ detector    ---         columns along u (here x), rows along v = z

#include "compute/algorithms/tomography/volume_grid.h"
#include "compute/kernel/views.h"

namespace threadscape::projection {

using volumes::Point;
using volumes::VolumeGrid;

/// Sine and cosine of the angle of a view, exact at multiples of 90 degrees: rays run along an axis there, and a
/// direction of 1e-17 instead of 0 would put them on the wrong side of a plane between voxels.
struct ViewAngle {
  double sine = 0.0, cosine = 1.0;
  double share = 1.0;  ///< How much the view counts in a reconstruction, where the angles between views differ.
  double place = 0.0;  ///< Angle in radians from the start of the directions that all views cover.
  double z = 0.0;      ///< Height of the source, and of the middle of the detector, above the centre of the volume.
};
[[nodiscard]] ViewAngle view_angle(double degrees);

/// Views whose angles lie at unequal distances from each other (view_list.h).
struct ViewList;

/// A circular or spiral scan with a flat detector. The members describe the positions that the head of this file
/// defines.
struct Geometry {
  VolumeGrid grid;
  bool parallel = false;
  int views = 1;
  double first_angle = 0.0, angle_step = 0.0;
  const ViewList* list = nullptr;       ///< In memory of the host; null where all angles between views are equal.
  int columns = 1, rows = 1;            ///< Pixels of the detector along u and along v.
  double pixel = 1.0;                   ///< Distance between the centres of neighbouring pixels of a row.
  double pixel_v = 1.0;                 ///< Distance between the centres of neighbouring pixels of a column.
  double first_u = 0.0, first_v = 0.0;  ///< Centre of the pixel in column 0 and row 0.
  double source_distance = 1.0;         ///< Distance of the source from the centre of the volume.
  double detector_distance = 1.0;       ///< Distance of the detector's plane from the centre of the volume.
  /// Spiral scan: z at the first of views at equal distances, or at angle 0 of a list; and how far source and detector
  /// move along z per degree.
  double first_z = 0.0, z_per_degree = 0.0;

  /// The angle of a view in degrees.
  [[nodiscard]] double angle_of(int view) const;
  /// The angle and the height of a view, without its share and its place.
  [[nodiscard]] ViewAngle position(int view) const;
  /// The angle of a view with its share and its place.
  [[nodiscard]] ViewAngle view(int number) const;
  [[nodiscard]] TS_HD double u_of(int column) const { return first_u + column * pixel; }
  [[nodiscard]] TS_HD double v_of(int row) const { return first_v + row * pixel_v; }

  /// Position of the source; in a parallel beam the start of the ray with u = v = 0.
  [[nodiscard]] TS_HD Point source(const ViewAngle& angle) const {
    return {source_distance * angle.sine, source_distance * angle.cosine, angle.z};
  }
  [[nodiscard]] TS_HD Point pixel_centre(const ViewAngle& angle, int row, int column) const {
    const double u = u_of(column);
    return {-detector_distance * angle.sine + u * angle.cosine, -detector_distance * angle.cosine - u * angle.sine,
            v_of(row) + angle.z};
  }
  /// Start of the ray that ends in the centre of the pixel.
  [[nodiscard]] TS_HD Point start(const ViewAngle& angle, int row, int column) const {
    const Point s = source(angle);
    if (!parallel) return s;
    const double u = u_of(column);
    return {s.x + u * angle.cosine, s.y - u * angle.sine, v_of(row) + angle.z};
  }
  friend bool operator==(const Geometry&, const Geometry&) = default;
};

}  // namespace threadscape::projection

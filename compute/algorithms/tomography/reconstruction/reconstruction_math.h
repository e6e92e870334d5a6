#pragma once
// Filtered backprojection, once for all backends. Lengths are those of projection/geometry.h; D is the distance from
// source to centre, L that from source to detector. In a parallel beam there is no cosine, no D / U, and L / U is 1.
//
//   1. Each value g(u, v) of a view is weighted: L / sqrt(L^2 + u^2 + v^2), the cosine of its ray; times the angle that
//      the view stands for, in radians; times how much of what is seen twice it may tell (Coverage).
//   2. Each row is convolved with the ramp, cut off at the finest detail that the pixels hold: filter_tap(). That is a
//      sum over the row and no FFT: half of the ramp's taps are zero, a row is seldom longer than 1024 pixels, and
//      the sum is a fraction of what step 3 costs, needs no padding and is as exact in float as the values are.
//   3. Each voxel takes the value of the pixel that its ray meets, interpolated between four and 0 beyond the
//      detector, times (D / U)^2: U is the distance from the source to the plane through the voxel, parallel to the
//      detector.

#include <cmath>
#include <numbers>

#include "compute/algorithms/tomography/reconstruction/reconstruction.h"

namespace threadscape::reconstruction {

using projection::Geometry;
using projection::ViewAngle;
using Filter = Reconstruction::Filter;

/// Kak, Slaney: Principles of Computerized Tomographic Imaging, 1988, (3.61): the ramp in space, of pixels of size 1.
TS_HD inline double ramp_tap(int n) {
  if (n == 0) return 0.25;
  return n % 2 == 0 ? 0.0 : -1.0 / (std::numbers::pi * std::numbers::pi * n * n);
}
TS_HD inline double filter_tap(Filter filter, int n) {
  switch (filter) {
    case Filter::shepp_logan:
      return -2.0 / (std::numbers::pi * std::numbers::pi * (4.0 * n * n - 1));
    case Filter::hann:
      return 0.5 * ramp_tap(n) + 0.25 * (ramp_tap(n - 1) + ramp_tap(n + 1));
    default:
      return ramp_tap(n);
  }
}

/// How the views cover the directions. Each view stands for half a step to both of its sides.
struct Coverage {
  enum class Kind : int {
    full,     ///< a full circle: every ray is seen twice and counts half
    half,     ///< at least half a circle and the fan: Parker's weights share what is seen twice
    limited,  ///< less: directions are missing, and the result shows it
  };
  Kind kind = Kind::limited;
  double step = 0.0;      ///< radians
  double overscan = 0.0;  ///< half of what is covered beyond half a circle
  double fan = 0.0;       ///< half of the angle in which the source sees volume and detector
  int views = 1;
  double last_gap = 0.0;  ///< full: from the last view to the first

  static Coverage of(const Geometry& geometry);

  /// The angle that a view stands for.
  TS_HD double angle(int view) const {
    if (kind != Kind::full) return step;
    const double before = view == 0 ? last_gap : step, after = view == views - 1 ? last_gap : step;
    return 0.5 * (before + after);
  }
  /// The share of the ray to u in what is told about its line. The same line is seen again from a + pi - 2 gamma, gamma
  /// being the angle of the ray against the middle one.
  TS_HD double share(const Geometry& geometry, int view, double u) const {
    if (kind != Kind::half) return kind == Kind::full ? 0.5 : 1.0;
    double gamma = geometry.parallel ? 0.0 : std::atan(u / (geometry.source_distance + geometry.detector_distance));
    gamma = gamma < -fan ? -fan : gamma > fan ? fan : gamma;
    const double angle = (view + 0.5) * step, quarter = std::numbers::pi / 4;
    double sine = 1.0;
    if (angle < 2 * (overscan + gamma))
      sine = std::sin(quarter * angle / (overscan + gamma));
    else if (angle > std::numbers::pi + 2 * gamma)
      sine = std::sin(quarter * (std::numbers::pi + 2 * overscan - angle) / (overscan - gamma));
    return sine * sine;
  }
};

/// What a value is multiplied with before its row is convolved, but for the cosine: the same for a column of a view.
TS_HD inline double column_weight(const Geometry& geometry, const Coverage& coverage, int view, int column) {
  // The taps are those of pixels of size 1; ours are seen at the centre.
  const double far = geometry.source_distance + geometry.detector_distance;
  const double pixel = geometry.parallel ? geometry.pixel : geometry.pixel * geometry.source_distance / far;
  return coverage.angle(view) * coverage.share(geometry, view, geometry.u_of(column)) / pixel;
}
/// The cosine. T is float or double.
template <class T>
TS_HD inline T ray_cosine(const Geometry& geometry, int row, int column) {
  if (geometry.parallel) return T{1};
  const T far = static_cast<T>(geometry.source_distance + geometry.detector_distance);
  const T u = static_cast<T>(geometry.u_of(column)), v = static_cast<T>(geometry.v_of(row));
  return far / std::sqrt(far * far + u * u + v * v);
}

/// Where the voxels (x, y, z) of one x and y are seen in a view: all in one column of the detector.
struct Place {
  double column = -1.0;               ///< -1..columns, both ends being beyond the detector
  double first_row = 0.0, row = 0.0;  ///< of z = 0, and from one z to the next
  double weight = 0.0;
};
TS_HD inline Place place_of(const Geometry& geometry, const ViewAngle& angle, int x, int y) {
  const projection::Point p = geometry.grid.centre_of(x, y, 0);
  const double along = p.x * angle.cosine - p.y * angle.sine, towards = p.x * angle.sine + p.y * angle.cosine;
  double scale = 1.0, weight = 1.0;
  if (!geometry.parallel) {
    const double distance = geometry.source_distance - towards;
    if (distance <= 0) return {};  // behind the source
    scale = (geometry.source_distance + geometry.detector_distance) / distance;
    weight = geometry.source_distance / distance;
    weight *= weight;
  }
  const double column = (along * scale - geometry.first_u) / geometry.pixel;
  return {column > -1 ? column < geometry.columns ? column : geometry.columns : -1,
          (p.z * scale - geometry.first_v) / geometry.pixel, geometry.grid.voxel_z * scale / geometry.pixel, weight};
}

// ---- SIRT

/// One over a sum of lengths. Below a tenth of a voxel's side it is one over that: a ray that clips a corner would
/// tell as much as one through the middle, and what is rounding would decide.
TS_HD inline double shortest_sum(const Geometry& geometry) {
  const volumes::VolumeGrid& grid = geometry.grid;
  return 0.1 * projection::smaller(projection::smaller(grid.voxel_x, grid.voxel_y), grid.voxel_z);
}
template <class T>
TS_HD inline T one_over(T sum, T shortest) {
  return T{1} / (sum > shortest ? sum : shortest);
}

}  // namespace threadscape::reconstruction

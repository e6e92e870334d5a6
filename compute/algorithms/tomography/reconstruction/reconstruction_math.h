#pragma once
// The formulas of filtered backprojection, shared by all backends. Lengths are those of tomography/geometry.h; D is the
// distance from the source to the centre of the volume, L the distance from the source to the detector. In a parallel
// beam the cosine, D / U and L / U are 1.
//
//   1. Each value g(u, v) of a view is multiplied by three weights: L / sqrt(L^2 + u^2 + v^2), the cosine of its ray's
//      angle; the angle in radians that the view represents; and the share of the ray in lines that are measured twice
//      (Coverage).
//   2. Each row is convolved with the ramp filter, band-limited to the pixel size: filter_tap(). This is a direct sum
//   and
//      not an FFT: half of the taps of the ramp are zero, rows seldom have more than 1024 pixels, and the sum costs a
//      fraction of step 3, needs no padding and is as exact in float as the values are.
//   3. Each voxel adds the value of the point in which its ray meets the detector, interpolated bilinearly between four
//      pixels and 0 outside of the detector, times (D / U)^2. U is the distance of the source from the plane through
//      the voxel parallel to the detector.

#include "compute/algorithms/tomography/ray_math.h"
#include "compute/kernel/std.h"

namespace threadscape::reconstruction {

using projection::Geometry;
using projection::ViewAngle;
/// The window over the ramp filter (filter_tap()).
enum class Filter : int { ramp, shepp_logan, hann };

/// Tap n of the band-limited ramp filter for pixels of size 1. Kak, Slaney: Principles of Computerized Tomographic
/// Imaging, 1988, (3.61).
TS_HD inline double ramp_tap(int n) {
  if (n == 0) return 0.25;
  return n % 2 == 0 ? 0.0 : -1.0 / (std::numbers::pi * std::numbers::pi * n * n);
}
/// Tap n of a filter for pixels of size 1.
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

/// How the views cover the directions of rays. A view represents the directions up to half a step on both of its sides.
struct Coverage {
  enum class Kind : int {
    full,     ///< A full circle: every line is measured twice, and each measurement counts half.
    half,     ///< At least half a circle and the fan: Parker's weights share lines that are measured twice.
    limited,  ///< Less than that: directions are missing, and the result has artefacts.
  };
  Kind kind = Kind::limited;
  double step = 0.0;      ///< Angle between neighbouring views, in radians.
  double overscan = 0.0;  ///< Half of the angle covered beyond half a circle, in radians.
  double fan = 0.0;       ///< Half of the angle in which the source sees the volume and the detector, in radians.
  int views = 1;
  double last_gap = 0.0;  ///< Kind::full: angle from the last view to the first, in radians.
  bool reversed = false;  ///< Angles fall from view to view.
  /// Kind::full with a detector that sees beyond the volume on one side only (displaced detector, half-fan): the
  /// position, as ray_position() states it, up to which both sides measure; 0 where both sides count alike.
  double overlap = 0.0;
  bool longer_is_positive = true;  ///< The side that sees more is that of positive u.
  /// Columns in which the ramp filter spreads what a displaced detector has measured, beyond the end of its shorter
  /// side: in front of the measured columns, and behind them.
  int columns_before = 0, columns_behind = 0;

  static Coverage of(const Geometry& geometry);
  /// The geometry of the filtered views: the detector with the columns before and behind the measured ones.
  [[nodiscard]] Geometry filtered(const Geometry& measured) const {
    Geometry geometry = measured;
    geometry.columns += columns_before + columns_behind;
    geometry.first_u -= columns_before * geometry.pixel;
    return geometry;
  }
  /// Returns whether a column of filtered() was measured; in views it is `column - columns_before`.
  [[nodiscard]] TS_HD bool is_measured(const Geometry& filtered, int column) const {
    return column >= columns_before && column < filtered.columns - columns_behind;
  }

  /// The angle that a view represents, in radians.
  TS_HD double angle(int view) const {
    if (kind != Kind::full) return step;
    const double before = view == 0 ? last_gap : step, after = view == views - 1 ? last_gap : step;
    return 0.5 * (before + after);
  }
  /// Where a ray is in its fan: its angle to the central ray in radians, in a parallel beam u itself.
  TS_HD static double ray_position(const Geometry& geometry, double u) {
    return geometry.parallel ? u : std::atan(u / (geometry.source_distance + geometry.detector_distance));
  }
  /// The share with a displaced detector: 1 where only the longer side measures, and from there a sine that falls to 0
  /// at the end of the shorter side. Opposite rays add up to 1. Wang: X-ray micro-CT with a displaced detector array,
  /// Med. Phys. 29(7), 2002.
  TS_HD double share_of_side(double position) const {
    const double at = (longer_is_positive ? position : -position) / overlap;
    if (at >= 1.0) return 1.0;
    return at <= -1.0 ? 0.0 : 0.5 * (1.0 + std::sin(0.5 * std::numbers::pi * at));
  }
  /// The weight 0..1 of the ray to u among the measurements of its line. The same line is measured again from the angle
  /// a + pi - 2 gamma, where gamma is the angle between the ray and the central ray. `place` is ViewAngle::place.
  TS_HD double share(const Geometry& geometry, double place, double u) const {
    if (kind == Kind::limited) return 1.0;
    if (kind == Kind::full) return overlap > 0 ? share_of_side(ray_position(geometry, u)) : 0.5;
    double gamma = geometry.parallel ? 0.0 : ray_position(geometry, u);
    gamma = gamma < -fan ? -fan : gamma > fan ? fan : gamma;
    if (reversed) gamma = -gamma;
    const double quarter = std::numbers::pi / 4;
    double sine = 1.0;
    if (place < 2 * (overscan + gamma))
      sine = std::sin(quarter * place / (overscan + gamma));
    else if (place > std::numbers::pi + 2 * gamma)
      sine = std::sin(quarter * (std::numbers::pi + 2 * overscan - place) / (overscan - gamma));
    return sine * sine;
  }
};

/// The product of the weights of a value before the convolution, apart from the cosine. It is the same for all rows of
/// a column of a view. `place` is ViewAngle::place.
TS_HD inline double column_weight(const Geometry& geometry, const Coverage& coverage, int view, double place,
                                  int column) {
  // The taps are those of pixels of size 1; the pixels here have the size of their image at the centre of the volume.
  const double source_to_detector = geometry.source_distance + geometry.detector_distance;
  const double pixel =
      geometry.parallel ? geometry.pixel : geometry.pixel * geometry.source_distance / source_to_detector;
  return coverage.angle(view) * coverage.share(geometry, place, geometry.u_of(column)) / pixel;
}
/// Cosine of the angle between the ray of a pixel and the central ray. T is float or double.
template <class T>
TS_HD inline T ray_cosine(const Geometry& geometry, int row, int column) {
  if (geometry.parallel) return T{1};
  const T source_to_detector = static_cast<T>(geometry.source_distance + geometry.detector_distance);
  const T u = static_cast<T>(geometry.u_of(column)), v = static_cast<T>(geometry.v_of(row));
  return source_to_detector / std::sqrt(source_to_detector * source_to_detector + u * u + v * v);
}

/// Position on the detector of a column of voxels (x, y, 0 .. nz - 1) in a view. All of them project onto one column of
/// the detector, voxel z at row first_row + z * row.
struct DetectorPosition {
  double column = -1.0;    ///< Detector column, clamped to -1..columns; both ends are outside of the detector.
  double first_row = 0.0;  ///< Detector row of the voxel z = 0.
  double row = 0.0;        ///< Distance in rows between neighbouring voxels.
  double weight = 0.0;     ///< (D / U)^2 times the share of the view, or 0 behind the source.
};
TS_HD inline DetectorPosition detector_position(const Geometry& geometry, const ViewAngle& angle, int x, int y) {
  const projection::Point p = geometry.grid.centre_of(x, y, 0);
  const double along = p.x * angle.cosine - p.y * angle.sine, towards = p.x * angle.sine + p.y * angle.cosine;
  double scale = 1.0, weight = angle.share;
  if (!geometry.parallel) {
    const double distance = geometry.source_distance - towards;
    if (distance <= 0) return {};  // The voxel is behind the source.
    scale = (geometry.source_distance + geometry.detector_distance) / distance;
    const double nearer = geometry.source_distance / distance;
    weight *= nearer * nearer;
  }
  const double column = (along * scale - geometry.first_u) / geometry.pixel;
  return {column > -1 ? column < geometry.columns ? column : geometry.columns : -1,
          (p.z * scale - geometry.first_v) / geometry.pixel_v, geometry.grid.voxel_z * scale / geometry.pixel_v,
          weight};
}

// ---- SIRT

/// The minimum sum of lengths that SIRT divides by: a tenth of the shortest side of a voxel. Without this limit a ray
/// that clips a corner would have as much influence as one through the centre, and rounding errors would decide.
TS_HD inline double min_length_sum(const Geometry& geometry) {
  const volumes::VolumeGrid& grid = geometry.grid;
  return 0.1 * projection::min_of(projection::min_of(grid.voxel_x, grid.voxel_y), grid.voxel_z);
}
/// 1 / max(sum, min_sum).
template <class T>
TS_HD inline T clamped_inverse(T sum, T min_sum) {
  return T{1} / (sum > min_sum ? sum : min_sum);
}

}  // namespace threadscape::reconstruction

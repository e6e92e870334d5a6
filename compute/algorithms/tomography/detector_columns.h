#pragma once
// The path that the rays of one detector column share. Source and detector rotate about z, so the rays of all rows of a
// column have the same path through the xy-plane. Its steps are computed once, in double; a row only adds its height z,
// which is linear in alpha.
//
//   path, seen from above (xy-plane)      one step, seen from the side
//
//   +----+----+----+----+                 z   +----------+
//   |    |    |    |  .-o-->                  |  voxel   |  <- lane 3
//   +----+----+--.-o-'--+                     +----------+
//   |    |  .-o-'  |    |                     |  voxel   |  <- lanes 1 and 2 read the same voxel
//   o----o-'--+----+----+                     +----------+
//   |    |    |    |    |                     |  voxel   |  <- lane 0
//   +----+----+----+----+                     +----------+
//   o = end of a step                         column of voxels; a lane is a row of the detector
//
// The kernels read the volume in the order z, x, y, as columns of voxels, so that neighbouring rows, which are the
// lanes of a vector or a warp, read neighbouring values. Column 0 holds zeros, and every column has a zero below and
// above; these zeros are the outside of the volume.
//
//   column:   0            1 = (0, y0)    2 = (1, y0)         box.x1 = (x1-1, y0)    box.x1 + 1 = (0, y0+1)
//             0 0 .. 0 0   0 v v .. v 0   0 v v .. v 0   ..   0 v v .. v 0           0 v v .. v 0   ..
//             |<-pitch->|  |<-- nz+2 -->|
//
// Steps are rounded to float relative to the alpha at which the path enters the box. A row's sum is as exact as its
// float arithmetic: alpha and z are never accumulated, and heights are relative to the voxel in which the ray enters.

#include "compute/algorithms/tomography/ray_math.h"

namespace threadscape::projection {

/// Maximum number of steps into which one cell of the xy-plane is divided. No ray crosses more planes along z in a
/// cell.
inline constexpr int max_parts = 1 << 16;

/// One step of a path. Alphas are relative to range.in of the path.
struct alignas(16) ColumnStep {
  float end;     ///< ExactPath: alpha at the end of the step. JosephPath: alpha of the sample.
  float length;  ///< ExactPath: length of the step in alpha. JosephPath: interpolation weight of column b, 0..1.
  int a, b;      ///< Numbers of the columns of voxels; equal in an ExactPath.
};

/// Distance in floats between neighbouring columns of voxels: a zero, nz voxels and a zero.
TS_HD inline std::ptrdiff_t column_pitch(int nz) {
  return nz + 2;
}
/// Number of the column of voxels (x, y) in a slab that starts at box.y0.
TS_HD inline int column_of(const Box& box, int x, int y) {
  return 1 + x + (y - box.y0) * box.x1;
}

/// The planes along one axis that a path crosses in the box, in ascending order of alpha.
struct Crossings {
  Axis axis;
  int first;  ///< Index of the voxel in which the path enters.
  int step;   ///< +1 or -1, the direction of the path.
  int count;  ///< Number of planes that the path crosses after its entry.

  TS_HD static Crossings of(const Axis& axis, const AlphaRange& range, int lo, int hi) {
    const int from = voxel_at(axis.at(range.in), lo, hi), to = voxel_at(axis.at(range.out), lo, hi);
    const int step = axis.direction > 0 ? 1 : -1;
    const int count = axis.moves() && (to - from) * step > 0 ? (to - from) * step : 0;
    return {axis, from, step, count};
  }
  /// Alpha of plane `number`, 0 <= number < count.
  TS_HD double alpha(int number) const { return axis.alpha_of(first + number * step + (step > 0 ? 1 : 0)); }
  /// Index of the voxel after `number` crossings.
  TS_HD int voxel(int number) const { return first + number * step; }
};

/// The path for exact lengths (methods siddon and incremental): the cells of the xy-plane in the order of the ray.
struct ExactPath {
  Box box;
  AlphaRange range;
  Crossings x, y;
  int parts = 1;  ///< Number of steps per cell, chosen so that no row crosses more than one plane along z in a step.

  /// `max_slope` is the maximum |direction| along z of all rows.
  TS_HD ExactPath(const Box& box_, const Ray& ray, double max_slope) : box(box_), x{}, y{} {
    clip(range, ray.x, 0, box.x1);
    clip(range, ray.y, box.y0, box.y1);
    if (range.empty()) return;
    x = Crossings::of(ray.x, range, 0, box.x1);
    y = Crossings::of(ray.y, range, box.y0, box.y1);
    const double across = max_of(std::abs(ray.x.direction), std::abs(ray.y.direction));
    parts = 1 + static_cast<int>(min_of(max_slope / (0.99 * across), max_parts - 1.0));
  }
  TS_HD int steps() const { return range.empty() ? 0 : (x.count + y.count + 1) * parts; }

  /// Number of crossings of x among the first `rank` crossings of the merged ascending lists of x and y; of equal
  /// alphas those of x come first. It lets threads find any step independently (Odeh et al., Merge Path, 2012).
  TS_HD int merged_x(int rank) const {
    int lo = rank > y.count ? rank - y.count : 0, hi = rank < x.count ? rank : x.count;
    while (lo < hi) {
      const int middle = (lo + hi) / 2;
      if (x.alpha(middle) <= y.alpha(rank - 1 - middle))
        lo = middle + 1;
      else
        hi = middle;
    }
    return lo;
  }
  /// Step `part` of the cell that the path reaches after i crossings of x and j crossings of y.
  TS_HD ColumnStep step_after(int i, int j, int part) const {
    double begin = range.in, end = range.out;
    if (i > 0) begin = max_of(begin, x.alpha(i - 1));
    if (j > 0) begin = max_of(begin, y.alpha(j - 1));
    begin = min_of(begin, range.out);
    if (i < x.count) end = min_of(end, x.alpha(i));
    if (j < y.count) end = min_of(end, y.alpha(j));
    const double length = max_of(end - begin, 0.0) / parts;
    const int column = column_of(box, x.voxel(i), y.voxel(j));
    return {static_cast<float>(begin + length * (part + 1) - range.in), static_cast<float>(length), column, column};
  }
  TS_HD ColumnStep step(int number) const {
    const int rank = number / parts, i = merged_x(rank);
    return step_after(i, rank - i, number % parts);
  }
};

/// The path for method joseph: the planes of voxel centres in the order of the ray.
struct JosephPath {
  Box box;
  AlphaRange range;
  Axis main;                 ///< The axis that the sample planes are perpendicular to.
  Axis side;                 ///< The other axis of the xy-plane, along which samples are interpolated.
  bool along_x;              ///< If true, `main` is x.
  int first = 0, last = -1;  ///< Range of voxel indices along `main`; empty if last < first.

  TS_HD JosephPath(const Box& box_, const Ray& ray) : box(box_), along_x(samples_along_x(ray)) {
    main = along_x ? ray.x : ray.y;
    side = along_x ? ray.y : ray.x;
    const int main_lo = along_x ? 0 : box.y0, main_hi = along_x ? box.x1 : box.y1;
    clip(range, main, main_lo, main_hi);
    // Interpolation with the zeros around it extends the volume by half a voxel.
    clip(range, side, (along_x ? box.y0 : 0) - 0.5, (along_x ? box.y1 : box.x1) + 0.5);
    if (range.empty()) return;
    const int a = voxel_at(main.at(range.in), main_lo, main_hi), b = voxel_at(main.at(range.out), main_lo, main_hi);
    first = a < b ? a : b;
    last = a < b ? b : a;
  }
  TS_HD int steps() const { return last - first + 1; }

  TS_HD ColumnStep step(int number) const {
    const int i = main.direction > 0 ? first + number : last - number;
    const double alpha = main.alpha_of(i + 0.5);
    if (alpha < 0 || alpha > 1) return {static_cast<float>(alpha - range.in), 0.0f, 0, 0};
    const double p = side.at(alpha) - 0.5, j = std::floor(p);
    return {static_cast<float>(alpha - range.in), static_cast<float>(p - j), column(i, static_cast<int>(j)),
            column(i, static_cast<int>(j) + 1)};
  }

 private:
  /// Number of the column of voxels at index i along `main` and j along `side`; outside of the box it is 0, the column
  /// of zeros.
  TS_HD int column(int i, int j) const {
    const int x = along_x ? i : j, y = along_x ? j : i;
    return 0 <= x && x < box.x1 && box.y0 <= y && y < box.y1 ? column_of(box, x, y) : 0;
  }
};

/// The height z of a row's ray at the entry of a path: voxel `base`, and `fraction` above the lower plane of that
/// voxel. From there on the height is base + (fraction + slope * alpha), alpha being relative to the entry.
struct RowHeight {
  int base;
  float fraction;  ///< At least 0 and below 1.

  /// `shift` is 0.5 if heights are relative to the centres of voxels, and 0 if to their lower planes.
  TS_HD static RowHeight at(const Axis& z, double alpha, double shift) {
    const double height = max_of(min_of(z.at(alpha) - shift, height_limit), -height_limit), floor = std::floor(height);
    const auto fraction = static_cast<float>(height - floor);
    return {static_cast<int>(floor), fraction < max_fraction ? fraction : max_fraction};
  }
  /// Limit of |z| in voxels, within which a float holds any height exactly enough. No volume has as many layers.
  static constexpr double height_limit = 1 << 21;
  /// The largest float below 1. A fraction rounded up to 1 would move a ray from just below a plane to above it.
  static constexpr float max_fraction = 0.99999994f;
};
/// 1 / slope, or 0 for rays that do not move along z.
TS_HD inline float inverse_slope(const Axis& z) {
  return z.moves() ? 1.0f / static_cast<float>(z.direction) : 0.0f;
}

/// How far a spiral scan has moved source and detector up in a view, in voxels.
TS_HD inline double lift_of(const Geometry& geometry, const ViewAngle& angle) {
  return angle.z / geometry.grid.voxel_z;
}
/// The z coordinate of the rays of a row, lifted by so many voxels. It is the same in every column, and without the
/// lift in every view.
TS_HD inline Axis row_axis(const Geometry& geometry, int row, double lift = 0.0) {
  const double v = geometry.v_of(row);
  Axis axis = axis_between(geometry.parallel ? v : 0.0, v, geometry.grid.voxel_z, geometry.grid.nz);
  axis.origin += lift;
  return axis;
}
/// The maximum |direction| along z of all rows; it is that of the first or of the last row.
TS_HD inline double max_row_slope(const Geometry& geometry) {
  return max_of(std::abs(row_axis(geometry, 0).direction), std::abs(row_axis(geometry, geometry.rows - 1).direction));
}

}  // namespace threadscape::projection

#pragma once
// What the rays of one detector column share. Source and detector turn about z, so all rows of a column have one and
// the same path through the xy-plane: its steps are found once, in double, and each row only adds its height, which is
// linear in alpha. The voxels are in the order z, x, y here ("columns" of voxels), so that neighbouring rows, which are
// the lanes of a vector or a warp, read neighbouring values. Column 0 is zeros, and every column has a zero below and
// above: what is outside of the volume.
//
// After the steps are rounded to float, relative to where the path enters, a row's sum is as exact as its float
// arithmetic: alpha and z are never accumulated, and heights are counted from the voxel in which the ray enters.

#include "compute/algorithms/tomography/projection/projection_math.h"

namespace threadscape::projection {

/// Steps of one xy-cell: rays that go through more planes along z in it do not exist.
inline constexpr int most_parts = 1 << 16;

/// One step of a path; alphas are relative to ColumnPath::range.in.
struct alignas(16) ColumnStep {
  float end;     ///< exact: alpha where the xy-cell is left. joseph: alpha of the sample
  float length;  ///< exact: of the step, in alpha. joseph: weight of column b
  int a, b;      ///< columns of voxels
};

/// Floats from one column of voxels to the next.
TS_HD inline std::ptrdiff_t column_pitch(int nz) {
  return nz + 2;
}
/// Number of the column (x, y) of a slab that starts at y0.
TS_HD inline int column_of(const Box& box, int x, int y) {
  return 1 + x + (y - box.y0) * box.x1;
}

/// The planes along one axis that a path crosses in the box, in order.
struct Crossings {
  Axis axis;
  int first, step, count;  ///< the voxel at the entry, and how many planes follow

  TS_HD static Crossings of(const Axis& axis, const AlphaRange& range, int lo, int hi) {
    const int from = voxel_at(axis.at(range.in), lo, hi), to = voxel_at(axis.at(range.out), lo, hi);
    const int step = axis.direction > 0 ? 1 : -1;
    const int count = axis.moves() && (to - from) * step > 0 ? (to - from) * step : 0;
    return {axis, from, step, count};
  }
  /// Alpha of the plane behind the voxel with this number.
  TS_HD double alpha(int number) const { return axis.alpha_of(first + number * step + (step > 0 ? 1 : 0)); }
  TS_HD int voxel(int number) const { return first + number * step; }
};

/// The path for siddon and incremental: xy-cells in order.
struct ExactPath {
  Box box;
  AlphaRange range;
  Crossings x, y;
  int parts = 1;  ///< of a cell: in a step no row crosses more than one plane along z

  /// `steepest` is the largest |direction| along z of the rows.
  TS_HD ExactPath(const Box& box_, const Ray& ray, double steepest) : box(box_), x{}, y{} {
    clip(range, ray.x, 0, box.x1);
    clip(range, ray.y, box.y0, box.y1);
    if (range.empty()) return;
    x = Crossings::of(ray.x, range, 0, box.x1);
    y = Crossings::of(ray.y, range, box.y0, box.y1);
    const double across = larger(std::abs(ray.x.direction), std::abs(ray.y.direction));
    parts = 1 + static_cast<int>(smaller(steepest / (0.99 * across), most_parts - 1.0));
  }
  TS_HD int steps() const { return range.empty() ? 0 : (x.count + y.count + 1) * parts; }

  /// How many of the first `rank` crossings are crossings of x, the two ascending lists being merged; where alphas are
  /// equal those of x come first. So every step can be found by itself: Odeh et al., Merge Path, 2012.
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
  /// The step with this number, i crossings of x and j of y after the entry.
  TS_HD ColumnStep step_after(int i, int j, int part) const {
    double begin = range.in, end = range.out;
    if (i > 0) begin = larger(begin, x.alpha(i - 1));
    if (j > 0) begin = larger(begin, y.alpha(j - 1));
    begin = smaller(begin, range.out);
    if (i < x.count) end = smaller(end, x.alpha(i));
    if (j < y.count) end = smaller(end, y.alpha(j));
    const double length = larger(end - begin, 0.0) / parts;
    const int column = column_of(box, x.voxel(i), y.voxel(j));
    return {static_cast<float>(begin + length * (part + 1) - range.in), static_cast<float>(length), column, column};
  }
  TS_HD ColumnStep step(int number) const {
    const int rank = number / parts, i = merged_x(rank);
    return step_after(i, rank - i, number % parts);
  }
};

/// The path for joseph: planes of voxel centres, in order.
struct JosephPath {
  Box box;
  AlphaRange range;
  Axis main, side;
  bool along_x;
  int first = 0, last = -1;

  TS_HD JosephPath(const Box& box_, const Ray& ray) : box(box_), along_x(leads_x(ray)) {
    main = along_x ? ray.x : ray.y;
    side = along_x ? ray.y : ray.x;
    const int main_lo = along_x ? 0 : box.y0, main_hi = along_x ? box.x1 : box.y1;
    clip(range, main, main_lo, main_hi);
    // Half a voxel beyond its borders the volume fades to nothing.
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
  /// 0, the column of zeros, outside of the box.
  TS_HD int column(int i, int j) const {
    const int x = along_x ? i : j, y = along_x ? j : i;
    return 0 <= x && x < box.x1 && box.y0 <= y && y < box.y1 ? column_of(box, x, y) : 0;
  }
};

/// Where the ray of one row is when it enters a path: in voxel `base`, `fraction` above its lower plane. From there on
/// its height is base + (fraction + slope * alpha).
struct RowHeight {
  int base;
  float fraction;  ///< in 0..1, 1 excluded

  /// `shift` is 0.5 where heights are counted from the centres of voxels.
  TS_HD static RowHeight at(const Axis& z, double alpha, double shift) {
    const double height = larger(smaller(z.at(alpha) - shift, height_limit), -height_limit), floor = std::floor(height);
    const auto fraction = static_cast<float>(height - floor);
    return {static_cast<int>(floor), fraction < largest_fraction ? fraction : largest_fraction};
  }
  /// So that floats hold heights, whatever they are relative to; no volume has as many voxels.
  static constexpr double height_limit = 1 << 21;
  /// A fraction that was rounded up to 1 would put a ray just below a plane above it.
  static constexpr float largest_fraction = 0.99999994f;
};
/// 1 / slope, 0 where there is none.
TS_HD inline float inverse_slope(const Axis& z) {
  return z.moves() ? 1.0f / static_cast<float>(z.direction) : 0.0f;
}

/// The z coordinate of the rays of a row: the same in every view and column.
TS_HD inline Axis row_axis(const Geometry& geometry, int row) {
  const double v = geometry.v_of(row);
  return axis_between(geometry.parallel ? v : 0.0, v, geometry.grid.voxel_z, geometry.grid.nz);
}
/// The steepest of them.
TS_HD inline double steepest_row(const Geometry& geometry) {
  return larger(std::abs(row_axis(geometry, 0).direction), std::abs(row_axis(geometry, geometry.rows - 1).direction));
}

}  // namespace threadscape::projection

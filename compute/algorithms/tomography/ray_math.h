#pragma once
// The value of a ray, in double precision. The serial backend, the CUDA variant `rays` and method = siddon evaluate
// these functions for every ray; the faster kernels are compared with them.
//
// A ray is the segment from the source to a pixel, x(alpha) = origin + alpha * direction with alpha in 0..1, measured
// in voxels from the low corner of the volume: voxel (i, j, k) is the half-open box i <= x < i + 1, j <= y < j + 1,
// k <= z < k + 1. Hence
//   a ray that runs within a plane between voxels belongs to the voxels above the plane, and to no voxel in the upper
//   faces of the volume, x = nx, y = ny, z = nz;
//   the value of a ray that only touches an edge or a corner, or misses the volume, is 0.
// A direction that moves a ray by less than 1e-12 voxels along an axis is rounding error and taken to be 0.
//
// The methods siddon and incremental compute the sum over all voxels of the ray's length in the voxel times the voxel's
// value. The method joseph takes a sample in every plane of voxel centres along x or y, whichever axis the ray advances
// faster on (y if equal), by bilinear interpolation between the four centres around the point, those outside of the
// volume being 0; the sum is multiplied by the distance between two samples.

#include "compute/algorithms/tomography/geometry.h"
#include "compute/kernel/std.h"

namespace threadscape::projection {

// Each is a single instruction, unlike fmin and fmax, which have rules for NaN.
TS_HD constexpr double min_of(double a, double b) {
  return a < b ? a : b;
}
TS_HD constexpr double max_of(double a, double b) {
  return a > b ? a : b;
}

enum class Method : int { siddon, incremental, joseph };
/// What becomes of a ray: its line integral, or the number of voxels that it passes through.
enum class Output : int { integral, voxels };

/// A part of the volume: the voxels with 0 <= x < x1, y0 <= y < y1 and 0 <= z < z1. It is the whole volume or a slab
/// along y.
struct Box {
  int x1 = 0, y0 = 0, y1 = 0, z1 = 0;
};
/// The box of the whole volume.
TS_HD inline Box whole(const VolumeGrid& grid) {
  return {grid.nx, 0, grid.ny, grid.nz};
}

/// One coordinate of a ray, in voxels, as a linear function of alpha.
struct Axis {
  double origin = 0.0, direction = 0.0;
  double inverse = 0.0;  ///< 1 / direction, or 0 if direction is 0.

  TS_HD bool moves() const { return direction != 0.0; }
  TS_HD double at(double alpha) const { return origin + alpha * direction; }
  /// Alpha at which the ray crosses the plane with this coordinate.
  TS_HD double alpha_of(double plane) const { return (plane - origin) * inverse; }
};
struct Ray {
  Axis x, y, z;
  double length = 0.0;  ///< Distance from the source to the pixel, in the unit of all lengths.
};
/// The interval of alpha in which a ray is inside a box. It is empty unless in < out.
struct AlphaRange {
  double in = 0.0, out = 1.0;
  TS_HD bool empty() const { return !(in < out); }
};

/// The coordinate, in voxels, of the segment between two points; `from` and `to` are lengths along an axis that has
/// `count` voxels with side `voxel`.
TS_HD inline Axis axis_between(double from, double to, double voxel, int count) {
  Axis axis{from / voxel + 0.5 * count, (to - from) / voxel, 0.0};
  if (std::abs(axis.direction) < 1e-12)
    axis.direction = 0.0;
  else
    axis.inverse = 1.0 / axis.direction;
  return axis;
}
/// The ray of the pixel in this row and column of the view with this angle.
TS_HD inline Ray ray_of(const Geometry& geometry, const ViewAngle& angle, int row, int column) {
  const Point a = geometry.start(angle, row, column), b = geometry.pixel_centre(angle, row, column);
  const VolumeGrid& grid = geometry.grid;
  const double dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
  return {axis_between(a.x, b.x, grid.voxel_x, grid.nx), axis_between(a.y, b.y, grid.voxel_y, grid.ny),
          axis_between(a.z, b.z, grid.voxel_z, grid.nz), std::sqrt(dx * dx + dy * dy + dz * dz)};
}

/// Reduces a range to the part in which lo <= coordinate < hi.
TS_HD inline void clip(AlphaRange& range, const Axis& axis, double lo, double hi) {
  if (!axis.moves()) {
    if (!(lo <= axis.origin && axis.origin < hi)) range.out = range.in;
    return;
  }
  const double a = axis.alpha_of(lo), b = axis.alpha_of(hi);
  range.in = max_of(range.in, min_of(a, b));
  range.out = min_of(range.out, max_of(a, b));
}
/// The interval in which a ray is inside the box.
TS_HD inline AlphaRange inside(const Box& box, const Ray& ray) {
  AlphaRange range;
  clip(range, ray.x, 0, box.x1);
  clip(range, ray.y, box.y0, box.y1);
  clip(range, ray.z, 0, box.z1);
  return range;
}

/// Index of the voxel at a coordinate, clamped to lo..hi-1: rounding may put the point where a ray enters through a
/// face slightly outside of the box.
TS_HD inline int voxel_at(double coordinate, int lo, int hi) {
  const double i = std::floor(coordinate);
  return i < lo ? lo : i >= hi ? hi - 1 : static_cast<int>(i);
}

/// Iterates over the planes that a ray crosses along one axis, and the voxels between them.
struct Planes {
  Axis axis;
  int index;    ///< Index of the current voxel.
  int lo, hi;   ///< Range lo..hi-1 of indices in the box.
  int step;     ///< +1 or -1, the direction of the ray.
  double next;  ///< Alpha of the plane ahead; infinity if the ray does not move along the axis.

  TS_HD Planes(const Axis& axis_, double alpha, int lo_, int hi_)
      : axis(axis_), index(voxel_at(axis_.at(alpha), lo_, hi_)), lo(lo_), hi(hi_), step(axis_.direction > 0 ? 1 : -1) {
    find_next();
  }
  /// Moves to the next voxel. Returns false if that voxel is outside of the box.
  TS_HD bool advance() {
    index += step;
    find_next();
    return lo <= index && index < hi;
  }

 private:
  TS_HD void find_next() {
    next = axis.moves() ? axis.alpha_of(step > 0 ? index + 1 : index) : std::numeric_limits<double>::infinity();
  }
};

/// The method incremental (Jacobs 1998, Amanatides and Woo 1987): the ray goes from voxel to voxel, through whichever
/// plane comes first. Calls `piece(x, y, z, length)` for each voxel; lengths are differences of alpha.
template <class Piece>
TS_HD inline void incremental_pieces(const Box& box, const Ray& ray, const Piece& piece) {
  const AlphaRange range = inside(box, ray);
  if (range.empty()) return;
  Planes x(ray.x, range.in, 0, box.x1), y(ray.y, range.in, box.y0, box.y1), z(ray.z, range.in, 0, box.z1);
  double alpha = range.in;
  for (;;) {
    const double next = min_of(min_of(x.next, y.next), z.next);
    const double end = min_of(next, range.out);
    if (end > alpha) {
      piece(x.index, y.index, z.index, end - alpha);
      alpha = end;
    }
    if (next >= range.out) return;
    const bool in_box = next == x.next ? x.advance() : next == y.next ? y.advance() : z.advance();
    if (!in_box) return;
  }
}
/// The number of voxels in which a ray has a length: the entries of its row in the matrix of lengths.
TS_HD inline int voxels_on(const Box& box, const Ray& ray) {
  int count = 0;
  incremental_pieces(box, ray, [&](int, int, int, double) { ++count; });
  return count;
}
/// The sum over all voxels of the ray's length in alpha times voxel(x, y, z). Multiplied by the ray's length it is the
/// value of the ray.
template <class Voxel>
TS_HD inline double incremental_sum(const Box& box, const Ray& ray, const Voxel& voxel) {
  double sum = 0.0;
  incremental_pieces(box, ray,
                     [&](int x, int y, int z, double length) { sum += length * static_cast<double>(voxel(x, y, z)); });
  return sum;
}

/// The method siddon (Siddon 1985): the alphas of all planes between entry and exit, axis by axis, are merged into one
/// ascending list; two neighbours in the list bound a segment, and its midpoint determines the voxel. The three lists
/// are arithmetic sequences and are merged as they are generated, so no memory is needed. Returns a sum as
/// incremental_sum() does.
template <class Voxel>
TS_HD inline double siddon_sum(const Box& box, const Ray& ray, const Voxel& voxel) {
  const AlphaRange range = inside(box, ray);
  if (range.empty()) return 0.0;
  Planes x(ray.x, range.in, 0, box.x1), y(ray.y, range.in, box.y0, box.y1), z(ray.z, range.in, 0, box.z1);
  double alpha = range.in, sum = 0.0;
  while (alpha < range.out) {
    const double next = min_of(min_of(x.next, y.next), z.next);
    const double end = min_of(next, range.out);
    if (end > alpha) {
      const double middle = 0.5 * (alpha + end);
      sum += (end - alpha) * static_cast<double>(voxel(voxel_at(ray.x.at(middle), 0, box.x1),
                                                       voxel_at(ray.y.at(middle), box.y0, box.y1),
                                                       voxel_at(ray.z.at(middle), 0, box.z1)));
      alpha = end;
    }
    if (next == x.next) x.advance();
    if (next == y.next) y.advance();
    if (next == z.next) z.advance();
  }
  return sum;
}

/// Returns whether the samples of method joseph lie in planes of constant x rather than of constant y.
TS_HD inline bool samples_along_x(const Ray& ray) {
  return std::abs(ray.x.direction) > std::abs(ray.y.direction);
}

/// The method joseph (Joseph 1982): the sum of the samples times their distance in alpha.
template <class Voxel>
TS_HD inline double joseph_sum(const Box& box, const Ray& ray, const Voxel& voxel) {
  const bool along_x = samples_along_x(ray);
  const Axis main = along_x ? ray.x : ray.y, side = along_x ? ray.y : ray.x;
  const auto value = [&](int i, int j, int k) {
    const int x = along_x ? i : j, y = along_x ? j : i;
    const bool in_box = 0 <= x && x < box.x1 && box.y0 <= y && y < box.y1 && 0 <= k && k < box.z1;
    return in_box ? static_cast<double>(voxel(x, y, k)) : 0.0;
  };
  double sum = 0.0;
  for (int i = along_x ? 0 : box.y0; i < (along_x ? box.x1 : box.y1); ++i) {
    const double alpha = main.alpha_of(i + 0.5);
    if (alpha < 0 || alpha > 1) continue;
    const double p = side.at(alpha) - 0.5, q = ray.z.at(alpha) - 0.5;
    const double j = std::floor(p), k = std::floor(q);
    // Samples far outside of the volume are 0; their indices might overflow an int.
    if (j < -1 || j > box.x1 + box.y1 || k < -1 || k > box.z1) continue;
    const int a = static_cast<int>(j), b = static_cast<int>(k);
    const double below = (1 - (p - j)) * value(i, a, b) + (p - j) * value(i, a + 1, b);
    const double above = (1 - (p - j)) * value(i, a, b + 1) + (p - j) * value(i, a + 1, b + 1);
    sum += (1 - (q - k)) * below + (q - k) * above;
  }
  return sum * std::abs(main.inverse);
}

/// The value of a ray: its line integral through this part of the volume.
template <class Voxel>
TS_HD inline double ray_value(Method method, const Box& box, const Ray& ray, const Voxel& voxel) {
  const double sum = method == Method::siddon        ? siddon_sum(box, ray, voxel)
                     : method == Method::incremental ? incremental_sum(box, ray, voxel)
                                                     : joseph_sum(box, ray, voxel);
  return sum * ray.length;
}

}  // namespace threadscape::projection

#pragma once
// The value of a ray, in double precision: what serial, the CUDA variant `rays` and method = siddon use as it is, and
// what all else is compared with.
//
// A ray is the segment from the source to a pixel, x(alpha) = origin + alpha * direction with alpha in 0..1, measured
// in voxels from the low corner of the volume: voxel (i, j, k) is the half-open box i <= x < i + 1, j <= y < j + 1,
// k <= z < k + 1. Hence
//   a ray that runs within a plane between voxels counts for the voxels above the plane, and for nothing in the
//   volume's uppermost planes: x = nx, y = ny, z = nz;
//   one that only touches an edge or a corner, or misses, is 0.
// A direction that moves a ray by less than 1e-12 voxels along an axis is taken for none: it is rounding.
//
// siddon and incremental give the sum of length inside the voxel times its value. joseph takes a sample in every plane
// of voxel centres along x or y, whichever the ray crosses faster (y when equal), interpolates between the four
// centres around it, those outside of the volume being 0, and multiplies with the distance between two such samples.

#include <cmath>

#include "compute/algorithms/tomography/geometry.h"

namespace threadscape::projection {

// One instruction each, which fmin and fmax are not: those ask for NaN.
TS_HD constexpr double smaller(double a, double b) {
  return a < b ? a : b;
}
TS_HD constexpr double larger(double a, double b) {
  return a > b ? a : b;
}

enum class Method : int { siddon, incremental, joseph };

/// A part of the volume, in voxels: the whole, or a slab along y.
struct Box {
  int x1 = 0, y0 = 0, y1 = 0, z1 = 0;  ///< 0 <= x < x1, y0 <= y < y1, 0 <= z < z1
};
TS_HD inline Box whole(const VolumeGrid& grid) {
  return {grid.nx, 0, grid.ny, grid.nz};
}

/// One coordinate of a ray.
struct Axis {
  double origin = 0.0, direction = 0.0;
  double inverse = 0.0;  ///< 1 / direction; only where there is a direction

  TS_HD bool moves() const { return direction != 0.0; }
  TS_HD double at(double alpha) const { return origin + alpha * direction; }
  /// Where the plane is crossed.
  TS_HD double alpha_of(double plane) const { return (plane - origin) * inverse; }
};
struct Ray {
  Axis x, y, z;
  double length = 0.0;  ///< from source to pixel, in units of length
};
/// Where a ray is inside a box; empty unless in < out.
struct AlphaRange {
  double in = 0.0, out = 1.0;
  TS_HD bool empty() const { return !(in < out); }
};

TS_HD inline Axis axis_between(double from, double to, double voxel, int count) {
  Axis axis{from / voxel + 0.5 * count, (to - from) / voxel, 0.0};
  if (std::abs(axis.direction) < 1e-12)
    axis.direction = 0.0;
  else
    axis.inverse = 1.0 / axis.direction;
  return axis;
}
TS_HD inline Ray ray_of(const Geometry& geometry, const ViewAngle& angle, int row, int column) {
  const Point a = geometry.start(angle, row, column), b = geometry.pixel_centre(angle, row, column);
  const VolumeGrid& grid = geometry.grid;
  const double dx = b.x - a.x, dy = b.y - a.y, dz = b.z - a.z;
  return {axis_between(a.x, b.x, grid.voxel_x, grid.nx), axis_between(a.y, b.y, grid.voxel_y, grid.ny),
          axis_between(a.z, b.z, grid.voxel_z, grid.nz), std::sqrt(dx * dx + dy * dy + dz * dz)};
}

/// Narrows a range to where lo <= coordinate < hi.
TS_HD inline void clip(AlphaRange& range, const Axis& axis, double lo, double hi) {
  if (!axis.moves()) {
    if (!(lo <= axis.origin && axis.origin < hi)) range.out = range.in;
    return;
  }
  const double a = axis.alpha_of(lo), b = axis.alpha_of(hi);
  range.in = larger(range.in, smaller(a, b));
  range.out = smaller(range.out, larger(a, b));
}
TS_HD inline AlphaRange inside(const Box& box, const Ray& ray) {
  AlphaRange range;
  clip(range, ray.x, 0, box.x1);
  clip(range, ray.y, box.y0, box.y1);
  clip(range, ray.z, 0, box.z1);
  return range;
}

/// The voxel of a coordinate, in lo..hi-1: rounding may put a point that enters through a face just beyond it.
TS_HD inline int voxel_at(double coordinate, int lo, int hi) {
  const double i = std::floor(coordinate);
  return i < lo ? lo : i >= hi ? hi - 1 : static_cast<int>(i);
}

/// The planes that a ray crosses along one axis, one after the other, and the voxels between them.
struct Planes {
  Axis axis;
  int index, lo, hi;  ///< of the current voxel, and of the box
  int step;
  double next;  ///< alpha of the plane ahead

  TS_HD Planes(const Axis& axis_, double alpha, int lo_, int hi_)
      : axis(axis_), index(voxel_at(axis_.at(alpha), lo_, hi_)), lo(lo_), hi(hi_), step(axis_.direction > 0 ? 1 : -1) {
    find_next();
  }
  /// Into the next voxel; false when that is outside of the box.
  TS_HD bool advance() {
    index += step;
    find_next();
    return lo <= index && index < hi;
  }

 private:
  TS_HD void find_next() { next = axis.moves() ? axis.alpha_of(step > 0 ? index + 1 : index) : INFINITY; }
};

/// Jacobs 1998, Amanatides and Woo 1987: from voxel to voxel, through whichever plane comes first. Calls
/// `piece(x, y, z, length)` for each, lengths in alpha.
template <class Piece>
TS_HD inline void incremental_pieces(const Box& box, const Ray& ray, const Piece& piece) {
  const AlphaRange range = inside(box, ray);
  if (range.empty()) return;
  Planes x(ray.x, range.in, 0, box.x1), y(ray.y, range.in, box.y0, box.y1), z(ray.z, range.in, 0, box.z1);
  double alpha = range.in;
  for (;;) {
    const double next = smaller(smaller(x.next, y.next), z.next);
    const double end = smaller(next, range.out);
    if (end > alpha) {
      piece(x.index, y.index, z.index, end - alpha);
      alpha = end;
    }
    if (next >= range.out) return;
    const bool in_box = next == x.next ? x.advance() : next == y.next ? y.advance() : z.advance();
    if (!in_box) return;
  }
}
/// `voxel(x, y, z)` gives a value. Times the ray's length this is the value of the ray.
template <class Voxel>
TS_HD inline double incremental_sum(const Box& box, const Ray& ray, const Voxel& voxel) {
  double sum = 0.0;
  incremental_pieces(box, ray,
                     [&](int x, int y, int z, double length) { sum += length * static_cast<double>(voxel(x, y, z)); });
  return sum;
}

/// Siddon 1985: the alphas of all planes between entry and exit, axis by axis, are merged into one ascending list; each
/// pair of neighbours is a segment, and its mid-point says which voxel it is in. The three lists are arithmetic
/// sequences, so they are merged as they are made and need no memory.
template <class Voxel>
TS_HD inline double siddon_sum(const Box& box, const Ray& ray, const Voxel& voxel) {
  const AlphaRange range = inside(box, ray);
  if (range.empty()) return 0.0;
  Planes x(ray.x, range.in, 0, box.x1), y(ray.y, range.in, box.y0, box.y1), z(ray.z, range.in, 0, box.z1);
  double alpha = range.in, sum = 0.0;
  while (alpha < range.out) {
    const double next = smaller(smaller(x.next, y.next), z.next);
    const double end = smaller(next, range.out);
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

/// Whether samples of joseph lie in planes along x.
TS_HD inline bool leads_x(const Ray& ray) {
  return std::abs(ray.x.direction) > std::abs(ray.y.direction);
}

/// Joseph 1982.
template <class Voxel>
TS_HD inline double joseph_sum(const Box& box, const Ray& ray, const Voxel& voxel) {
  const bool along_x = leads_x(ray);
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
    // Far outside, where an int might not hold the index.
    if (j < -1 || j > box.x1 + box.y1 || k < -1 || k > box.z1) continue;
    const int a = static_cast<int>(j), b = static_cast<int>(k);
    const double below = (1 - (p - j)) * value(i, a, b) + (p - j) * value(i, a + 1, b);
    const double above = (1 - (p - j)) * value(i, a, b + 1) + (p - j) * value(i, a + 1, b + 1);
    sum += (1 - (q - k)) * below + (q - k) * above;
  }
  return sum * std::abs(main.inverse);
}

/// The value of a ray in this part of the volume.
template <class Voxel>
TS_HD inline double ray_value(Method method, const Box& box, const Ray& ray, const Voxel& voxel) {
  const double sum = method == Method::siddon        ? siddon_sum(box, ray, voxel)
                     : method == Method::incremental ? incremental_sum(box, ray, voxel)
                                                     : joseph_sum(box, ray, voxel);
  return sum * ray.length;
}

}  // namespace threadscape::projection

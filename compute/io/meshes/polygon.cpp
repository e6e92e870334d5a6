#include "compute/io/meshes/polygon.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "compute/core/errors.h"

namespace threadscape::io {

namespace {

/// About a second of processor time.
constexpr std::uint64_t most_comparisons = std::uint64_t{1} << 28;

Point minus(const Point& a, const Point& b) {
  return {a[0] - b[0], a[1] - b[1], a[2] - b[2]};
}

/// The axis along which the polygon is seen, with the greatest part of its normal, and whether that part is negative.
std::pair<int, bool> view_of(std::span<const Point> corners) {
  Point normal{};
  for (std::size_t i = 0; i < corners.size(); ++i) {
    const Point a = minus(corners[i], corners[0]), b = minus(corners[(i + 1) % corners.size()], corners[0]);
    for (std::size_t k = 0; k < 3; ++k)
      normal[k] += a[(k + 1) % 3] * b[(k + 2) % 3] - a[(k + 2) % 3] * b[(k + 1) % 3];
  }
  std::size_t axis = 2;
  for (std::size_t k = 0; k < 2; ++k)
    if (std::fabs(normal[k]) > std::fabs(normal[axis])) axis = k;
  return {static_cast<int>(axis), normal[axis] < 0.0};
}

}  // namespace

/// Twice the area of a triangle, positive if it turns to the left.
double PolygonCutter::turn(std::uint32_t a, std::uint32_t b, std::uint32_t c) const {
  const Flat &p = flat_[a], &q = flat_[b], &r = flat_[c];
  return (q.x - p.x) * (r.y - p.y) - (q.y - p.y) * (r.x - p.x);
}

/// Returns true if a corner may be cut off. Of strictness 2, no other corner is in its triangle or on its sides, except
/// at its corners; of 1, none is within; of 0, only the corner itself is convex.
bool PolygonCutter::is_ear(std::uint32_t corner, int strictness) {
  const std::uint32_t before = last_[corner], after = next_[corner];
  if (turn(before, corner, after) <= 0.0) return false;
  if (strictness == 0) return true;
  comparisons_ += hollow_.size();
  const double least_allowed = strictness == 2 ? 0.0 : std::numeric_limits<double>::denorm_min();
  const auto same = [&](std::uint32_t a, std::uint32_t b) {
    return flat_[a].x == flat_[b].x && flat_[a].y == flat_[b].y;
  };
  return std::ranges::none_of(hollow_, [&](std::uint32_t other) {
    return turn(after, before, other) >= least_allowed && turn(before, corner, other) >= least_allowed &&
           turn(corner, after, other) >= least_allowed && !same(other, before) && !same(other, corner) &&
           !same(other, after);
  });
}

void PolygonCutter::clip(std::uint32_t corner) {
  const std::uint32_t before = last_[corner], after = next_[corner];
  comparisons_ += hollow_.size();
  next_[before] = after;
  last_[after] = before;
  std::erase_if(hollow_, [&](std::uint32_t other) {
    return other == corner || ((other == before || other == after) && turn(last_[other], other, next_[other]) > 0.0);
  });
}

void PolygonCutter::cut(std::span<const Point> corners, std::vector<std::array<std::uint32_t, 3>>& triangles) {
  const auto count = static_cast<std::uint32_t>(corners.size());
  if (count < 3) return;
  if (count == 3) {
    triangles.push_back({0, 1, 2});
    return;
  }
  const auto [axis, mirrored] = view_of(corners);
  const auto x = static_cast<std::size_t>(axis + 1) % 3, y = static_cast<std::size_t>(axis + 2) % 3;
  flat_.resize(count);
  next_.resize(count);
  last_.resize(count);
  hollow_.clear();
  for (std::uint32_t i = 0; i < count; ++i) {
    const Point p = minus(corners[i], corners[0]);
    flat_[i] = {mirrored ? -p[x] : p[x], p[y]};
    next_[i] = (i + 1) % count;
    last_[i] = (i + count - 1) % count;
  }
  for (std::uint32_t i = 0; i < count; ++i)
    if (turn(last_[i], i, next_[i]) <= 0.0) hollow_.push_back(i);
  std::uint32_t corner = 1, left = count;
  std::uint32_t tried = 0;  // The corners in a row that were no ears.
  int strictness = 2;
  while (left > 3) {
    if (stop_.stop_requested()) throw Cancelled();
    if (comparisons_ > most_comparisons)
      throw UsageError(
          "its faces of many concave corners take too long to be cut into triangles: do that in a program "
          "for 3-D models");
    if (strictness >= 0 && !is_ear(corner, strictness)) {
      corner = next_[corner];
      if (++tried < left) continue;
      tried = 0;
      --strictness;
      continue;
    }
    triangles.push_back({last_[corner], corner, next_[corner]});
    clip(corner);
    corner = next_[corner];
    --left;
    tried = 0;
    strictness = 2;
  }
  triangles.push_back({last_[corner], corner, next_[corner]});
}

}  // namespace threadscape::io
